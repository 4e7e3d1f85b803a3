// The steps of a slide in sentences.

import { rewardOf } from "./steps.js";

const WALLS = ["upper", "right", "lower", "left"];

const number = (exponent) => String(2 ** exponent);

function aboutPair({ what, tile, other }) {
  const [far, near] = [number(tile), number(other)];
  if (what === "merge") return `${near} and ${far} are equal: they become ${2 ** (tile + 1)}.`;
  if (what === "differ") return `${near} and ${far} differ, and stay.`;
  if (what === "largest") return `two ${far} do not merge: there is no larger tile.`;
  return `the ${far} before it was made in this slide, so it does not merge again.`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** In a row every comparison is told; on a board those that merge, or might have. */
function aboutPairs(notes, action, isRow) {
  if (isRow) return capital(aboutPair(notes[0]));
  const line = action % 2 ? "row" : "column";
  const telling = notes.filter(({ what }) => what !== "differ");
  if (!telling.length) return `In no ${line} are the two equal.`;
  return telling.map((note) => `${capital(line)} ${note.line + 1}: ${aboutPair(note)}`).join(" ");
}

function aboutEnd(steps, moved) {
  if (!moved) {
    return "Nothing has moved, so this action is not allowed here: slide answers with reward −1.";
  }
  const earned = steps.flatMap((step) => step.earned);
  if (!earned.length) return "No tiles merged: the reward is 0.";
  const sum = earned.length > 1 ? ` = ${earned.join(" + ")}` : "";
  return `The reward is ${rewardOf(steps)}${sum}, the sum of the tiles that were made.`;
}

/** A heading and a sentence for every step. */
export function tell(steps, action, isRow) {
  const [{ before }] = steps;
  const after = steps.at(-1).to;
  const moved = after.some((exponent, cell) => exponent !== before[cell]);
  const wall = `${WALLS[action]} wall`;
  const shifts = steps[1].to.some((exponent, cell) => exponent !== before[cell]);
  return steps.map(({ kind, notes, pair }) => {
    if (kind === "start") return ["Before", "Here the slide begins."];
    if (kind === "push") {
      const text = shifts
        ? `Every tile moves towards the ${wall}; the gaps are gone.`
        : `No tile has a gap before it on its way to the ${wall}.`;
      return ["Compress", text];
    }
    if (kind === "pair") {
      return [`Cells ${pair + 1} and ${pair + 2}`, aboutPairs(notes, action, isRow)];
    }
    if (kind === "close") return ["Compress again", "The gaps that merging left are closed."];
    return ["Reward", aboutEnd(steps, moved)];
  });
}
