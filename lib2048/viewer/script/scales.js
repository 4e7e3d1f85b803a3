// How long the bars are: on three scales, of which the reader chooses one.

const STEPS = [1, 2, 5, 10]; // full lengths are one of these times a power of ten
const COMMON = 0.75; // of a game's moves lose less, with the second best action, than a full bar
const LEAST = 1;

function moveTo(part, from, length) {
  part.style.left = `${100 * from}%`;
  part.style.width = `${100 * length}%`;
}

export function clear(row) {
  for (const part of [row.value, row.reward, row.loss]) part.style.width = "0";
  row.track.classList.remove("beyond");
}

/**
 * How far each action lies below the best one.
 *
 * Bars from 0 would hide what decides: in a game of a well trained network the two best actions are
 * so close on half of all boards that their bars differ by less than 2 pixels. And one very bad
 * action would squeeze the others if its bar had to fit; it goes on beyond the track instead.
 */
export class DifferenceScale {
  constructor(full) {
    this.full = full;
  }

  draw(row, { worth, best }) {
    const length = (best - worth) / this.full;
    moveTo(row.loss, 0, Math.min(1, length));
    row.track.classList.toggle("beyond", length > 1);
  }
}

/** What each action is worth, from 0 on: the reward, and what is expected to follow it. */
export class ValueScale {
  constructor(low, high) {
    this.low = low;
    this.span = high - low || 1;
  }

  draw(row, { worth, reward }) {
    const future = worth - reward;
    this.place(row.value, Math.min(future, 0), Math.max(future, 0));
    this.place(row.reward, future, worth);
  }

  place(part, from, to) {
    moveTo(part, (from - this.low) / this.span, (to - from) / this.span);
  }
}

/** A round number that is at least as large, and at least 1. */
export function roundedUp(number) {
  const value = Math.max(LEAST, number);
  const power = 10 ** Math.floor(Math.log10(value));
  return power * STEPS.find((step) => step * power >= value);
}

/**
 * The difference that a full bar stands for, in a game with these values, four for each board;
 * null for a game that was recorded without values.
 */
export function fullDifference(values) {
  const gaps = [];
  for (let k = 0; k < values.length; k += 4) {
    const known = [...values.slice(k, k + 4)].filter(Number.isFinite).sort((a, b) => b - a);
    if (known.length > 1) gaps.push(known[0] - known[1]);
  }
  if (!gaps.length) return null;
  gaps.sort((a, b) => a - b);
  return roundedUp(gaps[Math.floor(COMMON * gaps.length)]);
}
