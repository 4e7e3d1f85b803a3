// What can be done with the board that is shown: somebody plays on from it.

import { make, makeButton, say } from "./dom.js";

export class FromHere {
  constructor({ play, letPlay }) {
    this.mine = makeButton("onmyself", "Play on yourself", play);
    this.theirs = makeButton("onnetwork", "", letPlay);
    this.problem = make("p", { class: "problem", role: "status", hidden: "" });
    const name = { class: "fromhere", role: "group", "aria-label": "From this board" };
    const words = make("span", { class: "word" }, "From this board:");
    this.node = make("div", name, words, this.mine, this.theirs, this.problem);
  }

  /** `networks` is how many can play on; nobody can while a game plays, and from a dead board. */
  write({ isOff, isOwn, networks }) {
    this.mine.hidden = isOwn;
    this.mine.disabled = isOff;
    this.theirs.hidden = networks === 0;
    this.theirs.disabled = isOff;
    say(this.theirs, networks > 1 ? "All networks play on" : "The network plays on");
    this.node.hidden = isOwn && networks === 0;
  }

  complain(text) {
    say(this.problem, text);
    this.problem.hidden = !text;
  }
}
