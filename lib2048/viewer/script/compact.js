// A compact network: what formats/compact.py writes, read here, and valued as Python values it.
//
// Weights are whole numbers of steps, and the step is a power of two. So their sums are exact, here
// as in Python's float32, and both come to the same value to the bit.

import { ACTIONS, isDead, slide } from "./game.js";

const MARK = "lib2048 compact\n";
const VERSION = 1;
const NUMBERS = MARK.length; // where the three numbers after the mark begin
const BODY = NUMBERS + 12;
const PIECE = 16 ** 5; // weights that are written together
const TOO_OLD = "This browser is too old to unpack the network: it has no DecompressionStream.";

async function unpacked(bytes) {
  if (typeof DecompressionStream === "undefined") throw new Error(TOO_OLD);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The description of a compact network, and its compressed tables. */
function opened(bytes) {
  const mark = String.fromCharCode(...bytes.subarray(0, MARK.length));
  if (mark !== MARK) throw new Error("This is no compact network.");
  const numbers = new DataView(bytes.buffer, bytes.byteOffset + NUMBERS, BODY - NUMBERS);
  const version = numbers.getUint32(0, true);
  if (version !== VERSION) throw new Error(`A compact network of version ${version} is not known.`);
  const end = BODY + numbers.getUint32(4, true);
  const words = new TextDecoder().decode(bytes.subarray(BODY, end));
  return { about: JSON.parse(words), tables: bytes.subarray(end) };
}

/** A table from its pieces: each has the low bytes first, and the sign in the lowest bit. */
function readTable(content, start, size) {
  const table = new Int16Array(size);
  const piece = Math.min(PIECE, size);
  for (let first = 0; first < size; first += piece) {
    const low = start + 2 * first;
    const high = low + piece;
    for (let k = 0; k < piece; k++) {
      const folded = content[low + k] | (content[high + k] << 8);
      table[first + k] = folded & 1 ? -(folded + 1) / 2 : folded / 2;
    }
  }
  return table;
}

/** Read a compact network; `places` says what cells the 8 images of a board show. */
export async function readCompact(bytes, places) {
  const { about, tables } = opened(bytes);
  const content = await unpacked(tables);
  let start = 0;
  const read = about.patterns.map((cells) => {
    const size = 16 ** cells.length;
    const table = readTable(content, start, size);
    start += 2 * size;
    return table;
  });
  if (start !== content.length) throw new Error("The network's tables are not as long as it says.");
  return new CompactNetwork(about, read, places);
}

export class CompactNetwork {
  /** `tables` hold whole numbers of steps, in natural order. */
  constructor(about, tables, places) {
    this.about = about;
    this.tables = tables;
    this.isOfStates = about.values === "state";
    this.images = places.slice(0, about.symmetries);
    // for each pattern and image the cells of the board that are looked at
    this.seen = about.patterns.map((cells) => {
      return this.images.map((places) => cells.map((cell) => places[cell]));
    });
  }

  /** V of a board. */
  value(cells) {
    let steps = 0;
    for (let pattern = 0; pattern < this.tables.length; pattern++) {
      const table = this.tables[pattern];
      for (const seen of this.seen[pattern]) steps += table[indexOf(seen, cells)];
    }
    return Math.fround(steps * this.about.step);
  }

  /** What an action that leads to this afterstate is worth, without its reward. */
  worthAfter(after) {
    return this.isOfStates ? this.meanOverSpawns(after) : this.value(after);
  }

  /** The mean of V over the boards that may follow an afterstate; dead ones count 0. */
  meanOverSpawns(after) {
    const { p4 } = this.about;
    let sum = 0;
    let empty = 0;
    const board = Uint8Array.from(after);
    for (let cell = 0; cell < 16; cell++) {
      if (after[cell]) continue;
      empty += 1;
      board[cell] = 1;
      sum += (1 - p4) * this.valueUnlessDead(board);
      board[cell] = 2;
      sum += p4 * this.valueUnlessDead(board);
      board[cell] = 0;
    }
    return Math.fround(sum / empty);
  }

  valueUnlessDead(cells) {
    return isDead(cells) ? 0 : this.value(cells);
  }

  /** What the four actions are worth, NaN where nothing moves. */
  values(cells) {
    return ACTIONS.map((_, action) => {
      const { after, reward, moved } = slide(cells, action);
      return moved ? Math.fround(reward + this.worthAfter(after)) : NaN;
    });
  }

  /** Every lookup of a board, as rows of pattern, image, index and weight: see lookups.py. */
  lookups(cells) {
    return this.seen.flatMap((images, pattern) => {
      return images.map((seen, image) => {
        const index = indexOf(seen, cells);
        return [pattern, image, index, this.tables[pattern][index] * this.about.step];
      });
    });
  }
}

function indexOf(seen, cells) {
  let index = 0;
  for (let j = seen.length - 1; j >= 0; j--) index = index * 16 + cells[seen[j]];
  return index;
}
