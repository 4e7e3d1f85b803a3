// The bars: what the four actions are worth.

import { make, say } from "./dom.js";
import { ACTIONS, ARROWS, slide } from "./game.js";
import { clear } from "./scales.js";
import { rounded } from "./words.js";

/** `point` and `focus` get the action whose bar is under the pointer or has the focus, or null. */
function makeRow(action, { point, focus }) {
  const row = {
    mark: make("span", { class: "mark", "aria-hidden": "true" }),
    value: make("span", { class: "part value" }),
    reward: make("span", { class: "part reward" }),
    loss: make("span", { class: "part loss" }),
    sum: make("span", { class: "sum" }),
    words: make("div", { class: "words" }),
  };
  const button = {
    type: "button",
    class: "name",
    title: "show the board after this action",
    focus: () => focus(action),
    blur: () => focus(null),
  };
  const name = make("button", button, `${ARROWS[action]} ${ACTIONS[action]}`);
  const lengths = [row.value, row.reward, row.loss];
  row.track = make("div", { class: "track", "aria-hidden": "true" }, ...lengths);
  const parts = [row.mark, name, row.track, row.sum, row.words];
  const bar = {
    class: "bar",
    "data-action": ACTIONS[action],
    // not pointerenter, which comes as well when a bar moves under a pointer that rests
    pointermove: () => point(action),
    pointerleave: () => point(null),
    mousedown: (event) => event.preventDefault(), // whoever points needs no focus, and keeps it
    click: ({ pointerType }) => pointerType === "touch" && name.focus(), // a finger cannot point
  };
  row.name = name;
  row.node = make("li", bar, ...parts);
  return row;
}

/** "12 below the best", or nothing for the best. */
function shortfall(worth, best) {
  const less = best - worth;
  if (!(less > 0)) return "";
  return ` · ${less < 1 ? "less than 1" : rounded(less)} below the best`;
}

export class Bars {
  /** `peek(action, isByKey)`: a bar is pointed at or has the focus; null when none is any more. */
  constructor(peek) {
    this.peek = peek;
    this.pointed = null;
    this.focused = null;
    const point = (action) => {
      if (action === this.pointed) return;
      this.pointed = action;
      peek(action ?? this.focused, false);
    };
    const focus = (action) => {
      this.focused = action;
      peek(this.pointed ?? action, action !== null);
    };
    this.rows = ACTIONS.map((_, action) => makeRow(action, { point, focus }));
    this.note = make("p", { class: "note" });
    const list = make("ul", {}, ...this.rows.map((row) => row.node));
    this.node = make("div", { class: "bars" }, list, this.note);
  }

  /** Show the board itself again, until a bar is pointed at anew. */
  forget() {
    if (this.pointed === null && this.focused === null) return;
    this.pointed = null;
    this.focused = null;
    this.peek(null, false);
  }

  /**
   * Show a board's four actions.
   *   cells    the board             values   what they are worth, or null when that is not known
   *   chosen   an action or null     word     what the chosen one is called
   *   scale    one of scales.js      after    what is added to the reward, as a formula
   *   missing  what to say when there are no values
   *   why      what to say of the choice when there are
   */
  show(about) {
    const known = about.values ? [...about.values].filter(Number.isFinite) : [];
    const best = known.length ? Math.max(...known) : null;
    let possible = 0;
    this.rows.forEach((row, action) => {
      const { reward, moved } = slide(about.cells, action);
      possible += moved;
      const worth = moved && about.values ? about.values[action] : NaN;
      row.node.classList.toggle("illegal", !moved);
      row.name.setAttribute("aria-disabled", String(!moved)); // it may have the focus, and keeps it
      const isChosen = action === about.chosen;
      this.writeRow(row, { ...about, best, reward, moved, worth, isChosen });
    });
    const text = best === null ? about.missing || about.why : about.why;
    say(this.note, possible ? text : "No move is possible: the game is over.");
  }

  writeRow(row, { best, reward, moved, worth, isChosen, word, scale, after }) {
    const isKnown = Number.isFinite(worth);
    const future = worth - reward;
    row.node.classList.toggle("chosen", isChosen);
    say(row.mark, isChosen ? "▶" : "");
    say(row.sum, isKnown ? rounded(worth) : "");
    clear(row);
    if (isKnown) scale.draw(row, { worth, reward, best });
    const sum = isKnown ? ` + ${after} ${rounded(future)}` : "";
    const gap = isKnown && !isChosen ? shortfall(worth, best) : "";
    const note = isChosen ? ` · ${word}` : "";
    say(row.words, moved ? `r ${rounded(reward)}${sum}${gap}${note}` : "not possible");
  }
}
