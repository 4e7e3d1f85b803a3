// The browser's half of the game viewer (see viewer.py). Plain JavaScript, used as it stands: no build step, nothing
// from the net. anywidget calls `render`; so does the page that `save_html` writes, with a model that has no Python.
//
// Sections: small tools, the board, the dice, the bars, the view.

const SIDES = ["Red", "Blue"];
const ARROWS = [["→", "↓", "↘", "↗"], ["←", "↑", "↖", "↙"]];
const WAYS = [["right", "down", "down-right", "up-right"], ["left", "up", "up-left", "down-left"]];
const PLIES_A_SECOND = 1; // at speed 1
const GLIDE = 220; // milliseconds for a cube to move
const BRIEF = 120; // a ply shown for less time than this (milliseconds) is not animated
const REST = 120; // milliseconds a position must stay before it is told to Python and said aloud
const AHEAD = 10; // dice shown

// Small tools.

/** A DOM element: attributes by name, functions as listeners, children as nodes or text. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "text", "path", "line"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null) node.setAttribute(name, value);
  }
  // JupyterLab looks for this on the element that has the focus, and only then on those around it
  if (["button", "select", "input"].includes(tag) || "tabindex" in attributes) node.dataset.lmSuppressShortcuts = "true";
  node.append(...children);
  return node;
}

const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const number = (value) => Math.round(value).toLocaleString("en");
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

const ICONS = {
  first: "M4 4h2v12H4zM16 4v12l-9-6z", back: "M14 4v12l-9-6z", play: "M5 3v14l12-7z", pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  step: "M6 4v12l9-6z", last: "M14 4h2v12h-2zM4 4v12l9-6z",
};
const icon = (name) =>
  make("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" }, make("path", { d: ICONS[name], fill: "currentColor" }));

/** The share of a position's playouts that went to each move, or null where nobody searched. */
const shares = (ply) => {
  const total = ply.visits?.reduce((sum, visits) => sum + visits, 0);
  return total ? ply.visits.map((visits) => visits / total) : null;
};

// The board: an SVG drawing with the measures and colours of draw.py.

function makeBoard(look, game) {
  const { cell, edge } = look, { rows, columns, first } = game, width = columns * cell + 2 * edge, height = rows * cell + 2 * edge;
  const middle = (square) => [edge + ((square % columns) + 0.5) * cell, edge + (Math.floor(square / columns) + 0.5) * cell];
  const goals = { 0: look.fills[1], [rows * columns - 1]: look.goal };
  const squares = Array.from({ length: rows * columns }, (_, square) => {
    const [x, y] = middle(square);
    return make("rect", { x: x - cell / 2, y: y - cell / 2, width: cell, height: cell, fill: goals[square] ?? look.board, stroke: look.line });
  });
  const cubes = SIDES.map((_, side) => Array.from({ length: 6 }, (_, cube) => {
    const box = make("rect", { x: -20, y: -20, width: 40, height: 40, rx: side ? 18 : 3, fill: look.fills[side], stroke: look.rims[side] });
    const text = make("text", { y: 8, "font-size": 23, fill: look.digits[side] }, String(cube + first));
    return { box, node: make("g", { class: "cube" }, box, text) };
  }));
  const marks = make("g", {});
  const node = make("svg", { viewBox: `0 0 ${width} ${height}`, class: "board" }, ...squares, ...cubes.flat().map((cube) => cube.node), marks);

  function put(cube, x, y) {
    cube.node.setAttribute("transform", `translate(${x} ${y})`);
    cube.node.setAttribute("visibility", "visible");
  }
  /** An arrow between the middles of two neighbouring squares, kept clear of the digits. */
  function arrow(from, to, thick, colour) {
    let [x, y] = middle(from), [u, v] = middle(to);
    const along = Math.hypot(u - x, v - y), [dx, dy] = [(u - x) / along, (v - y) / along], head = 6 + thick, barb = 0.6 * head;
    [x, y, u, v] = [x + 19 * dx, y + 19 * dy, u - 17 * dx, v - 17 * dy];
    const [neckX, neckY] = [u - head * dx, v - head * dy];
    const points = [[u, v], [neckX - barb * dy, neckY + barb * dx], [neckX + barb * dy, neckY - barb * dx]];
    return [make("line", { x1: x, y1: y, x2: neckX, y2: neckY, stroke: colour, "stroke-width": thick }),
      make("path", { d: `M${points.map((point) => point.join(" ")).join(" L")} Z`, fill: colour })];
  }

  return {
    node,
    /** A position at rest: `last` is [from, to] of the move before, if there was one. */
    rest(ply, last) {
      const movers = new Set(ply.moves.map(([cube]) => cube - first));
      cubes.forEach((six, side) => six.forEach((cube, n) => {
        const square = ply.squares[side][n];
        cube.box.setAttribute("stroke-width", side === ply.mover && movers.has(n) ? 5 : 2);
        if (square < 0) cube.node.setAttribute("visibility", "hidden");
        else put(cube, ...middle(square));
      }));
      const parts = shares(ply);
      marks.replaceChildren(...(last ? arrow(...last, 4, look.moved) : []),
        ...ply.moves.flatMap(([, , from, to], n) => (parts ? arrow(from, to, 2 + 10 * parts[n], look.tried) : [])));
    },
    /** The cube that moves on its way; `part` goes from 0 to 1. */
    glide(ply, part) {
      const [number, , from, to] = ply.moves[ply.move], [x, y] = middle(from), [u, v] = middle(to), eased = part * (2 - part);
      marks.replaceChildren();
      const cube = cubes[ply.mover][number - first];
      cube.node.parentNode.insertBefore(cube.node, marks); // above the one it takes
      put(cube, x + (u - x) * eased, y + (v - y) * eased);
    },
  };
}

