// Names of boards, values and rewards as formulas write them.

import { make } from "../../../lib2048/viewer/script/dom.js";

/** A time of the episode, counted from its end: T, T−1, T−2, ... */
export function time(t, count) {
  return t === count ? "T" : `T−${count - t}`;
}

/** A letter with a time below it, for the eye. */
export function lettered(letter, t, count) {
  return make("span", {}, letter, make("sub", {}, time(t, count)));
}

/** V of the board of a time: V(s'_{T−1}). */
export function valueOf(kind, t, count) {
  const letter = kind === "state" ? "s" : "s′";
  return make("span", {}, "V(", lettered(letter, t, count), ")");
}

/** Points with two digits; a minus is written as one. */
export function points(value) {
  if (value === null) return "–";
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return value.toLocaleString("en", digits).replace("-", "−");
}
