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
    this.actions = [];
  }

  /** A game as `record` wrote it. */
  static fromRecord({ seed, fours, actions }) {
    const game = new OwnGame(BigInt(seed), fours);
    for (const action of actions) game.move(Number(action));
    return game;
  }

  /** What Python has to know to have the same game: see own.py. */
  get record() {
    const { seed, fours, actions } = this;
    return { seed: String(seed), fours, actions: actions.join("") };
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
    this.actions.push(action);
    this.now = next;
    return transition(before, action, next.cells);
  }

  takeBack() {
    this.now = this.past.pop();
    this.actions.pop();
  }
}