// The dice: this ply's, and those to come where they are known.

function makeDice(look, game) {
  const size = 30, gap = 6, wide = AHEAD * (size + gap) + 14;
  const node = make("svg", { class: "dice", viewBox: `0 0 ${wide} ${size + 12}`, role: "img" });
  function show(ply, number) {
    const known = game.known ? Array.from({ length: AHEAD }, (_, n) => game.dice[(number + n) % game.dice.length]) : [ply.die];
    const dice = ply.winner === undefined ? known : [];
    node.replaceChildren(...dice.flatMap((die, n) => {
      const side = (ply.mover + n) % 2, more = n ? 0 : 8, x = 2 + n * (size + gap) + (n ? 10 : 0), y = 6 - more / 2;
      return [make("rect", { x, y, width: size + more, height: size + more, rx: side ? 12 : 3, fill: look.fills[side], stroke: look.rims[side], "stroke-width": n ? 1 : 4 }),
        make("text", { x: x + (size + more) / 2, y: 27, "font-size": n ? 16 : 21, fill: look.digits[side] }, String(die))];
    }));
    node.setAttribute("aria-label", dice.length ? `Die ${dice[0]}${dice.length > 1 ? `, then ${dice.slice(1).join(", ")}` : ""}` : "No die: the game is over");
  }
  return { node, show };
}

// The bars: where the search's playouts went.

function makeBars() {
  const list = make("ul"), note = make("p", { class: "note" });
  function show(ply) {
    const parts = shares(ply);
    list.replaceChildren(...ply.moves.map(([cube, way], n) => {
      const chosen = n === ply.move, mean = ply.means?.[n], proof = ply.proofs?.[n] ?? 0;
      const facts = parts ? [`${number(ply.visits[n])} playouts`] : [];
      if (mean !== null && mean !== undefined) facts.push(`mean ${mean.toFixed(3)}`);
      if (proof) facts.push(proof > 0 ? "wins for certain" : "loses for certain");
      if (chosen) facts.push("played");
      return make("li", { class: `bar${chosen ? " chosen" : ""}`, "data-move": `${cube} ${way}` },
        make("span", { class: "mark", "aria-hidden": "true" }, chosen ? "▶" : ""),
        make("span", { class: "name", "aria-label": `cube ${cube} ${WAYS[ply.mover][way]}` }, `cube ${cube} ${ARROWS[ply.mover][way]}`),
        make("div", { class: "track", "aria-hidden": "true" }, make("span", { class: "part value", style: `left: 0; width: ${100 * (parts?.[n] ?? 0)}%` })),
        make("span", { class: "sum" }, parts ? percent(parts[n]) : ""), make("div", { class: "words" }, facts.join(" · ")));
    }));
    say(note, ply.note);
    note.hidden = !ply.note;
  }
  return { node: make("div", { class: "bars" }, list, note), show };
}

// The view.

