// The game: the rules and the random stream of board.py. Cells are 16 exponents in a Uint8Array.

export const ACTIONS = ["up", "right", "down", "left"];
export const ARROWS = ["↑", "→", "↓", "←"];

export const LARGEST = 15; // exponent of 32768, which merges no further

// For each action the cell its first line starts from, the way from cell to cell along a line, and
// the way from line to line. A line starts at the side that the tiles slide to.
export const LINES = [
  { first: 0, along: 4, across: 1 },
  { first: 3, along: -1, across: 4 },
  { first: 12, along: -4, across: 1 },
  { first: 0, along: 1, across: 4 },
].map(({ first, along, across }) =>
  [0, 1, 2, 3].map((line) => [0, 1, 2, 3].map((place) => first + line * across + place * along)),
);

/** Slide: the cells after, the reward, whether anything moved, each tile's {from, to, merged}. */
export function slide(cells, action) {
  const after = new Uint8Array(16);
  const paths = [];
  let reward = 0;
  let moved = false;
  for (const line of LINES[action]) {
    let placed = 0; // tiles that have come to rest in this line
    let mayMerge = false; // whether the last of them may still take one in
    for (const from of line) {
      const exponent = cells[from];
      if (!exponent) continue;
      const before = line[placed - 1];
      const merged = mayMerge && after[before] === exponent && exponent < LARGEST;
      const to = merged ? before : line[placed];
      if (merged) {
        after[to] = exponent + 1;
        reward += 2 ** (exponent + 1);
      } else {
        after[to] = exponent;
        placed += 1;
      }
      mayMerge = !merged;
      moved ||= from !== to;
      paths.push({ from, to, merged });
    }
  }
  return { after, reward, moved, paths };
}

/**
 * Slide without a word about each tile: the cells after are written into `after`. Returns the
 * reward, -1 when nothing moved. Learning does this all the time, and must make nothing anew.
 */
export function slideInto(cells, action, after) {
  after.fill(0);
  let reward = 0;
  let moved = false;
  for (const line of LINES[action]) {
    let placed = 0;
    let mayMerge = false;
    for (const from of line) {
      const exponent = cells[from];
      if (!exponent) continue;
      const before = line[placed - 1];
      const merged = mayMerge && after[before] === exponent && exponent < LARGEST;
      if (merged) {
        after[before] = exponent + 1;
        reward += 2 ** (exponent + 1);
      } else {
        after[line[placed]] = exponent;
        placed += 1;
      }
      mayMerge = !merged;
      moved ||= from !== (merged ? before : line[placed - 1]);
    }
  }
  return moved ? reward : -1;
}

export function isDead(cells) {
  return ACTIONS.every((_, action) => !slide(cells, action).moved);
}

/** The number on the largest tile, 0 on an empty board. */
export function largestTile(cells) {
  const exponent = Math.max(...cells);
  return exponent ? 2 ** exponent : 0;
}

/** A board as Python reads it: 16 hexadecimal digits, the last cell first. */
export function toHex(cells) {
  const digits = [...cells].reverse().map((exponent) => exponent.toString(16));
  return digits.join("");
}

/** The cells of a board that `toHex`, or Python, wrote; fewer digits stand for empty last cells. */
export function fromHex(digits) {
  const cells = new Uint8Array(16);
  [...digits].reverse().forEach((digit, cell) => {
    cells[cell] = parseInt(digit, 16);
  });
  return cells;
}

/** A board in words. */
export function describe(cells) {
  const words = [...cells].map((exponent) => (exponent ? String(2 ** exponent) : "empty"));
  const rows = [0, 4, 8, 12].map((start) => words.slice(start, start + 4).join(" "));
  return `2048 board: ${rows.join("; ")}`;
}

/** The action of the largest value (null where it is not possible); of equal ones the first. */
export function bestAction(values) {
  let best = null;
  values.forEach((value, action) => {
    if (!Number.isFinite(value)) return;
    if (best === null || value > values[best]) best = action;
  });
  return best;
}

// The random stream. JavaScript's numbers hold 53 bits, so its words of 64 are BigInts.

const WORD = (1n << 64n) - 1n;
const HALF = (1n << 32n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

const FIRST_WORDS = 2; // which the two tiles of the first board take

export const LARGEST_SEED = WORD >> 1n; // as in Python, where seeds are signed integers

function mix(word) {
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return word ^ (word >> 31n);
}

/** The state after this one, and the random word that comes with it. */
function next(state) {
  const advanced = (state + GOLDEN) & WORD;
  return { state: advanced, word: mix(advanced) };
}

/** The cells with one more tile: half of a word picks the cell, the other half the tile. */
function spawn(cells, word, fours) {
  const empty = [...cells.keys()].filter((cell) => !cells[cell]);
  const picked = ((word >> 32n) * BigInt(empty.length)) >> 32n;
  const after = Uint8Array.from(cells);
  after[empty[Number(picked)]] = (word & HALF) < BigInt(fours) ? 2 : 1;
  return after;
}

/** Where game number `game` (BigInt) of a run with this seed begins in the random stream. */
function stream(seed, game = 0n) {
  return mix((mix((seed + GOLDEN) & WORD) + game * GOLDEN) & WORD);
}

/** A game as it starts from a seed (BigInt); `fours` is p4 * 2**32. */
export function newGame(seed, fours, game = 0n) {
  const first = next(stream(seed, game));
  const second = next(first.state);
  const empty = new Uint8Array(16);
  const cells = spawn(spawn(empty, first.word, fours), second.word, fours);
  return { cells, state: second.state, score: 0, moves: 0 };
}

/**
 * A game as it starts from a board, with the tiles that come up from move number `move` on: whoever
 * plays on from a game of this seed as it was played there sees the same tiles.
 */
export function gameFrom(cells, seed, move) {
  const state = (stream(seed) + BigInt(FIRST_WORDS + move) * GOLDEN) & WORD;
  return { cells: Uint8Array.from(cells), state, score: 0, moves: 0 };
}

/** The game after an action, or null when nothing moves. */
export function nextGame(game, action, fours) {
  const { after, reward, moved } = slide(game.cells, action);
  if (!moved) return null;
  const { state, word } = next(game.state);
  return {
    cells: spawn(after, word, fours),
    state,
    score: game.score + reward,
    moves: game.moves + 1,
  };
}
