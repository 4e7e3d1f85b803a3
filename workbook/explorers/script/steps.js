// One slide in its steps: to the wall, pair by pair, close up. The same as slide.py makes.

import { LINES } from "../../../lib2048/viewer/script/game.js";

const LARGEST = 15; // exponent of 32768, which merges no further

/** Push the tiles of all lines against the wall. */
function pushed(cells, action) {
  const to = new Uint8Array(16);
  const paths = [];
  for (const line of LINES[action]) {
    let placed = 0;
    for (const from of line) {
      if (!cells[from]) continue;
      to[line[placed]] = cells[from];
      paths.push({ from, to: line[placed], merged: false });
      placed += 1;
    }
  }
  return { before: cells, to, paths };
}

/** What becomes of two neighbours; null where there is nothing to compare. */
function verdict(cells, line, pair, made) {
  const [near, far] = [line[pair], line[pair + 1]];
  if (!cells[far]) return null;
  if (!cells[near]) {
    const stays = pair > 0 && made.has(line[pair - 1]) && cells[line[pair - 1]] === cells[far];
    return stays ? "once" : null;
  }
  if (cells[near] !== cells[far]) return "differ";
  return cells[near] === LARGEST ? "largest" : "merge";
}

/** Compare neighbours number `pair` of all lines, counted from the wall; merge equal ones. */
function compared(cells, action, pair, made) {
  const to = Uint8Array.from(cells);
  const notes = [];
  const paths = [];
  const merged = new Set();
  LINES[action].forEach((line, number) => {
    const what = verdict(cells, line, pair, made);
    const [near, far] = [line[pair], line[pair + 1]];
    if (what) notes.push({ line: number, what, tile: cells[far], other: cells[near] });
    if (what !== "merge") return;
    to[near] = cells[near] + 1;
    to[far] = 0;
    merged.add(far);
    made.add(near);
    paths.push({ from: near, to: near, merged: true }, { from: far, to: near, merged: true });
  });
  const moving = new Set(paths.map(({ from }) => from));
  cells.forEach((exponent, cell) => {
    if (exponent && !moving.has(cell)) paths.push({ from: cell, to: cell, merged: false });
  });
  const earned = notes.filter(({ what }) => what === "merge").map(({ tile }) => 2 ** (tile + 1));
  return { before: cells, to, paths, notes, earned, pair };
}

/**
 * The steps of a slide: each has its kind, the cells before it and after it (`to`), the ways of the
 * tiles (`paths`), what was said of pairs (`notes`) and earned by them.
 */
export function slideSteps(cells, action) {
  const steps = [{ kind: "start", before: cells, to: cells, paths: [], notes: [], earned: [] }];
  const add = (kind, step) => steps.push({ kind, notes: [], earned: [], ...step });
  const now = () => steps.at(-1).to;
  add("push", pushed(cells, action));
  const made = new Set();
  for (const pair of [0, 1, 2]) {
    const step = compared(now(), action, pair, made);
    if (step.notes.length) add("pair", step);
  }
  if (made.size) add("close", pushed(now(), action));
  add("end", { before: now(), to: now(), paths: [] });
  return steps;
}

/** All that a slide earns. */
export function rewardOf(steps) {
  return steps.flatMap(({ earned }) => earned).reduce((sum, points) => sum + points, 0);
}
