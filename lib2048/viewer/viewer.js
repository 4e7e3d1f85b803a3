// The browser's half of the board viewer (see viewer.py). Plain JavaScript, used as it stands: no build step, nothing
// from the net. anywidget calls `render`; so does the page that `save_html` writes, with a model that has no Python.
//
// Sections: the game, games as bytes, small tools, the board, the bars, the lens, questions, the view.

const ACTIONS = ["up", "right", "down", "left"];
const ARROWS = ["↑", "→", "↓", "←"];
const LARGEST = 15; // exponent of 32768, which merges no further
const MOVES_A_SECOND = 2.5; // at speed 1
const SLIDE = 120, SETTLE = 110; // milliseconds for tiles to slide, and for new and merged ones to pop
const BRIEF = 60; // a move shown for less time than this (milliseconds) is not animated
const REST = 120; // milliseconds a board must stay before Python is asked about it
const BUSY = 350; // milliseconds without an answer after which Python is said to be busy
const PATIENCE = 8000; // milliseconds after which a question may be asked anew
const SWIPE = 24; // pixels that a finger or the mouse must go for a move

// The game: the rules and the random stream of board.py. Cells are 16 exponents in a Uint8Array.

// For each action its four lines of cells, each from the side the tiles slide to.
const LINES = [[0, 4], [3, -1], [12, -4], [0, 1]].map(([first, step], action) =>
  [0, 1, 2, 3].map((n) => [0, 1, 2, 3].map((j) => first + n * (action % 2 ? 4 : 1) + j * step)));

/** Slide: the cells after, the reward, whether anything moved, and for each tile its path {from, to, merged}. */
export function slide(cells, action) {
  const after = new Uint8Array(16), paths = [];
  let reward = 0, moved = false;
  for (const line of LINES[action]) {
    let count = 0, open = false; // tiles placed so far; whether the last of them may still merge
    for (const from of line) {
      const exponent = cells[from];
      if (!exponent) continue;
      const merged = open && after[line[count - 1]] === exponent && exponent < LARGEST;
      const to = merged ? line[count - 1] : line[count++];
      after[to] = exponent + merged;
      if (merged) reward += 2 ** (exponent + 1);
      open = !merged;
      moved ||= from !== to;
      paths.push({ from, to, merged });
    }
  }
  return { after, reward, moved, paths };
}

const isDead = (cells) => ACTIONS.every((_, action) => !slide(cells, action).moved);

const WORD = (1n << 64n) - 1n, HALF = (1n << 32n) - 1n, GOLDEN = 0x9e3779b97f4a7c15n;

function mix(word) {
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return word ^ (word >> 31n);
}

/** The cells with one more tile, from one random word: its upper half picks the cell, its lower half the tile. */
function spawn(cells, word, fours) {
  const empty = [...cells.keys()].filter((cell) => !cells[cell]);
  const after = Uint8Array.from(cells);
  after[empty[Number(((word >> 32n) * BigInt(empty.length)) >> 32n)]] = (word & HALF) < BigInt(fours) ? 2 : 1;
  return after;
}

/** A game as it starts from a seed (BigInt): {cells, state, score, moves}; `fours` is p4 * 2**32. */
export function newGame(seed, fours) {
  const state = mix(mix((seed + GOLDEN) & WORD));
  const words = [1n, 2n].map((n) => mix((state + n * GOLDEN) & WORD));
  const cells = words.reduce((so, word) => spawn(so, word, fours), new Uint8Array(16));
  return { cells, state: (state + 2n * GOLDEN) & WORD, score: 0, moves: 0 };
}

/** The game after an action, or null when nothing moves. */
export function nextGame(game, action, fours) {
  const { after, reward, moved } = slide(game.cells, action);
  if (!moved) return null;
  const state = (game.state + GOLDEN) & WORD;
  return { cells: spawn(after, mix(state), fours), state, score: game.score + reward, moves: game.moves + 1 };
}

/** How one board becomes the next: the slide and the cell of the new tile. */
function transition(before, action, to) {
  const { after, paths } = slide(before, action);
  return { before, after, paths, to, born: to.findIndex((exponent, cell) => exponent !== after[cell]) };
}

const largest = (cells) => { const top = Math.max(...cells); return top ? 2 ** top : 0; };
const hex = (cells) => [...cells].reverse().map((exponent) => exponent.toString(16)).join("");

// Games as bytes: see _packed in viewer.py.

