// A game that a person plays: the same rules and the same stream as Python's, and moves taken back.

import { fromHex, gameFrom, isDead, newGame, nextGame, toHex } from "./game.js";
import { transition } from "./motion.js";

export class OwnGame {
  /**
   * `seed` is a BigInt, `fours` is p4 * 2**32. A game may begin with a given board, `start`, and
   * draw the tiles of move number `first` and those after it.
   */
  constructor(seed, fours, start = null, first = 0) {
    this.seed = seed;
    this.fours = fours;
    this.start = start;
    this.first = first;
    this.now = start ? gameFrom(start, seed, first) : newGame(seed, fours);
    this.past = [];
    this.actions = [];
    this.time = 0; // of the last change
  }

  /** A game as `record` wrote it, null where that is no game. */
  static fromRecord({ seed, fours, actions, start, first, time }) {
    try {
      const game = new OwnGame(BigInt(seed), fours, start ? fromHex(start) : null, first ?? 0);
      for (const action of actions) game.move(Number(action));
      game.time = time ?? 0;
      return game;
    } catch {
      return null;
    }
  }

  /** What Python has to know to have the same game, see own.py; and when it was last changed. */
  get record() {
    const { seed, fours, first, time } = this;
    const start = this.start ? toHex(this.start) : "";
    return { seed: String(seed), fours, actions: this.actions.join(""), start, first, time };
  }

  /** The same game after its first moves only. */
  upTo(moves) {
    const actions = this.actions.slice(0, moves).join("");
    return OwnGame.fromRecord({ ...this.record, actions, time: Date.now() });
  }

  get cells() {
    return this.now.cells;
  }

  /** All boards, the first one first. */
  get boards() {
    return [...this.past, this.now].map((game) => game.cells);
  }

  get isFromBoard() {
    return this.start !== null;
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
    this.time = Date.now();
    return transition(before, action, next.cells);
  }

  takeBack() {
    this.now = this.past.pop();
    this.actions.pop();
    this.time = Date.now();
  }
}
