// Where a board's weight is: the digits of an index, and the eight sides a board is seen from.

/** The cells of a board that a pattern sees from a side; `places` is one of the look's eight. */
export function seenCells(pattern, places) {
  return pattern.map((cell) => places[cell]);
}

/** The index: the exponents in these cells are its digits, the first cell's the lowest. */
export function indexOf(cells, seen) {
  return seen.reduce((sum, cell, j) => sum + cells[cell] * 16 ** j, 0);
}

/** An index as hexadecimal digits, one for each cell of the pattern. */
export function hex(index, digits) {
  return index.toString(16).padStart(digits, "0");
}

/** For each side of the board: the cells that are seen, and the index. */
export function sides(cells, pattern, places) {
  return places.map((place) => {
    const seen = seenCells(pattern, place);
    return { seen, index: indexOf(cells, seen) };
  });
}

/** A number from 0 to 1 that a seed decides, and the next seed (mulberry32). */
function drawn(seed) {
  const next = (seed + 0x6d2b79f5) | 0;
  let word = Math.imul(next ^ (next >>> 15), 1 | next);
  word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
  return { next, part: ((word ^ (word >>> 14)) >>> 0) / 2 ** 32 };
}

const LARGEST_DRAWN = 9; // exponent of the largest tile of boards that are made up

/**
 * Another board with the same weight: what `from` shows in the cells `seen` stands in the cells
 * `put`, and any tiles elsewhere.
 */
export function sharing(cells, seen, put, seed) {
  const board = new Uint8Array(16);
  let state = seed;
  for (let cell = 0; cell < 16; cell += 1) {
    const { next, part } = drawn(state);
    state = next;
    board[cell] = Math.floor(part * (LARGEST_DRAWN + 1));
  }
  seen.forEach((cell, j) => {
    board[put[j]] = cells[cell];
  });
  return board;
}
