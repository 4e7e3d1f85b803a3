// A game that a person plays: the same rules and the same stream as Python's, and moves taken back.

import { isDead, newGame, nextGame } from "./game.js";
import { transition } from "./motion.js";

export class OwnGame {
  /** `seed` is a BigInt, `fours` is p4 * 2**32. */
  constructor(seed, fours) {
    this.seed = seed;
    this.fours = fours;
    this.now = newGame(seed, fours);
    this.past = [];
  }

  get cells() {
    return this.now.cells;
  }

  get isOver() {
    return isDead(this.cells);
  }

  get canTakeBack() {
    return this.past.length > 0;
  }

  /** Make a move: how the board changes, or null when nothing moves. */
  move(action) {
    const next = nextGame(this.now, action, this.fours);
    if (!next) return null;
    const before = this.cells;
    this.past.push(this.now);
    this.now = next;
    return transition(before, action, next.cells);
  }

  takeBack() {
    this.now = this.past.pop();
  }
}
