// Where tiles stand and what they can do: small questions about a board.

import { ACTIONS, slide } from "./game.js";

const CORNERS = [0, 3, 12, 15];

export function legalActions(cells) {
  return [0, 1, 2, 3].filter((action) => slide(cells, action).moved);
}

export function emptyCells(cells) {
  return [...cells.keys()].filter((cell) => !cells[cell]);
}

/** The corner in which a largest tile stands, null where none does. */
export function heldCorner(cells) {
  const largest = Math.max(...cells);
  return CORNERS.find((corner) => cells[corner] === largest) ?? null;
}

/** The exponents, at least this large, of which two would merge by some action; each once. */
export function mergeable(cells, least) {
  const exponents = new Set();
  for (const action of legalActions(cells)) {
    for (const exponent of mergedBy(cells, action, least)) exponents.add(exponent);
  }
  return [...exponents].sort((a, b) => b - a);
}

/** The exponents, at least this large, of which two merge by this action; the largest first. */
export function mergedBy(cells, action, least) {
  const { after, paths } = slide(cells, action);
  const exponents = paths.filter(({ merged }) => merged).map(({ to }) => after[to] - 1);
  return exponents.filter((exponent) => exponent >= least).sort((a, b) => b - a);
}

/**
 * The largest exponent that comes out when two tiles of this exponent merge, then two of the next,
 * and so on, as long as the tiles are there and no new one comes between.
 */
export function cascade(cells, exponent) {
  const goesOn = (action) => mergedBy(cells, action, exponent).includes(exponent);
  const action = legalActions(cells).find(goesOn);
  return action === undefined ? exponent : cascade(slide(cells, action).after, exponent + 1);
}

/** The cells beside a cell, above it and below it. */
export function neighbours(cell) {
  const column = cell % 4;
  const beside = [];
  if (column > 0) beside.push(cell - 1);
  if (column < 3) beside.push(cell + 1);
  if (cell >= 4) beside.push(cell - 4);
  if (cell < 12) beside.push(cell + 4);
  return beside;
}

/** Whether the tile in this cell merges by this action. */
export function mergesAt(cells, cell, action) {
  const { paths } = slide(cells, action);
  const { to } = paths.find(({ from }) => from === cell);
  return paths.filter((path) => path.to === to).length > 1;
}

/** Words as they are listed: "up", "up and left", "up, down and left". */
function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function actionNames(actions) {
  return listed(actions.map((action) => ACTIONS[action]));
}
