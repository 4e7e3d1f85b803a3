// The dice: this ply's, and those to come where they are known.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { isOver } from "./sides.js";

const SHOWN = 10;
const SIZE = 30;
const GAP = 6;
const LARGER = 8; // by how much the die of this ply is larger
const WIDTH = SHOWN * (SIZE + GAP) + 14;
const HEIGHT = SIZE + 12;
const ROUNDED = [3, 12]; // as the cubes of the two sides

export class Dice {
  constructor(look, game) {
    this.look = look;
    this.game = game;
    const frame = { class: "dice", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" };
    this.node = make("svg", frame);
  }

  /** Show the dice of a position; `number` is how many plies the game is old. */
  show(ply, number) {
    const dice = this.known(ply, number);
    const drawn = dice.flatMap((die, n) => this.makeDie(die, n, (ply.mover + n) % 2));
    this.node.replaceChildren(...drawn);
    this.node.setAttribute("aria-label", this.inWords(dice));
  }

  known(ply, number) {
    const { dice, known } = this.game;
    if (isOver(ply)) return [];
    if (!known) return ply.isPending ? [] : [ply.die];
    return Array.from({ length: SHOWN }, (_, n) => dice[(number + n) % dice.length]);
  }

  makeDie(die, n, side) {
    const { fills, rims, digits } = this.look;
    const isNow = n === 0;
    const size = isNow ? SIZE + LARGER : SIZE;
    const x = isNow ? 2 : 12 + n * (SIZE + GAP);
    const box = make("rect", {
      x,
      y: isNow ? 6 - LARGER / 2 : 6,
      width: size,
      height: size,
      rx: ROUNDED[side],
      fill: fills[side],
      stroke: rims[side],
      "stroke-width": isNow ? 4 : 1,
    });
    const place = { x: x + size / 2, y: 27, "font-size": isNow ? 21 : 16, fill: digits[side] };
    return [box, make("text", place, String(die))];
  }

  inWords([now, ...later]) {
    if (now === undefined) return "No die is rolled";
    return later.length ? `Die ${now}, then ${later.join(", ")}` : `Die ${now}`;
  }
}
