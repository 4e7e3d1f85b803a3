// The controls of a person who plays: the seat, the legal moves, moves taken back, and advice.

import { make, makeButton, say } from "../../../lib2048/viewer/script/dom.js";
import { ARROWS, SIDES, WAYS, named } from "./sides.js";

export class Table {
  /** `begin(side)`, `play(n)`, `point(n)`, `undo()` and `advise(flag)` do what they say. */
  constructor({ begin, play, point, undo, advise }) {
    this.play = play;
    this.point = point;
    this.undo = makeButton("undo", "Take back", undo);
    this.peek = make("input", { type: "checkbox", class: "peek" });
    this.peek.addEventListener("change", () => advise(this.peek.checked));
    const think = make("label", { class: "think" }, this.peek, "show what a search thinks");
    const seats = SIDES.map((name, side) => {
      return makeButton(`seat${side}`, `New game as ${name}`, () => begin(side));
    });
    this.moves = make("div", { class: "ownmoves", role: "group", "aria-label": "Your moves" });
    this.status = make("p", { class: "status", role: "status" });
    const controls = make("div", { class: "hand" }, ...seats, this.undo, think);
    this.node = make("div", { class: "table", hidden: "" }, controls, this.moves, this.status);
    this.shown = null; // the position that the buttons are for
  }

  /** Show what can be done in a position, whose move `chosen` is pointed at. */
  write({ ply, isTurn, chosen, canTakeBack, words }) {
    const shown = isTurn ? ply : null;
    if (shown !== this.shown) this.fill(shown);
    this.shown = shown;
    [...this.moves.children].forEach((button, n) => {
      button.setAttribute("aria-current", String(n === chosen));
    });
    this.undo.disabled = !canTakeBack;
    say(this.status, words);
  }

  fill(ply) {
    const buttons = (ply?.moves ?? []).map((move, n) => {
      const { cube, way } = named(move);
      const button = makeButton("own", `${cube} ${ARROWS[ply.mover][way]}`, () => this.play(n));
      button.setAttribute("aria-label", `Play cube ${cube} ${WAYS[ply.mover][way]}`);
      button.addEventListener("pointerenter", () => this.point(n));
      button.addEventListener("focus", () => this.point(n));
      return button;
    });
    this.moves.replaceChildren(...buttons);
  }
}
