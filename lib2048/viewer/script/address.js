// What stands behind the # of a page's address: a game and a move of it, or a board.
//
//     #seed=7&move=120          board number 120 of the game that begins from seed 7
//     #board=0000000000001021   16 hexadecimal digits, as in Python: the last cell first

import { LARGEST_SEED, fromHex } from "./game.js";

const KNOWN = ["seed", "move", "board"];
const WHOLE = /^\d{1,19}$/;
const BOARD = /^(?:0x)?([0-9a-f]{1,16})$/i;

/** What is wrong with the address. */
export class AddressError extends Error {}

function wholeNumber(name, text, largest) {
  if (WHOLE.test(text) && BigInt(text) <= largest) return BigInt(text);
  const allowed = `a whole number from 0 to ${largest.toLocaleString("en")}`;
  throw new AddressError(`The address says ${name}=${text}, but ${name} is ${allowed}.`);
}

function boardOf(text) {
  const digits = BOARD.exec(text);
  if (digits) return fromHex(digits[1].toLowerCase());
  throw new AddressError(
    `The address says board=${text}, but a board is 16 hexadecimal digits, one for each cell, ` +
      "the last cell first: 0 for an empty cell, 1 for a 2, 2 for a 4, up to f for a 32768.",
  );
}

/**
 * The parts of an address: {seed, move, board}, null where one is missing.
 * Throws an AddressError that says what would be right.
 */
export function readAddress(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  for (const name of given.keys()) {
    if (KNOWN.includes(name)) continue;
    const known = "seed=…&move=… or board=…";
    throw new AddressError(`The address says ${name}, but after # it may say ${known}.`);
  }
  const seed = given.has("seed") ? wholeNumber("seed", given.get("seed"), LARGEST_SEED) : null;
  const move = given.has("move")
    ? Number(wholeNumber("move", given.get("move"), BigInt(Number.MAX_SAFE_INTEGER)))
    : null;
  const board = given.has("board") ? boardOf(given.get("board")) : null;
  return { seed, move, board };
}

/** An address of a game at a move. */
export function writeAddress({ seed, move, board }) {
  const parts = [];
  if (board) parts.push(`board=${board}`);
  if (seed !== null) parts.push(`seed=${seed}`);
  if (move) parts.push(`move=${move}`);
  return `#${parts.join("&")}`;
}
