// A board as text: 16 hexadecimal digits, as Python's hex(board) and the viewer write it, or the
// tiles as they are seen, as a list of four lists.

import { LARGEST, fromHex } from "./game.js";

const DIGITS = 16;
const FORMS = "Write 16 hexadecimal digits, as hex(board) does, or 4 lists of 4 tiles.";
const TILES = "0 (empty), 2, 4, 8, … 32768";

/** The cells of a board that was typed or pasted: {cells}, or {problem} in words. */
export function parseBoard(text) {
  const trimmed = text.trim();
  if (!trimmed) return { problem: FORMS };
  return trimmed.includes("[") ? parseRows(trimmed) : parseDigits(trimmed);
}

function parseDigits(text) {
  const hasPrefix = /^0x/i.test(text);
  const digits = text.replace(/^0x/i, "").replace(/[_\s]/g, "");
  const wrong = digits.match(/[^0-9a-f]/i);
  if (wrong) return { problem: `“${wrong[0]}” is no hexadecimal digit. ${FORMS}` };
  const isShort = !hasPrefix && digits.length < DIGITS; // Python leaves zeros out after 0x
  if (isShort || digits.length > DIGITS || !digits) {
    return { problem: `A board has 16 hexadecimal digits, got ${digits.length}. ${FORMS}` };
  }
  return { cells: fromHex(digits) };
}

function parseRows(text) {
  const rows = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, row]) => numbersIn(row));
  const counts = rows.map((row) => row.length);
  if (rows.length !== 4 || counts.some((count) => count !== 4)) {
    const got = counts.length ? `rows of ${counts.join(", ")}` : "no row";
    return { problem: `A board has 4 rows of 4 tiles, got ${got}.` };
  }
  const tiles = rows.flat();
  const exponents = tiles.map(exponentOf);
  const wrong = exponents.indexOf(null);
  if (wrong >= 0) {
    const hint = "Exponents go as 16 hexadecimal digits.";
    return { problem: `${tiles[wrong]} is no tile: a tile is ${TILES}. ${hint}` };
  }
  return { cells: Uint8Array.from(exponents) };
}

function numbersIn(row) {
  return row.split(/[\s,]+/).filter(Boolean);
}

/** The exponent of a tile as it is written, null where there is no such tile. */
function exponentOf(tile) {
  const number = Number(tile);
  if (number === 0) return 0;
  const exponent = Math.log2(number);
  const isTile = Number.isInteger(exponent) && exponent >= 1 && exponent <= LARGEST;
  return isTile ? exponent : null;
}
