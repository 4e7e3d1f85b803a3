// A recorded game as curves: what was expected, the score, and how much each new tile surprised.

import { isDead } from "./game.js";

/** What the chosen action was said to be worth on each board; NaN where that is not known. */
function worthsOf(recording) {
  const { moves, allValues, actions } = recording;
  const worths = new Float64Array(moves + 1).fill(NaN);
  for (let k = 0; k < moves; k++) worths[k] = allValues[4 * k + actions[k]];
  const isKnown = Number.isFinite(worths[moves - 1]);
  if (isKnown && isDead(recording.cells(moves))) worths[moves] = 0; // nothing more is to come
  return worths;
}

/** What the best action was said to be worth: the chosen one, unless a person chose it. */
function bestsOf(recording, worths) {
  const bests = Float64Array.from(worths);
  for (let k = 0; k < recording.moves; k++) {
    const known = [...recording.values(k)].filter(Number.isFinite);
    if (known.length) bests[k] = Math.max(...known);
  }
  return bests;
}

/**
 * The TD error of each board: what its best action is worth, less what was expected of it before
 * the new tile came. It is known from the second board on.
 */
function errorsOf(bests, worths, scores) {
  const errors = new Float64Array(worths.length).fill(NaN);
  for (let k = 1; k < worths.length; k++) {
    const reward = scores[k] - scores[k - 1];
    errors[k] = bests[k] - (worths[k - 1] - reward);
  }
  return errors;
}

function largestExponent(recording, k) {
  return Math.max(...recording.cells(k));
}

/** The boards on which a new largest tile came up: {at, tile}. */
function growthsOf(recording) {
  const growths = [];
  let largest = largestExponent(recording, 0);
  for (let k = 1; k <= recording.moves; k++) {
    const exponent = largestExponent(recording, k);
    if (exponent <= largest) continue;
    largest = exponent;
    growths.push({ at: k, tile: 2 ** exponent });
  }
  return growths;
}

/** The median of those that are numbers, NaN where there are none. */
function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort();
  return sorted.length ? sorted[sorted.length >> 1] : NaN;
}

const WORST = 3;
const LEAST = 0.5; // a loss that is shown as more than 0

/** The moves that lost most, the worst first; `losses` are those of Curves. */
export function worstMoves(losses) {
  return [...losses.keys()]
    .filter((k) => losses[k] <= -LEAST)
    .sort((a, b) => losses[a] - losses[b])
    .slice(0, WORST);
}

/** The curves of a recording, by the number of the board. */
export class Curves {
  constructor(recording) {
    this.last = recording.moves;
    this.scores = recording.scores;
    this.worths = worthsOf(recording);
    const bests = bestsOf(recording, this.worths);
    this.errors = errorsOf(bests, this.worths, this.scores);
    this.losses = this.worths.map((worth, k) => worth - bests[k]); // 0, or below it
    this.growths = growthsOf(recording);
    this.usualError = median(this.errors.map(Math.abs));
  }

  /** Whether anything is known of what was expected. */
  get hasWorths() {
    return Number.isFinite(this.usualError);
  }
}
