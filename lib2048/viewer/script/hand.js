// The controls of a person who plays: moves taken back, another game, and what the network may say.

import { make, makeButton, withLabel } from "./dom.js";

export class Hand {
  /** `peeked` is called when the network is hidden or shown. */
  constructor({ undo, begin, peeked }) {
    this.undo = makeButton("undo", "Undo", undo);
    this.seed = make("input", {
      type: "number",
      class: "newseed",
      min: 0,
      step: 1,
      "aria-label": "Seed of a new game",
      keydown: (event) => {
        if (event.key === "Enter") begin();
      },
    });
    this.peek = make("input", { type: "checkbox", class: "peek", change: peeked });
    this.peek.checked = true;
    this.think = make("label", { class: "think" }, this.peek, "show what the network thinks");
    this.node = make(
      "div",
      { class: "hand", hidden: "" },
      this.undo,
      withLabel("seed", this.seed),
      makeButton("new", "New game", begin),
      this.think,
    );
  }

  /** Whether the network may say what it thinks. */
  get isPeeking() {
    return this.peek.checked;
  }
}
