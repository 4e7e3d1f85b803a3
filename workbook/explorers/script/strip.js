// The boards of an episode side by side, each with its value, and what flows back between them.

import { Board } from "../../../lib2048/viewer/script/board.js";
import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { describe } from "../../../lib2048/viewer/script/game.js";
import { lettered, points } from "./symbols.js";

export class Strip {
  constructor(look) {
    this.look = look;
    this.node = make("div", { class: "strip", role: "list", "aria-label": "The episode" });
    this.steps = [];
    this.flows = [];
  }

  /** Other boards: their letter, and the reward that flows back to each, null for none. */
  begin({ letter, boards, rewards }) {
    const count = boards.length;
    this.steps = boards.map((cells, t) => this.makeStep(letter, cells, t, count));
    this.flows = rewards.map((reward) => {
      const words = reward === null ? "nothing" : `r = ${reward}`;
      const arrow = make("span", { class: "arrow", "aria-hidden": "true" }, "←");
      return make("div", { class: "flow" }, arrow, words);
    });
    const end = make("div", { class: "end" }, "dead board, worth 0");
    const parts = this.steps.flatMap(({ node }, t) => [node, this.flows[t]]);
    this.node.replaceChildren(...parts, end);
  }

  makeStep(letter, cells, t, count) {
    const board = new Board(this.look);
    board.rest(cells);
    board.node.setAttribute("role", "img");
    board.node.setAttribute("aria-label", describe(cells));
    const value = make("span", { class: "value" });
    const name = lettered(letter, t, count);
    const node = make("div", { class: "step", role: "listitem" }, name, board.node, value);
    return { node, value };
  }

  /** Write all values, and show which one was moved; null for none. */
  show(values, moved) {
    this.steps.forEach(({ node, value }, t) => {
      say(value, points(values[t]));
      node.classList.toggle("now", t === moved);
      this.flows[t].classList.toggle("now", t === moved);
    });
    if (moved !== null) this.scrollTo(this.steps[moved].node);
  }

  /** Bring a step into sight within the strip, and leave the page where it is. */
  scrollTo(node) {
    const beyond = node.offsetLeft + node.offsetWidth + 60 - this.node.clientWidth;
    const left = this.node.scrollLeft;
    if (left < beyond) this.node.scrollLeft = beyond;
    else if (left > node.offsetLeft) this.node.scrollLeft = node.offsetLeft - 6;
  }
}
