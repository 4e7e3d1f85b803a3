// Games as Python sends them: bytes, laid out as `packed` in packing.py says.

import { Curves } from "./curves.js";
import { slide } from "./game.js";
import { fullDifference } from "./scales.js";

/**
 * A game that was played: what packing.py says about it, its boards, values and actions.
 *
 * Besides that, `number` is that of the game in Python whose network is asked about it, `first` the
 * number of its first move (see `gameFrom`), `chosenWord` what the action taken is called, and
 * `isOurs` says that the page made it, and Python does not know it.
 */
class Recording {
  first = 0;
  chosenWord = "chosen";
  isOurs = false;

  constructor(about, boards, values, actions) {
    Object.assign(this, about);
    this.boards = boards;
    this.allValues = values;
    this.actions = actions;
    this.scores = this.sumRewards();
    this.range = reach(values);
    this.fullDifference = fullDifference(values);
    this.curves = new Curves(this);
  }

  /** The cells of board number k: a byte of it holds two of them, the lower one first. */
  cells(k) {
    const cells = new Uint8Array(16);
    for (let pair = 0; pair < 8; pair++) {
      const byte = this.boards[8 * k + pair];
      cells[2 * pair] = byte & 15;
      cells[2 * pair + 1] = byte >> 4;
    }
    return cells;
  }

  /** What the four actions are worth on board number k, NaN where one is not possible. */
  values(k) {
    return this.allValues.slice(4 * k, 4 * k + 4);
  }

  sumRewards() {
    const scores = new Float64Array(this.moves + 1);
    for (let k = 0; k < this.moves; k++) {
      scores[k + 1] = scores[k] + slide(this.cells(k), this.actions[k]).reward;
    }
    return scores;
  }

  get finalScore() {
    return this.scores[this.moves];
  }
}

/** The lowest and the highest of all values, and 0. */
function reach(values) {
  let low = 0;
  let high = 0;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/**
 * A game that the page knows move by move; the network of another one, `like`, comments on it.
 * `boards` are lists of cells, `values` four numbers a move, null where there is none.
 */
export function makeRecording(like, { boards, actions, values, ...about }) {
  const bytes = new Uint8Array(8 * boards.length);
  boards.forEach((cells, k) => {
    for (let pair = 0; pair < 8; pair++) {
      bytes[8 * k + pair] = cells[2 * pair] | (cells[2 * pair + 1] << 4);
    }
  });
  const numbers = Float32Array.from(values.flat(), (value) => value ?? NaN);
  const { number, seed, fours, learned, patterns, images } = like;
  const taken = { number, seed, fours, learned, patterns, images, plies: 1, keys: [] };
  const all = { ...taken, ...about, moves: actions.length, isOurs: true };
  return new Recording(all, bytes, numbers, Uint8Array.from(actions));
}

/** The games of a model. */
export function readGames(model) {
  const view = model.get("data");
  let offset = view.byteOffset;
  function take(bytes) {
    const start = offset;
    offset += bytes;
    // a copy, since an array of floats must start at a multiple of 4
    return view.buffer.slice(start, offset);
  }
  return model.get("games").map((about, number) => {
    const boards = new Uint8Array(take(8 * (about.moves + 1)));
    const values = new Float32Array(take(16 * about.moves));
    const actions = new Uint8Array(take(about.moves));
    return new Recording({ ...about, number }, boards, values, actions);
  });
}
