// Seeds as a reader types them.

import { LARGEST_SEED } from "./game.js";

const WHOLE = /^\d+$/;

export const NO_SEED = `A seed is a whole number from 0 to ${LARGEST_SEED}.`;

/** The seed that was typed, as a BigInt; null where it is none. */
export function readSeed(text) {
  const typed = text.trim();
  return WHOLE.test(typed) && BigInt(typed) <= LARGEST_SEED ? BigInt(typed) : null;
}
