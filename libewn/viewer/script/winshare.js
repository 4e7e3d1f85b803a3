// The game as a curve: how likely the searches thought that Red wins, position by position.

import { isOver } from "./sides.js";

const INITIALS = ["R", "B"];

/** Red's chance in percent by the search of a position; NaN where nobody searched. */
function chanceAt(ply) {
  if (isOver(ply)) return ply.winner === 0 ? 100 : 0;
  if (!ply.means) return NaN;
  const mean = ply.means[ply.move ?? mostVisited(ply)] ?? NaN;
  return 100 * (ply.mover === 0 ? mean : 1 - mean);
}

function mostVisited(ply) {
  return ply.visits.indexOf(Math.max(...ply.visits));
}

/** The same numbers with straight lines over the gaps between them. */
function connected(numbers) {
  const filled = Float64Array.from(numbers);
  let known = -1; // the last place with a number
  numbers.forEach((number, at) => {
    if (!Number.isFinite(number)) return;
    for (let k = known + 1; known >= 0 && k < at; k++) {
      filled[k] = numbers[known] + ((number - numbers[known]) * (k - known)) / (at - known);
    }
    known = at;
  });
  return filled;
}

/** What drawPlot in plot.js takes: the curve, and a tick where a cube was taken. */
export function winShare(plies) {
  const chances = plies.map(chanceAt);
  const isSearched = plies.some((ply) => !isOver(ply) && Boolean(ply.means));
  const worths = isSearched ? connected(chances) : new Float64Array(plies.length).fill(NaN);
  return { name: "", chances, worths, range: [0, 100], marks: captures(plies) };
}

function cubesLeft(ply, side) {
  return ply.squares[side].filter((square) => square >= 0).length;
}

/** Where a cube was taken, marked by the initial of the side that lost it. */
function captures(plies) {
  const marks = [];
  for (let at = 1; at < plies.length; at++) {
    INITIALS.forEach((text, side) => {
      const isTaken = cubesLeft(plies[at], side) < cubesLeft(plies[at - 1], side);
      if (isTaken) marks.push({ at, text });
    });
  }
  return marks;
}
