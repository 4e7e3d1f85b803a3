// The surprises of a recorded game, the largest first, and which of them the reader has seen.

export const LISTED = 10;

export class Surprises {
  /** `errors` are those of curves.js. */
  constructor(errors) {
    this.errors = errors;
    this.seen = new Set();
    const known = [...errors.keys()].filter((k) => Number.isFinite(errors[k]) && errors[k] !== 0);
    this.order = known.sort((a, b) => Math.abs(errors[b]) - Math.abs(errors[a]));
  }

  /** The largest ones. */
  get largest() {
    return this.order.slice(0, LISTED);
  }

  /** Which one a board is: 1 for the largest; null where nothing is known of it. */
  rank(k) {
    const place = this.order.indexOf(k);
    return place < 0 ? null : place + 1;
  }

  /** The board was looked at. */
  see(k) {
    this.seen.add(k);
  }

  /** The largest surprise that has not been seen, null where all have. */
  next() {
    return this.order.find((k) => !this.seen.has(k)) ?? null;
  }
}
