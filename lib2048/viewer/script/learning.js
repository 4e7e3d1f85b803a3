// TD learning in the browser: the plain engine of lib2048/learning.py over again, to the last bit.
// Numbers are rounded to float32 wherever they are there; what is stored in a Float32Array is so by
// itself.

import { ACTIONS, largestTile, newGame, nextGame, slideInto } from "./game.js";

const { fround } = Math;
const IMAGES = 8;

/** A network that learns V of afterstates, backward, with temporal coherence and TD(lambda). */
export class Learner {
  /**
   * `sides` says which cells of the board its eight images show, in the order in which the plain
   * engine adds; `alpha` is the whole step, `seed` a BigInt, `fours` p4 * 2**32.
   */
  constructor({ patterns, sides, alpha, lambda, seed, fours }) {
    this.patterns = patterns;
    this.alpha = fround(alpha / (patterns.length * IMAGES));
    this.lambda = fround(lambda);
    this.seed = seed;
    this.fours = fours;
    this.games = 0;
    this.tables = patterns.map((cells) => new Float32Array(16 ** cells.length));
    this.errors = this.tables.map((table) => new Float32Array(table.length));
    this.absolute = this.tables.map((table) => new Float32Array(table.length));
    this.seen = patterns.map((cells) => sides.map((side) => cells.map((cell) => side[cell])));
    this.places = patterns.map(() => new Int32Array(IMAGES)); // where the weights of a board are
    this.terms = new Float32Array(IMAGES);
    this.afterstates = ACTIONS.map(() => new Uint8Array(16));
  }

  // The value of a board

  find(cells) {
    this.seen.forEach((images, k) => {
      const places = this.places[k];
      for (let i = 0; i < IMAGES; i++) {
        const seen = images[i];
        let index = 0;
        for (let j = seen.length - 1; j >= 0; j--) index = (index << 4) | cells[seen[j]];
        places[i] = index;
      }
    });
  }

  /** The sum of the weights that were found, added in pairs as in Python. */
  sum() {
    let value = 0;
    for (let k = 0; k < this.tables.length; k++) {
      const table = this.tables[k];
      const places = this.places[k];
      for (let i = 0; i < IMAGES; i++) this.terms[i] = table[places[i]];
      for (let count = IMAGES / 2; count >= 1; count /= 2) {
        for (let i = 0; i < count; i++) this.terms[i] += this.terms[count + i];
      }
      value = fround(value + this.terms[0]);
    }
    return value;
  }

  value(cells) {
    this.find(cells);
    return this.sum();
  }

  /** Add to each weight that was found its share of the step. Returns the value after that. */
  update(step) {
    const size = Math.abs(step);
    for (let k = 0; k < this.tables.length; k++) {
      const table = this.tables[k];
      const errors = this.errors[k];
      const absolute = this.absolute[k];
      for (const place of this.places[k]) {
        const total = errors[place];
        const all = absolute[place];
        const share = all > 0 ? fround(Math.abs(total) / all) : 1;
        table[place] += fround(step * share);
        errors[place] = total + step;
        absolute[place] = all + size;
      }
    }
    return this.sum();
  }

  /** Move V of a board towards a target. Returns the value after that. */
  learn(cells, target) {
    const error = fround(target - this.value(cells));
    return this.update(fround(this.alpha * error));
  }

  // A game

  /** The action with the largest r + V(s'), the first of equals; -1 where nothing moves. */
  choose(cells) {
    let best = -1;
    let highest = -Infinity;
    for (let action = 0; action < ACTIONS.length; action++) {
      const after = this.afterstates[action];
      const reward = slideInto(cells, action, after);
      if (reward < 0) continue;
      const worth = fround(reward + this.value(after));
      if (worth > highest) {
        highest = worth;
        best = action;
      }
    }
    return best;
  }

  /** Play the next game and learn from it, last move first. Returns what became of it. */
  play() {
    let game = newGame(this.seed, this.fours, BigInt(this.games));
    const afterstates = [];
    const rewards = [];
    for (let action = this.choose(game.cells); action >= 0; action = this.choose(game.cells)) {
      const { score } = game;
      afterstates.push(Uint8Array.from(this.afterstates[action]));
      game = nextGame(game, action, this.fours);
      rewards.push(game.score - score);
    }
    this.learnFrom(afterstates, rewards);
    this.games += 1;
    return { score: game.score, moves: game.moves, largest: largestTile(game.cells), game };
  }

  learnFrom(afterstates, rewards) {
    let target = 0;
    for (let t = afterstates.length - 1; t >= 0; t--) {
      const value = this.learn(afterstates[t], target);
      const following = fround(value + fround(this.lambda * fround(target - value)));
      target = fround(rewards[t] + following);
    }
  }
}
