// Why this move: a sentence about a choice.

import { ACTIONS, bestAction } from "./game.js";
import { actionNames, legalActions } from "./places.js";
import { rounded } from "./words.js";

const CLOSE = 0.01; // of what the best action is worth, where no better measure is known

/** Points as one says them. */
function points(number) {
  if (number < 0.5) return "less than a point";
  const text = rounded(number);
  return `${text} ${text === "1" ? "point" : "points"}`;
}

/** The best action other than this one, null where there is none. */
function runnerUp(values, action) {
  const others = values.map((value, other) => (other === action ? NaN : value));
  return bestAction(others);
}

/** How a gap compares with what a new tile usually changes, and what that says of the choice. */
function weighed(gap, worth, usual) {
  if (!Number.isFinite(usual)) return { word: gap < CLOSE * Math.abs(worth) ? "Close" : "Clear" };
  const measure = `a new tile usually changes (${rounded(usual)})`;
  if (gap < usual) return { word: "Close", compared: `, less than ${measure}` };
  return { word: "Clear", compared: `, more than ${measure}` };
}

/**
 * Say why an action is chosen: forced, a tie, close or clear; "" where that is not known.
 * `usual` is how much a new tile usually changes what the network expects, NaN where unknown.
 */
export function whyOf({ cells, values, chosen, usual }) {
  if (chosen === null) return "";
  const name = ACTIONS[chosen];
  if (legalActions(cells).length === 1) return `Forced: only ${name} is possible.`;
  const known = values ? [...values] : [];
  const best = bestAction(known);
  if (best === null || !Number.isFinite(known[chosen])) return "";
  if (known[chosen] < known[best]) {
    const gap = points(known[best] - known[chosen]);
    return `Against the network: ${name} was taken, ${gap} below ${ACTIONS[best]}.`;
  }
  const second = runnerUp(known, chosen);
  const gap = known[chosen] - known[second];
  if (gap === 0) {
    const equal = legalActions(cells).filter((action) => known[action] === known[best]);
    const isByRule = chosen === equal[0]; // a reader has no rule
    const rule = isByRule ? "; the first in the order is taken" : "";
    return `A tie: ${actionNames(equal)} are worth the same${rule}.`;
  }
  const { word, compared = "" } = weighed(gap, known[chosen], usual);
  return `${word}: ${name} is ${points(gap)} ahead of ${ACTIONS[second]}${compared}.`;
}
