// What each network thinks of a board. Python is asked; the newest answer is kept.

import { toHex } from "./game.js";
import { Waiting } from "./waiting.js";

export class Opinions {
  /** `late` is called when there is a word to say about an answer that does not come. */
  constructor(asker, late) {
    this.asker = asker;
    this.latest = null;
    this.waiting = new Waiting(asker, late);
  }

  isAbout(cells) {
    return this.latest?.board === toHex(cells);
  }

  /** What network number n thinks the four actions are worth, null when that is not known. */
  of(cells, n) {
    return this.isAbout(cells) ? (this.latest.values?.[n] ?? null) : null;
  }

  /** Why it is not known, as far as there is something to say about it. */
  missing(cells) {
    if (!this.isAbout(cells)) return this.waiting.words;
    return this.latest.error ?? "";
  }

  /** Ask about a board; `then` is called with the answer: {values} of each network, or {error}. */
  ask(cells, then) {
    if (this.isAbout(cells) && !this.latest.error) {
      then(this.latest);
      return;
    }
    const board = toHex(cells);
    this.waiting.begin();
    this.asker.ask({ topic: "opinions", board }, (reply) => {
      this.waiting.end();
      this.latest = { ...reply, board };
      then(this.latest);
    });
  }

  stop() {
    this.waiting.end();
  }
}
