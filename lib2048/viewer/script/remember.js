// What the browser remembers of a reader's games: the one that goes on, and the best score. A
// browser may refuse (private windows, some frames); then nothing is remembered, and nothing fails.

const PREFIX = "lib2048";

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(`${PREFIX} ${name}`));
  } catch {
    return null; // refused, or not ours
  }
}

function write(name, content) {
  try {
    localStorage.setItem(`${PREFIX} ${name}`, JSON.stringify(content));
  } catch {
    // refused, or full
  }
}

export class Memory {
  /** `key` tells viewers apart, and comes back when the cell runs again or the page is reloaded. */
  constructor(key) {
    this.key = key;
  }

  /** The record of the game that went on last, see own.js; null where there is none. */
  get record() {
    const record = read(`game ${this.key}`);
    return record?.seed ? record : null;
  }

  keep(record) {
    write(`game ${this.key}`, record);
  }

  /** The best score of all viewers, for games with as many 4-tiles; those from any board aside. */
  best(game) {
    return Number(read(`best ${game.fours}`)) || 0;
  }

  /** Keep a game's score if it is the best; a game from a given board has a head start. */
  keepBest(game) {
    const { score } = game.now;
    if (!game.isFromBoard && score > this.best(game)) write(`best ${game.fours}`, score);
  }
}

/** The newer one of two records, either of which may be missing. */
export function newerRecord(one, other) {
  if (!one?.seed) return other?.seed ? other : null;
  if (!other?.seed) return one;
  return (other.time ?? 0) > (one.time ?? 0) ? other : one;
}