/** The games of a model: what `games` says of each, with cells(k), values(k), actions and scores. */
export function readGames(model) {
  const view = model.get("data");
  let at = view.byteOffset;
  const take = (bytes) => view.buffer.slice(at, (at += bytes)); // a copy, so that it may start anywhere
  return model.get("games").map((about) => {
    const boards = new Uint8Array(take(8 * (about.moves + 1)));
    const values = new Float32Array(take(16 * about.moves));
    const actions = new Uint8Array(take(about.moves));
    const cells = (k) => Uint8Array.from({ length: 16 }, (_, cell) => (boards[8 * k + (cell >> 1)] >> 4 * (cell & 1)) & 15);
    const scores = new Float64Array(about.moves + 1);
    for (let k = 0; k < about.moves; k++) scores[k + 1] = scores[k] + slide(cells(k), actions[k]).reward;
    const top = values.reduce((most, value) => (value > most ? value : most), 0);
    const bottom = values.reduce((least, value) => (value < least ? value : least), 0);
    return { ...about, cells, actions, scores, range: [bottom, top], values: (k) => values.slice(4 * k, 4 * k + 4) };
  });
}

// Small tools.

/** A DOM element: attributes by name, functions as listeners, children as nodes or text. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "text", "path"].includes(tag);
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

const select = (label, options, change) => {
  const node = make("select", { "aria-label": label, change: () => change(node.value) });
  fill(node, options);
  return node;
};
const fill = (node, options) => node.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const number = (value) => (Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "–");
const precise = (value) =>
  Number.isFinite(value) ? value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : "–";

/** The best of four values, null among them for what is not possible; of equal ones the first. */
function best(values) {
  let chosen = null;
  values.forEach((value, action) => {
    if (Number.isFinite(value) && (chosen === null || value > values[chosen])) chosen = action;
  });
  return chosen;
}

function describe(cells) {
  const rows = [0, 4, 8, 12].map((row) => [...cells.slice(row, row + 4)].map((e) => (e ? 2 ** e : "empty")).join(" "));
  return `2048 board: ${rows.join("; ")}`;
}

const ICONS = {
  first: "M4 4h2v12H4zM16 4v12l-9-6z", back: "M14 4v12l-9-6z", play: "M5 3v14l12-7z", pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  step: "M6 4v12l9-6z", last: "M14 4h2v12h-2zM4 4v12l9-6z",
};
const icon = (name) =>
  make("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" }, make("path", { d: ICONS[name], fill: "currentColor" }));

// The board: an SVG drawing with the measures and colours of draw.py.

