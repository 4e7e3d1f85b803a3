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

  /** `networks` is how many can play on; a dead board and a game on one's own need no button. */
  write({ isDead, isOwn, isPlaying, networks }) {
    this.mine.hidden = isOwn;
    this.mine.disabled = isDead || isPlaying;
    this.theirs.hidden = networks === 0;
    this.theirs.disabled = isDead || isPlaying;
    say(this.theirs, networks > 1 ? "All networks play on" : "The network plays on");
    this.node.hidden = isOwn && networks === 0;
  }

  complain(text) {
    say(this.problem, text);
    this.problem.hidden = !text;
  }
}
