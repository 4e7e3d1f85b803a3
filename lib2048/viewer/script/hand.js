// The controls of a person who plays: moves taken back, another game, and what the network may say.

import { make, makeButton, withLabel } from "./dom.js";
import { LARGEST_SEED } from "./game.js";

const WHOLE = /^\d+$/;
const REFUSED = `A seed is a whole number from 0 to ${LARGEST_SEED}.`;

export class Hand {
  /** `peeked` is called when the network is hidden or shown, `review` to go through the game. */
  constructor({ undo, begin, review, peeked }) {
    this.undo = makeButton("undo", "Undo", undo);
    this.seed = make("input", {
      type: "text", // a field for numbers would take 1e3 and -5, and not say what was typed
      inputmode: "numeric",
      class: "newseed",
      "aria-label": "Seed of a new game",
      keydown: (event) => {
        if (event.key === "Enter") begin();
      },
      input: () => this.complain(""),
    });
    this.review = makeButton("review", "Review", review);
    this.best = make("span", { class: "best" });
    this.problem = make("p", { class: "problem", hidden: "" });
    this.peek = make("input", { type: "checkbox", class: "peek", change: peeked });
    this.peek.checked = true;
    this.think = make("label", { class: "think" }, this.peek, "show what the network thinks");
    this.node = make(
      "div",
      { class: "hand", hidden: "" },
      this.undo,
      withLabel("seed", this.seed),
      makeButton("new", "New game", begin),
      this.review,
      this.best,
      this.problem,
      this.think,
    );
  }

  /** Whether the network may say what it thinks. */
  get isPeeking() {
    return this.peek.checked;
  }

  /** The seed that was typed, as a BigInt; null, and a word about it, where it is none. */
  readSeed() {
    const text = this.seed.value.trim();
    const isSeed = WHOLE.test(text) && BigInt(text) <= LARGEST_SEED;
    this.complain(isSeed ? "" : REFUSED);
    return isSeed ? BigInt(text) : null;
  }

  complain(text) {
    this.problem.textContent = text;
    this.problem.hidden = !text;
    this.seed.setAttribute("aria-invalid", String(Boolean(text)));
  }
}