function makeBoard(look) {
  const { cell: size, gap, edge } = look, side = 4 * size + 3 * gap + 2 * edge;
  const middle = (cell) => [edge + (cell % 4) * (size + gap) + size / 2, edge + (cell >> 2) * (size + gap) + size / 2];
  const square = (colour, more = {}) =>
    make("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 8, fill: colour, ...more });
  const at = (cell, node) => { node.setAttribute("transform", `translate(${middle(cell)})`); return node; };

  const tiles = Array.from({ length: 17 }, () => {
    const rect = square("none", { class: "rim" }), text = make("text"), node = make("g", { visibility: "hidden" }, rect, text);
    return { node, rect, text, exponent: 0 };
  });
  const marks = make("g", { class: "marks" });
  const node = make("svg", { viewBox: `0 0 ${side} ${side}`, class: "board" },
    make("rect", { width: side, height: side, rx: 14, fill: look.frame }),
    ...Array.from({ length: 16 }, (_, cell) => at(cell, square(look.tiles[0], { class: "rim" }))),
    ...tiles.map((tile) => tile.node), marks);

  let used = 0;
  function draw(exponent, x, y, scale = 1) {
    const tile = tiles[used++];
    if (tile.exponent !== exponent) {
      const text = String(2 ** exponent), font = Math.min(48, (0.86 * size) / (0.7 * text.length));
      tile.rect.setAttribute("fill", look.tiles[exponent]);
      tile.text.setAttribute("fill", look.inks[exponent]);
      tile.text.setAttribute("font-size", font);
      tile.text.setAttribute("y", 0.36 * font);
      tile.text.textContent = text;
      tile.exponent = exponent;
    }
    tile.node.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    tile.node.setAttribute("visibility", scale ? "visible" : "hidden");
  }
  function finish() {
    for (const tile of tiles.slice(used)) tile.node.setAttribute("visibility", "hidden");
    used = 0;
  }

  return {
    node,
    /** A board at rest. */
    rest(cells) {
      cells.forEach((exponent, cell) => exponent && draw(exponent, ...middle(cell)));
      finish();
    },
    /** The tiles on their way; `part` goes from 0 to 1. */
    slide({ before, paths }, part) {
      const eased = part * (2 - part);
      for (const { from, to } of paths) {
        const [x, y] = middle(from), [u, v] = middle(to);
        draw(before[from], x + (u - x) * eased, y + (v - y) * eased);
      }
      finish();
    },
    /** The next board, its new tile and its merged ones popping up; `part` goes from 0 to 1. */
    settle({ paths, to, born }, part) {
      const merged = new Set(paths.filter((path) => path.merged).map((path) => path.to));
      to.forEach((exponent, cell) => {
        const bump = merged.has(cell) ? 1 + 0.12 * Math.sin(Math.PI * part) : 1;
        if (exponent) draw(exponent, ...middle(cell), cell === born ? Math.max(0.05, part) : bump);
      });
      finish();
    },
    /** Outline cells, numbered in this order. */
    outline(cells) {
      const ring = { x: -size / 2 - 2, y: -size / 2 - 2, width: size + 4, height: size + 4, rx: 10, fill: "none" };
      marks.replaceChildren(...cells.map((cell, n) => at(cell, make("g", {},
        make("rect", { ...ring, class: "halo" }), make("rect", { ...ring, class: "ring" }),
        make("rect", { x: -size / 2 - 2, y: -size / 2 - 2, width: 26, height: 26, rx: 8, class: "badge" }),
        make("text", { x: -size / 2 + 11, y: -size / 2 + 18, "font-size": 20, class: "order" }, String(n))))));
    },
  };
}

// The bars: what the four actions are worth.

function makeBars() {
  const rows = ACTIONS.map((action, n) => {
    const mark = make("span", { class: "mark", "aria-hidden": "true" }), name = make("span", { class: "name" }, `${ARROWS[n]} ${action}`);
    const value = make("span", { class: "part value" }), reward = make("span", { class: "part reward" });
    const track = make("div", { class: "track", "aria-hidden": "true" }, value, reward);
    const sum = make("span", { class: "sum" }), words = make("div", { class: "words" });
    const node = make("li", { class: "bar", "data-action": action }, mark, name, track, sum, words);
    return { node, mark, value, reward, sum, words };
  });
  const note = make("p", { class: "note", hidden: "" });
  const node = make("div", { class: "bars" }, make("ul", {}, ...rows.map((row) => row.node)), note);

  /** cells: the board; values: four numbers, or null when there are none; chosen: an action, marked with `word`; range: what the bars span. */
  function show({ cells, values, chosen, word, range, after, missing }) {
    const [low, high] = range, span = high - low || 1, percent = (part) => `${(100 * part) / span}%`;
    const top = values ? Math.max(...[...values].filter(Number.isFinite)) : NaN;
    let possible = 0;
    rows.forEach((row, action) => {
      const { reward, moved } = slide(cells, action), worth = moved && values ? values[action] : NaN;
      const known = Number.isFinite(worth), future = worth - reward;
      possible += moved;
      row.node.classList.toggle("chosen", action === chosen);
      row.node.classList.toggle("illegal", !moved);
      say(row.mark, action === chosen ? "▶" : "");
      say(row.sum, known ? number(worth) : "");
      row.value.style.left = percent(Math.min(future, 0) - low);
      row.value.style.width = known ? percent(Math.abs(future)) : "0";
      row.reward.style.left = percent(future - low);
      row.reward.style.width = known ? percent(reward) : "0";
      const less = top - worth < 1 ? "less than 1" : number(top - worth);
      const gap = known && action !== chosen && worth < top ? ` · ${less} below the best` : "";
      const parts = known ? `r ${number(reward)} + ${after} ${number(future)}${gap}` : `r ${number(reward)}`;
      say(row.words, moved ? parts + (action === chosen ? ` · ${word}` : "") : "not possible");
    });
    const text = possible ? (values && Number.isFinite(top) ? "" : missing) : "No move is possible: the game is over.";
    say(note, text);
    note.hidden = !text;
  }
  return { node, show };
}

// The lens: which weights a board looks up.

const imageName = (image) => {
  const turn = ["as it is", "turned right", "upside down", "turned left"][image % 4];
  return image < 4 ? turn : image === 4 ? "mirrored" : `${turn}, then mirrored`;
};

function makeLens(look, changed) {
  const state = { open: false, pattern: 0, image: 0, afterstate: true };
  const patterns = select("Pattern", [], (value) => choose(Number(value), state.image));
  const images = select("Isomorphism", [], (value) => choose(state.pattern, Number(value)));
  const boards = select("Board to look at", [["afterstate", "afterstate s'"], ["board", "board s"]], (value) => {
    state.afterstate = value === "afterstate";
    changed();
  });
  const status = make("p", { class: "status" }), index = make("dd", { class: "index" }), weight = make("dd", { class: "weight" });
  const total = make("dd", { class: "total" }), body = make("tbody");
  const field = (text, node) => make("label", {}, make("span", {}, text), node);
  const ranking = make("table", {}, make("caption", {}, "The lookups that carry most of V, each with its share of all |weights|"), make("thead", {}, make("tr", {},
    ...["pattern", "isomorphism", "index", "weight", "share"].map((text) => make("th", { scope: "col" }, text)))), body);
  const panel = make("div", { class: "panel", hidden: "" },
    make("div", { class: "fields" }, field("pattern", patterns), field("isomorphism", images), field("look at", boards)), status,
    make("dl", {}, make("dt", {}, "index"), index, make("dt", {}, "weight"), weight, make("dt", {}, "V, the sum"), total), ranking);
  const button = make("button", { type: "button", class: "toggle", "aria-expanded": "false", click: () => open(!state.open) }, "Tuple lens");
  const node = make("section", { class: "lens", "aria-label": "Tuple lens" }, button, panel);

  let game = null, cells = null, answer = null;
  function open(flag) {
    state.open = flag;
    panel.hidden = !flag;
    button.setAttribute("aria-expanded", String(flag));
    changed();
  }
  function choose(pattern, image) {
    Object.assign(state, { pattern, image });
    patterns.value = pattern;
    images.value = image;
    changed();
  }
  /** The cells of the board that the chosen lookup reads, in the pattern's order. */
  const seen = () => game.patterns[state.pattern].map((cell) => look.places[state.image][cell]);

  function write() {
    const exponents = cells ? seen().map((cell) => cells[cell]) : [];
    const place = exponents.reduce((sum, exponent, j) => sum + exponent * 16 ** j, 0);
    const row = answer?.rows.find(([k, i]) => k === state.pattern && i === state.image);
    say(index, cells ? `${place.toLocaleString("en")} = 0x${place.toString(16).padStart(exponents.length, "0")}` : "–");
    say(weight, row ? precise(row[3]) : "–");
    say(total, answer ? `${precise(answer.value)} of ${answer.rows.length} lookups` : "–");
    node.classList.toggle("stale", !answer);
    const ranked = answer ? [...answer.rows].sort((a, b) => Math.abs(b[3]) - Math.abs(a[3])).slice(0, 8) : [];
    const sum = answer ? answer.rows.reduce((so, [, , , w]) => so + Math.abs(w), 0) || 1 : 1, most = Math.abs(ranked[0]?.[3]) || 1;
    body.replaceChildren(...ranked.map(([k, i, at, w]) => {
      const name = game.patterns[k].map((cell) => cell.toString(16)).join("");
      const pick = make("button", { type: "button", title: "show this lookup on the board", click: () => choose(k, i) }, name);
      const share = (100 * Math.abs(w)) / sum, chosen = k === state.pattern && i === state.image;
      return make("tr", chosen ? { class: "chosen", "aria-current": "true" } : {}, make("td", {}, pick), make("td", {}, imageName(i)),
        make("td", {}, at.toLocaleString("en")), make("td", {}, precise(w)),
        make("td", { class: "share", style: `--share: ${(50 * Math.abs(w)) / most}%` }, `${share.toFixed(1)} %`));
    }));
  }

  return {
    node, state, choose,
    /** The lens for another game (its network may be another one). */
    setGame(to) {
      const first = game === null;
      game = to;
      node.hidden = !game.kind;
      if (!game.kind) return;
      if (first) state.afterstate = game.kind === "afterstate";
      state.pattern = Math.min(state.pattern, game.patterns.length - 1);
      state.image = Math.min(state.image, game.images - 1);
      fill(patterns, game.patterns.map((cells, k) => [k, `${k}: ${cells.map((cell) => cell.toString(16)).join("")}`]));
      fill(images, Array.from({ length: game.images }, (_, i) => [i, `${i}: ${imageName(i)}`]));
      patterns.value = state.pattern;
      images.value = state.image;
      boards.value = state.afterstate ? "afterstate" : "board";
    },
    outlined: () => (state.open && game.kind ? seen() : []),
    /** Show what is known of a board (null while playing): `to` is Python's answer, or null while there is none. */
    show(board, to, text) {
      [cells, answer] = [board, to];
      say(status, text);
      write();
    },
  };
}

// Questions to Python. Of each kind one is on its way at a time, and only the newest one waits: a busy kernel is not
// flooded while somebody drags the slider.

function makeAsker(model) {
  const self = Math.random().toString(36).slice(2), lines = new Map();
  let count = 0;
  function post(line) {
    line.sent = { ...line.next, id: `${self} ${++count}`, time: performance.now() };
    line.next = null;
    try {
      model.send({ ...line.sent.question, id: line.sent.id });
    } catch { // the kernel was shut down
      receive({ id: line.sent.id, error: "Python does not answer: the kernel was stopped. Run the cell again." });
    }
  }
  const receive = (reply) => {
    for (const line of lines.values()) {
      if (line.sent?.id !== reply.id) continue;
      const { then } = line.sent;
      line.sent = null;
      if (line.next) post(line);
      else then(reply);
    }
  };
  model.on("msg:custom", receive);
  return {
    ask(question, then) {
      const line = lines.get(question.kind) ?? {};
      lines.set(question.kind, line);
      line.next = { question, then };
      if (!line.sent || performance.now() - line.sent.time > PATIENCE) post(line);
    },
    stop: () => model.off("msg:custom", receive),
  };
}

// The view.

function render({ model, el }) {
  const look = model.get("look"), games = readGames(model), board = makeBoard(look), bars = makeBars(), asker = makeAsker(model);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const state = { game: model.get("game"), at: model.get("move"), playing: false, speed: model.get("speed"), mine: null, scale: "game" };
  let frame = 0, before = 0, glide = null, shown = -1, resting = 0, waiting = 0, spoken = 0, stopped = false;
  let lensAnswer = null, opinions = null; // Python's answers, each with the board it is about
  let known = null, own = null; // the board from which playing goes on; a person's game while another is watched

  const game = () => games[state.game];
  const k = () => Math.floor(state.at);
  const cells = () => (state.mine ? state.mine.now.cells : game().cells(k()));
  const live = () => !model.get("answers");

  // What is on the page

  const facts = Object.fromEntries(["score", "move", "largest", "seed"].map((name) => [name, make("dd", { class: name })]));
  const ages = games.map((one, n) => make("button", { type: "button", class: "age", click: () => pick(n) }, one.name,
    make("small", {}, ` ${number(one.scores[one.moves])}`)));
  const watching = make("button", { type: "button", class: "watch", click: () => leave() }, "Watch");
  const playing = make("button", { type: "button", class: "mine", click: () => begin() }, "Play yourself");
  const control = (name, label, click) => make("button", { type: "button", class: name, "aria-label": label, title: label, click }, icon(name));
  const toggle = control("play", "Play", () => (state.playing ? pause() : play()));
  const slider = make("input", { type: "range", class: "seek", min: 0, step: 1, "aria-label": "Move", input: () => seek(Number(slider.value)) });
  const speed = select("Speed", look.speeds.map((value) => [value, `${value}x`]), (value) => setSpeed(Number(value)));
  const scale = select("Scale of the bars", [["game", "the whole game"], ["move", "this move"]], (value) => {
    state.scale = value;
    write();
  });
  const transport = make("div", { class: "transport" },
    make("div", { class: "buttons", role: "group", "aria-label": "Replay" }, control("first", "To the start", () => seek(0)),
      control("back", "One move back", () => step(-1)), toggle, control("step", "One move on", () => step(1)),
      control("last", "To the end", () => seek(game().moves))),
    make("label", { class: "speed" }, make("span", {}, "speed"), speed), slider);
  const seed = make("input", { type: "number", class: "newseed", min: 0, step: 1, "aria-label": "Seed of a new game" });
  const undo = make("button", { type: "button", class: "undo", click: () => takeBack() }, "Undo");
  const peek = make("input", { type: "checkbox", class: "peek", change: () => { settle(); redraw(); } });
  peek.checked = true;
  const think = make("label", { class: "think" }, peek, "show what the network thinks");
  const hand = make("div", { class: "hand", hidden: "" }, undo,
    make("label", {}, make("span", {}, "seed"), seed), make("button", { type: "button", class: "new", click: () => begin(true) }, "New game"), think);
  const caption = make("p", { class: "caption" }), result = make("p", { class: "result", hidden: "" });
  const keys = make("p", { class: "keys" });
  const legend = make("div", { class: "legend" }, make("span", { class: "swatch value" }), make("span", { class: "after" }),
    make("span", { class: "swatch reward" }), make("span", {}, "reward r"), make("label", { class: "scale" }, make("span", {}, "scale"), scale));
  const heading = make("h3"), others = make("p", { class: "others", hidden: "" });
  const lens = makeLens(look, () => { write(); settle(); });
  const status = make("div", { class: "heard", role: "status", "aria-live": "polite" });
  const stage = make("div", { class: "stage", tabindex: 0, role: "application" }, board.node);
  const root = make("div", { class: "v2048", role: "group", "aria-label": "2048 board viewer", keydown: onKey },
    make("div", { class: "ages", role: "group", "aria-label": "Network", ...(games.length < 2 && { hidden: "" }) }, ...ages),
    make("div", { class: "top" },
      make("dl", { class: "facts" }, ...Object.entries(facts).map(([name, node]) => make("div", {}, make("dt", {}, name), node))),
      make("div", { class: "modes", role: "group", "aria-label": "Mode" }, watching, playing)),
    make("div", { class: "columns" }, make("div", { class: "left" }, stage, caption, result, transport, hand, keys),
      make("div", { class: "side" }, heading, bars.node, legend, others, lens.node)), status);

  // What the numbers and the controls say

  /** What four actions are worth on the board shown, which is chosen, and what to say when that is not known. */
  function thoughts() {
    if (state.mine) {
      if (!peek.checked) return { values: null, chosen: null, missing: "Hidden: make up your own mind first." };
      const told = opinions?.board === hex(cells()) ? opinions.values?.[state.game] : null;
      const missing = !game().kind ? "This game comes without a network." : live() ? "Waiting for Python …" : "What the network thinks needs Python.";
      return told ? { values: told, chosen: best(told) } : { values: null, chosen: null, missing };
    }
    if (k() === game().moves) return { values: null, chosen: null, missing: "" };
    return { values: game().values(k()), chosen: game().actions[k()], missing: "This game was recorded without values." };
  }

  function range(values) {
    const own = values ? [...values].filter(Number.isFinite) : [];
    const [low, high] = state.scale === "game" ? game().range : [0, 0];
    return [Math.min(low, 0, ...own), Math.max(high, 0, ...own)];
  }

  /** The board the lens looks at, and in words which it is. */
  function target() {
    const now = cells(), { chosen } = thoughts();
    if (!lens.state.afterstate || chosen === null) return [now, "the board s"];
    return [slide(now, chosen).after, `the afterstate s' (${ACTIONS[chosen]}, no new tile yet)`];
  }

  function write() {
    const now = cells(), one = game(), over = state.mine ? isDead(now) : k() === one.moves, { values, chosen, missing } = thoughts();
    const [score, moves] = state.mine ? [state.mine.now.score, state.mine.now.moves] : [one.scores[k()], k()];
    say(facts.score, number(score));
    say(facts.move, state.mine ? number(moves) : `${number(moves)} / ${number(one.moves)}`);
    say(facts.largest, String(largest(now)));
    say(facts.seed, state.mine ? String(state.mine.seed) : one.seed ?? "–");
    const ahead = one.plies > 1, after = ahead ? "E" : one.kind === "state" ? "E V(s'')" : "V(s')";
    say(heading, `r + ${after}: what each action is worth${ahead ? `, looking ${one.plies} plies ahead` : ""}`);
    say(legend.querySelector(".after"), ahead ? "E, what the search expects" : after);
    bars.show({ cells: now, values, chosen, word: state.mine ? "its choice" : "chosen", range: range(values), after, missing });
    if (!state.mine) {
      slider.max = one.moves;
      slider.value = k();
      slider.setAttribute("aria-valuetext", `move ${k()} of ${one.moves}`);
    }
    undo.disabled = !state.mine?.past.length;
    think.hidden = !one.kind || !live();
    const icons = state.playing ? "pause" : "play";
    if (toggle.dataset.icon !== icons) {
      toggle.dataset.icon = icons;
      toggle.setAttribute("aria-label", state.playing ? "Pause" : "Play");
      toggle.title = state.playing ? "Pause" : "Play";
      toggle.replaceChildren(icon(icons));
    }
    const looking = lens.state.open && !state.playing && one.kind;
    say(caption, over ? (isDead(now) ? "The game is over." : "The recording ends here.") : looking ? `Shown: ${target()[1]}.` : chosen === null ? "Your move." : `${state.mine ? "It would go" : "Next"}: ${ACTIONS[chosen]}.`);
    board.outline(lens.outlined());
    shown = k();
    if (!state.playing) stage.setAttribute("aria-label", describe(now));
  }

  function paint(now) {
    const one = game();
    if (glide) {
      const time = now - glide.start;
      if (time < SLIDE) return board.slide(glide.plan, Math.max(0, time / SLIDE));
      if (time < SLIDE + SETTLE) return board.settle(glide.plan, (time - SLIDE) / SETTLE);
      glide = null;
    }
    if (!state.playing) return board.rest(lens.state.open && one.kind ? target()[0] : cells());
    const period = 1000 / (MOVES_A_SECOND * state.speed), into = (state.at - k()) * period, move = Math.min(SLIDE, period / 2);
    if (still.matches || period < BRIEF || k() === one.moves) return board.rest(cells());
    if (period - into < move) return board.slide(plan(k()), 1 - (period - into) / move);
    if (into < Math.min(SETTLE, period / 2) && k() > known.from) return board.settle(plan(k() - 1), into / Math.min(SETTLE, period / 2));
    board.rest(cells());
  }

  let kept = null; // the last transition drawn
  function plan(from) {
    if (kept?.game !== state.game || kept.from !== from) {
      kept = { game: state.game, from, plan: transition(game().cells(from), game().actions[from], game().cells(from + 1)) };
    }
    return kept.plan;
  }

  // Time

  function tick(now) {
    frame = 0;
    const elapsed = Math.max(0, Math.min(250, now - before)); // a page in the background gets no frames: do not leap
    before = now;
    if (state.playing) {
      state.at = Math.min(game().moves, state.at + (elapsed / 1000) * MOVES_A_SECOND * state.speed);
      if (k() === game().moves) return pause();
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
    if (state.mine) return;
    if (k() === game().moves) state.at = 0; // at the end, play starts again
    state.at = k();
    [state.playing, glide, before, known] = [true, null, performance.now(), { from: k() }];
    lens.show(null, null, "Pause to look things up.");
    others.hidden = true;
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
    state.at = Math.max(0, Math.min(game().moves, to));
    settle();
    redraw();
  }
  function step(by) {
    const from = k();
    seek(from + by);
    if (by === 1 && k() === from + 1 && !still.matches) {
      glide = { plan: plan(from), start: performance.now() };
      redraw();
    }
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
  function pick(n) {
    state.game = n;
    state.at = Math.min(k(), game().moves);
    known = { from: k() };
    glide = null;
    ages.forEach((button, m) => button.setAttribute("aria-pressed", String(m === n)));
    lens.setGame(game());
    settle();
    redraw();
    if (state.mine && isDead(cells())) finish(); // with this network's greedy play
  }

  // A person plays

  /** A game of one's own: a fresh one, or the one that was left to watch. */
  function begin(fresh = false) {
    if (!fresh && state.mine) return;
    pause();
    if (fresh || !own) {
      if (!seed.value) seed.value = game().seed ?? 0;
      const from = BigInt(/^\d+$/.test(seed.value) ? seed.value : 0) & (WORD >> 1n);
      seed.value = from;
      own = { seed: from, fours: game().fours, now: newGame(from, game().fours), past: [] };
    }
    state.mine = own;
    arrange();
    if (isDead(own.now.cells)) finish();
    stage.focus({ preventScroll: true });
  }
  function leave() {
    state.mine = null;
    arrange();
  }
  function arrange() {
    const mine = Boolean(state.mine);
    [transport.hidden, hand.hidden, glide] = [mine, !mine, null];
    result.hidden = true;
    watching.setAttribute("aria-pressed", String(!mine));
    playing.setAttribute("aria-pressed", String(mine));
    stage.classList.toggle("swipe", mine);
    say(keys, mine ? "Click the board, then: arrow keys move (or swipe), U undoes." : "Click the board, then: Space plays, ← → step, Home End, + − speed.");
    settle();
    redraw();
  }
  function move(action) {
    const { mine } = state, next = nextGame(mine.now, action, mine.fours);
    if (!next) {
      status.textContent = `${ACTIONS[action]} is not possible`;
      return;
    }
    mine.past.push(mine.now);
    if (!still.matches) glide = { plan: transition(mine.now.cells, action, next.cells), start: performance.now() };
    mine.now = next;
    settle();
    redraw();
    if (isDead(next.cells)) finish();
  }
  function takeBack() {
    if (!state.mine?.past.length) return;
    state.mine.now = state.mine.past.pop();
    [glide, result.hidden] = [null, true];
    settle();
    redraw();
  }
  /** The line at the end of a person's game; what greedy play reached from the same seed is Python's to say. */
  function finish() {
    const { mine } = state, words = ({ score, moves, top }) => `${number(score)} points in ${number(moves)} moves, largest ${top}`;
    const own = `You: ${words({ ...mine.now, top: largest(mine.now.cells) })}.`, one = game();
    const compare = (text) => {
      if (state.mine !== mine || !isDead(mine.now.cells)) return;
      say(result, `${own} ${text}`);
      result.hidden = false;
      status.textContent = result.textContent;
    };
    if (one.seed === String(mine.seed) && one.plies === 1 && (one.kind || !live())) {
      compare(`Greedy play from the same seed: ${words({ score: one.scores[one.moves], moves: one.moves, top: largest(one.cells(one.moves)) })}.`);
    } else if (one.kind && live()) {
      compare("Waiting for greedy play from the same seed …");
      asker.ask({ kind: "greedy", game: state.game, seed: String(mine.seed) }, (reply) =>
        compare(reply.error ?? `Greedy play from the same seed: ${words({ ...reply, top: reply.largest })}.`));
    } else compare("");
  }

  // When a board stays: tell Python where we are, say it aloud, and ask about the board

  function tell() {
    if (!live() || stopped) return;
    model.set({ game: state.game, move: k(), playing: state.playing, speed: state.speed });
    try {
      model.save_changes();
    } catch { /* the kernel was shut down: there is nobody to tell */ }
  }
  function speak(now) {
    spoken = now;
    const [score, at] = state.mine ? [state.mine.now.score, `Move ${state.mine.now.moves}`] : [game().scores[k()], `Move ${k()} of ${game().moves}`];
    status.textContent = result.hidden ? `${at}, score ${number(score)}, largest ${largest(cells())}` : result.textContent;
  }
  function settle() {
    clearTimeout(resting);
    clearTimeout(waiting);
    if (state.playing || stopped) return;
    if (lensAnswer?.key !== lensKey()) lens.show(game().kind ? target()[0] : null, null, "");
    else showLens();
    resting = setTimeout(() => {
      tell();
      speak(performance.now());
      if (game().kind) {
        askOpinions();
        askLens();
      }
    }, REST);
  }
  const lensKey = () => `lens ${state.game} ${hex(target()[0])}`;
  function showLens() {
    const [about, words] = target();
    lens.show(about, lensAnswer.error ? null : lensAnswer, lensAnswer.error ?? `The weights of ${words}.${isDead(about) && !state.mine ? " In learning a dead board counts 0, whatever they say." : ""}`);
  }
  function askLens() {
    if (!lens.state.open || state.playing) return;
    clearTimeout(waiting); // of an earlier question, which a newer one may have replaced
    const key = lensKey(), [about] = target();
    if (lensAnswer?.key === key) return showLens();
    const answered = (reply) => {
      clearTimeout(waiting);
      lensAnswer = { ...reply, key };
      if (!stopped && !state.playing && key === lensKey()) showLens();
    };
    if (!live()) {
      const boards = `This page has the weights of key boards only: moves ${game().keys.join(", ")}.`;
      return answered(model.get("answers")[key] ?? { error: boards });
    }
    lens.show(about, null, "Asking Python …");
    waiting = setTimeout(() => lens.show(about, null, "Python is busy (or was stopped); the weights come when it is free."), BUSY);
    asker.ask({ kind: "lens", game: state.game, board: hex(about) }, answered);
  }
  function askOpinions() {
    const about = hex(cells()), several = games.filter((one) => one.kind).length > 1;
    if (!live() || !(state.mine || several) || isDead(cells())) return void (others.hidden = true);
    const answered = (reply) => {
      opinions = { ...reply, board: about };
      if (stopped || state.playing || about !== hex(cells())) return;
      others.hidden = !several || !reply.values || (state.mine && !peek.checked);
      if (reply.values) {
        const says = (four, n) => four && `${games[n].name} ${ARROWS[best(four)]} ${number(four[best(four)])}`;
        say(others, `On this board: ${reply.values.map(says).filter(Boolean).join(" · ")}`);
      }
      write();
      if (lens.state.open && state.mine) askLens();
    };
    if (opinions?.board === about) return answered(opinions);
    others.hidden = true;
    asker.ask({ kind: "opinions", board: about }, answered);
  }

  // Keys and swipes

  function onKey(event) {
    const { target: on, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (on === seed && key === "Enter") begin(true);
    if (on.matches("select, input:not([type=range])")) return;
    if ((key === " " || key === "Enter") && on.matches("button")) return;
    const arrow = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"].indexOf(key);
    const handlers = state.mine
      ? { ...(arrow >= 0 && { [key]: () => move(arrow) }), u: takeBack, U: takeBack, Backspace: takeBack }
      : {
        " ": () => (state.playing ? pause() : play()), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
        Home: () => seek(0), End: () => seek(game().moves), "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
      };
    if (!Object.hasOwn(handlers, key)) return;
    event.preventDefault();
    event.stopPropagation();
    handlers[key]();
  }
  let press = null; // where a swipe began, if one is on its way
  stage.addEventListener("pointerdown", (event) => {
    press = state.mine && event.isPrimary ? event : null;
    if (press) stage.setPointerCapture(event.pointerId); // it may end beside the board
  });
  stage.addEventListener("pointercancel", () => (press = null));
  stage.addEventListener("pointerup", (event) => {
    if (press?.pointerId !== event.pointerId || !state.mine) return;
    const x = event.clientX - press.clientX, y = event.clientY - press.clientY;
    press = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    move(Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 3) : y > 0 ? 2 : 0);
  });

  // Python may move us as well

  const follow = {
    "change:move": () => state.mine || (!state.playing && model.get("move") !== k() && seek(model.get("move"))),
    "change:game": () => model.get("game") !== state.game && pick(model.get("game")),
    "change:speed": () => model.get("speed") !== state.speed && setSpeed(model.get("speed")),
    "change:playing": () => model.get("playing") !== state.playing && (model.get("playing") ? play() : pause()),
  };
  for (const [name, handler] of Object.entries(follow)) model.on(name, handler);

  speed.value = state.speed;
  el.append(root);
  pick(state.game);
  arrange();
  if (model.get("playing")) play();

  return () => {
    stopped = true;
    cancelAnimationFrame(frame);
    clearTimeout(resting);
    clearTimeout(waiting);
    asker.stop();
    for (const [name, handler] of Object.entries(follow)) model.off(name, handler);
    root.remove();
  };
}

/** A model for a page without Python: what `save_html` wrote into it, and nobody to answer questions. */
export function pageModel(state) {
  const data = Uint8Array.from(atob(state.data), (letter) => letter.charCodeAt(0));
  const nothing = () => {};
  const all = { ...state, data: new DataView(data.buffer), playing: false };
  return { get: (name) => all[name], set: nothing, save_changes: nothing, send: nothing, on: nothing, off: nothing };
}

export default { render };