function render({ model, el }) {
  const look = model.get("look"), game = model.get("game"), plies = game.plies, end = plies.length - 1;
  const board = makeBoard(look, game), dice = makeDice(look, game), bars = makeBars();
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const state = { at: model.get("ply"), playing: false, speed: model.get("speed") };
  let frame = 0, before = 0, glide = null, shown = -1, resting = 0, spoken = 0, stopped = false;
  const k = () => Math.floor(state.at);
  const turn = (ply) => (ply.winner === undefined ? `${SIDES[ply.mover]}, die ${ply.die}` : `${SIDES[ply.winner]} has won by ${ply.by}`);

  const facts = Object.fromEntries(["ply", "turn", "red", "blue", "seed"].map((name) => [name, make("dd", { class: name })]));
  const names = { ply: "ply", turn: "to move", red: "Red", blue: "Blue", seed: "seed" };
  const control = (name, label, click) => make("button", { type: "button", class: name, "aria-label": label, title: label, click }, icon(name));
  const toggle = control("play", "Play", () => (state.playing ? pause() : play()));
  const slider = make("input", { type: "range", class: "seek", min: 0, max: end, step: 1, "aria-label": "Ply", input: () => seek(Number(slider.value)) });
  const speed = make("select", { "aria-label": "Speed", change: () => setSpeed(Number(speed.value)) },
    ...look.speeds.map((value) => make("option", { value }, `${value}x`)));
  const transport = make("div", { class: "transport" },
    make("div", { class: "buttons", role: "group", "aria-label": "Replay" }, control("first", "To the start", () => seek(0)),
      control("back", "One ply back", () => step(-1)), toggle, control("step", "One ply on", () => step(1)), control("last", "To the end", () => seek(end))),
    make("label", { class: "speed" }, make("span", {}, "speed"), speed), slider);
  const caption = make("p", { class: "caption" }), status = make("div", { class: "heard", role: "status", "aria-live": "polite" });
  const stage = make("div", { class: "stage", tabindex: 0, role: "application" }, board.node);
  const keys = make("p", { class: "keys" }, "Click the board, then: Space plays, ← → step, Home End, + − speed.");
  const line = make("p", { class: "status" }, game.known ? "The dice: this ply's, and the next ones, which both sides know" : "The die of this ply");
  const root = make("div", { class: "v2048 vewn", role: "group", "aria-label": "EinStein viewer", keydown: onKey },
    make("dl", { class: "facts" }, ...Object.entries(facts).map(([name, node]) => make("div", {}, make("dt", {}, names[name]), node))),
    make("div", { class: "columns" }, make("div", { class: "left" }, stage, caption, transport, keys),
      make("div", { class: "side" }, line, dice.node, make("h3", {}, "Where the search's playouts went"), bars.node)), status);

  function describe(ply) {
    const standing = SIDES.map((name, side) => {
      const cubes = ply.squares[side].map((square, n) => [square, n + game.first]).filter(([square]) => square >= 0);
      return `${name} ${cubes.map(([square, cube]) => `${cube} on row ${Math.floor(square / game.columns) + 1} column ${(square % game.columns) + 1}`).join(", ")}`;
    });
    return `Board after ${k()} plies: ${standing.join("; ")}. ${turn(ply)}`;
  }
  /** [from, to] of the move that led to ply n. */
  const last = (n) => (n > 0 ? plies[n - 1].moves[plies[n - 1].move].slice(2) : null);

  function write() {
    const n = k(), ply = plies[n];
    say(facts.ply, `${n} / ${end}`);
    say(facts.turn, ply.winner === undefined ? `${SIDES[ply.mover]}, die ${ply.die}` : "–");
    [facts.red, facts.blue].forEach((node, side) => say(node, game.names[side]));
    say(facts.seed, game.seed);
    dice.show(ply, n + game.start);
    bars.show(ply);
    slider.value = n;
    slider.setAttribute("aria-valuetext", `ply ${n} of ${end}`);
    const icons = state.playing ? "pause" : "play";
    if (toggle.dataset.icon !== icons) {
      toggle.dataset.icon = icons;
      toggle.setAttribute("aria-label", state.playing ? "Pause" : "Play");
      toggle.title = state.playing ? "Pause" : "Play";
      toggle.replaceChildren(icon(icons));
    }
    const next = ply.winner === undefined ? ply.moves[ply.move] : null;
    say(caption, next ? `Next: ${SIDES[ply.mover]} plays cube ${next[0]} ${WAYS[ply.mover][next[1]]}.` : `${turn(ply)}.`);
    if (!state.playing) stage.setAttribute("aria-label", describe(ply));
    shown = n;
  }
  function paint(now) {
    const n = k();
    if (glide) {
      const part = (now - glide.start) / GLIDE;
      if (part < 1) return board.glide(plies[glide.from], Math.max(0, part));
      glide = null;
    }
    const period = 1000 / (PLIES_A_SECOND * state.speed), left = (n + 1 - state.at) * period, time = Math.min(GLIDE, period / 2);
    board.rest(plies[n], last(n));
    if (state.playing && !still.matches && period >= BRIEF && n < end && left < time) board.glide(plies[n], 1 - left / time);
  }

  // Time

  function tick(now) {
    frame = 0;
    const elapsed = Math.max(0, Math.min(250, now - before)); // a page in the background gets no frames: do not leap
    before = now;
    if (state.playing) {
      state.at = Math.min(end, state.at + (elapsed / 1000) * PLIES_A_SECOND * state.speed);
      if (k() === end) return pause();
      if (k() !== shown) write();
      if (now - spoken > 5000) speak(now);
    }
    paint(now);
    run();
  }
  function run() {
    if (!frame && !stopped && (state.playing || glide)) frame = requestAnimationFrame(tick);
  }
  function redraw() {
    write();
    paint(performance.now());
    run();
  }
  function play() {
    state.at = k() === end ? 0 : k(); // at the end, play starts again
    [state.playing, glide, before] = [true, null, performance.now()];
    tell();
    redraw();
  }
  function pause() {
    state.playing = false;
    state.at = k();
    settle();
    redraw();
  }
  function seek(to) {
    state.playing = false;
    glide = null;
    state.at = Math.max(0, Math.min(end, to));
    settle();
    redraw();
  }
  function step(by) {
    const from = k();
    seek(from + by);
    if (by !== 1 || k() !== from + 1 || still.matches) return;
    board.rest(plies[from], last(from));
    glide = { from, start: performance.now() };
    run();
  }
  function setSpeed(to) {
    state.speed = to;
    speed.value = to;
    tell();
  }
  function faster(by) {
    const at = look.speeds.indexOf(state.speed) + by;
    if (at >= 0 && at < look.speeds.length) setSpeed(look.speeds[at]);
    status.textContent = `Speed ${state.speed}`;
  }

  // When a position stays: tell Python where we are, and say it aloud

  function tell() {
    if (stopped) return;
    model.set({ ply: k(), playing: state.playing, speed: state.speed });
    try {
      model.save_changes();
    } catch { /* the kernel was shut down: there is nobody to tell */ }
  }
  function speak(now) {
    spoken = now;
    status.textContent = `Ply ${k()} of ${end}, ${turn(plies[k()])}`;
  }
  function settle() {
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (state.playing || stopped) return;
      tell();
      speak(performance.now());
    }, REST);
  }

  // Keys, and Python, which may move us as well

  function onKey(event) {
    const { target: on, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || on.matches("select, input:not([type=range])")) return;
    if ((key === " " || key === "Enter") && on.matches("button")) return;
    const handlers = {
      " ": () => (state.playing ? pause() : play()), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
      Home: () => seek(0), End: () => seek(end), "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    };
    if (!Object.hasOwn(handlers, key)) return;
    event.preventDefault();
    event.stopPropagation();
    handlers[key]();
  }
  const follow = {
    "change:ply": () => !state.playing && model.get("ply") !== k() && seek(model.get("ply")),
    "change:speed": () => model.get("speed") !== state.speed && setSpeed(model.get("speed")),
    "change:playing": () => model.get("playing") !== state.playing && (model.get("playing") ? play() : pause()),
  };
  for (const [name, handler] of Object.entries(follow)) model.on(name, handler);

  speed.value = state.speed;
  el.append(root);
  redraw();
  if (model.get("playing")) play();

  return () => {
    stopped = true;
    cancelAnimationFrame(frame);
    clearTimeout(resting);
    for (const [name, handler] of Object.entries(follow)) model.off(name, handler);
    root.remove();
  };
}

/** A model for a page without Python: what `save_html` wrote into it. */
export function pageModel(state) {
  const nothing = () => {}, all = { ...state, playing: false };
  return { get: (name) => all[name], set: nothing, save_changes: nothing, on: nothing, off: nothing };
}

export { render };
export default { render };
