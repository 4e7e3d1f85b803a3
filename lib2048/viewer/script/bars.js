// The bars: what the four actions are worth.

import { make, say } from "./dom.js";
import { ACTIONS, ARROWS, slide } from "./game.js";
import { rounded } from "./words.js";

function makeRow(action) {
  const row = {
    mark: make("span", { class: "mark", "aria-hidden": "true" }),
    value: make("span", { class: "part value" }),
    reward: make("span", { class: "part reward" }),
    sum: make("span", { class: "sum" }),
    words: make("div", { class: "words" }),
  };
  const name = make("span", { class: "name" }, `${ARROWS[action]} ${ACTIONS[action]}`);
  const track = make("div", { class: "track", "aria-hidden": "true" }, row.value, row.reward);
  const parts = [row.mark, name, track, row.sum, row.words];
  row.node = make("li", { class: "bar", "data-action": ACTIONS[action] }, ...parts);
  return row;
}

/** A part of a bar from one value to another, on a track that spans `range`. */
function place(part, from, to, [low, high]) {
  const span = high - low || 1;
  part.style.left = `${(100 * (from - low)) / span}%`;
  part.style.width = `${(100 * (to - from)) / span}%`;
}

function hide(part) {
  part.style.width = "0";
}

/** "12 below the best", or nothing for the best. */
function shortfall(worth, best) {
  const less = best - worth;
  if (!(less > 0)) return "";
  return ` · ${less < 1 ? "less than 1" : rounded(less)} below the best`;
}

export class Bars {
  constructor() {
    this.rows = ACTIONS.map((_, action) => makeRow(action));
    this.note = make("p", { class: "note", hidden: "" });
    const list = make("ul", {}, ...this.rows.map((row) => row.node));
    this.node = make("div", { class: "bars" }, list, this.note);
  }

  /**
   * Show a board's four actions.
   *   cells    the board             values   what they are worth, or null when that is not known
   *   chosen   an action or null     word     what the chosen one is called
   *   range    what the tracks span  after    what is added to the reward, as a formula
   *   missing  what to say when there are no values
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
      const isChosen = action === about.chosen;
      this.writeRow(row, { ...about, best, reward, moved, worth, isChosen });
    });
    this.writeNote(possible, best === null ? about.missing : "");
  }

  writeRow(row, { best, reward, moved, worth, isChosen, word, range, after }) {
    const isKnown = Number.isFinite(worth);
    const future = worth - reward;
    row.node.classList.toggle("chosen", isChosen);
    say(row.mark, isChosen ? "▶" : "");
    say(row.sum, isKnown ? rounded(worth) : "");
    if (isKnown) {
      place(row.value, Math.min(future, 0), Math.max(future, 0), range);
      place(row.reward, future, worth, range);
    } else {
      hide(row.value);
      hide(row.reward);
    }
    const sum = isKnown ? ` + ${after} ${rounded(future)}` : "";
    const gap = isKnown && !isChosen ? shortfall(worth, best) : "";
    const note = isChosen ? ` · ${word}` : "";
    say(row.words, moved ? `r ${rounded(reward)}${sum}${gap}${note}` : "not possible");
  }

  writeNote(possible, missing) {
    const text = possible ? missing : "No move is possible: the game is over.";
    say(this.note, text);
    this.note.hidden = !text;
  }
}
