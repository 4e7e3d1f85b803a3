// What each network thinks of a board. Python is asked; the newest answer is kept.

import { toHex } from "./game.js";

export class Opinions {
  constructor(asker) {
    this.asker = asker;
    this.latest = null;
  }

  isAbout(cells) {
    return this.latest?.board === toHex(cells);
  }

  /** What network number n thinks the four actions are worth, null when that is not known. */
  of(cells, n) {
    return this.isAbout(cells) ? (this.latest.values?.[n] ?? null) : null;
  }

  /** Ask about a board; `then` is called with the answer: {values} of each network, or {error}. */
  ask(cells, then) {
    if (this.isAbout(cells)) {
      then(this.latest);
      return;
    }
    const board = toHex(cells);
    this.asker.ask({ topic: "opinions", board }, (reply) => {
      this.latest = { ...reply, board };
      then(this.latest);
    });
  }
}
