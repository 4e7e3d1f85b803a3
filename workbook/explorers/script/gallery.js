// Small boards in a row, each with some words below, and each a button.

import { Board } from "../../../lib2048/viewer/script/board.js";
import { make, say } from "../../../lib2048/viewer/script/dom.js";

export class Gallery {
  /**
   * `label` is what a screen reader calls the row; `pick` gets the number of a board that is
   * pressed.
   * `shape` is the board's, 4 x 4 unless it is said otherwise. Plain boards are only looked at.
   */
  constructor(look, { label, count, pick, shape, isPlain = false }) {
    this.items = Array.from({ length: count }, (_, number) => {
      const board = new Board(look, shape);
      board.node.setAttribute("aria-hidden", "true");
      const words = make("span", { class: "words number" });
      const about = isPlain
        ? { class: "small", role: "img" }
        : { type: "button", class: "small", click: () => pick(number) };
      const button = make(isPlain ? "div" : "button", about, board.node, words);
      return { board, words, button };
    });
    const buttons = this.items.map(({ button }) => button);
    this.node = make("div", { class: "gallery", role: "group", "aria-label": label }, ...buttons);
  }

  /** Show only the first boards. */
  limit(count) {
    this.items.forEach(({ button }, number) => {
      button.hidden = number >= count;
    });
  }

  /** Draw a board: its cells, those that are outlined, the words below, and those for the ear. */
  draw(number, { cells, outlined, words, spoken, isPressed = null }) {
    const { board, words: below, button } = this.items[number];
    board.rest(cells);
    board.outline(outlined);
    say(below, words);
    button.setAttribute("aria-label", spoken);
    if (isPressed !== null) button.setAttribute("aria-pressed", String(isPressed));
  }
}
