// Whole games by a compact network: the same as Python's `play` with that network, move by move.

import { bestAction, newGame, nextGame } from "./game.js";

/** A game's boards, values and actions, as packing.py lays them out, in one piece of bytes. */
class Tape {
  constructor() {
    this.boards = [];
    this.values = [];
    this.actions = [];
  }

  addBoard(cells) {
    for (let cell = 0; cell < 16; cell += 2) this.boards.push(cells[cell] | (cells[cell + 1] << 4));
  }

  addMove(values, action) {
    this.values.push(...values);
    this.actions.push(action);
  }

  get bytes() {
    const values = new Uint8Array(Float32Array.from(this.values).buffer);
    const bytes = new Uint8Array(this.boards.length + values.length + this.actions.length);
    bytes.set(this.boards);
    bytes.set(values, this.boards.length);
    bytes.set(this.actions, this.boards.length + values.length);
    return bytes;
  }
}

/** Play on from a game as game.js has it; returns the game as it ends, and its tape. */
export function playOn(network, game, fours, most = Infinity) {
  const tape = new Tape();
  let now = game;
  tape.addBoard(now.cells);
  while (tape.actions.length < most) {
    const values = network.values(now.cells);
    const action = bestAction(values);
    if (action === null) break;
    now = nextGame(now, action, fours);
    tape.addMove(values, action);
    tape.addBoard(now.cells);
  }
  return { end: now, tape };
}

/** The whole game from a seed (BigInt). */
export function playGame(network, seed, fours) {
  return playOn(network, newGame(seed, fours), fours);
}

/** What packing.py would say of a game: see `described` there. */
export function describedGame(network, { name, seed, fours, moves }) {
  const { values, patterns, symmetries } = network.about;
  return {
    name,
    moves,
    seed: seed === null ? null : String(seed),
    plies: 1,
    fours,
    learned: values,
    patterns,
    images: symmetries,
    keys: [],
  };
}
