// Why a board was a surprise: sentences made from the boards before and after the new tile.

import { slide } from "./game.js";
import {
  actionNames,
  emptyCells,
  heldCorner,
  legalActions,
  mergeable,
  mergedBy,
  mergesAt,
} from "./places.js";

const BIG = 2; // exponents below the largest tile: 4096 and down to 1024
const LEAST_BIG = 4; // and at least a 16
const SOON = 12; // moves before the end
const ROOMY = 7; // empty cells that are many
const CROWD = 3; // merges at once that are many
const SAID = 2; // phrases in a sentence, at most
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

const inWords = (number) => NUMBERS[number] ?? String(number);
const plural = (number, word) => `${inWords(number)} ${word}${number === 1 ? "" : "s"}`;

/** All that the sentences are made from. `k` is the number of the board that surprised. */
function sceneOf(recording, k) {
  const before = recording.cells(k - 1);
  const chosen = recording.actions[k - 1];
  const { after } = slide(before, chosen);
  const cells = recording.cells(k);
  const born = cells.findIndex((exponent, cell) => exponent !== after[cell]);
  const largest = Math.max(...cells);
  return {
    before,
    chosen,
    after, // before the new tile came
    cells, // with it
    born, // its cell
    tile: 2 ** cells[born],
    largest,
    big: Math.max(LEAST_BIG, largest - BIG),
    legal: legalActions(cells),
    next: k < recording.moves ? recording.actions[k] : null,
    left: recording.moves - k, // moves until the game ends
  };
}

// Bad news: each function gives a phrase, or null where it is not the case

function endOfGame({ legal, tile }) {
  return legal.length ? null : `the new ${tile} fills the last empty cell, and no move is left`;
}

function oneMoveLeft({ legal, tile }) {
  return legal.length === 1 ? `the new ${tile} leaves only ${actionNames(legal)}` : null;
}

/** The largest tile stands in a corner that the next move takes it out of. */
function cornerIsLost({ cells, legal, next, largest }) {
  const corner = heldCorner(cells);
  if (corner === null || next === null || largest < LEAST_BIG) return null;
  const isLost = (action) => slide(cells, action).after[corner] < largest;
  if (!isLost(next)) return null;
  const must = legal.every(isLost) ? "must leave" : "leaves";
  return `the ${2 ** largest} ${must} its corner`;
}

/** The new tile stands in the corner that the largest tile has just left. */
function cornerIsTaken({ before, born, tile, largest }) {
  const isTaken = heldCorner(before) === born && largest >= LEAST_BIG;
  return isTaken ? `a ${tile} takes the corner that the ${2 ** largest} has left` : null;
}

/** Without the new tile two big ones could merge. */
function mergeIsBlocked({ after, cells, tile, big }) {
  const now = mergeable(cells, big);
  const blocked = mergeable(after, big).find((exponent) => !now.includes(exponent));
  return blocked ? `the new ${tile} keeps two ${2 ** blocked}s from merging` : null;
}

/** Two big tiles could have merged by another action; now they cannot. */
function mergeIsMissed({ before, chosen, cells, big }) {
  const made = mergedBy(before, chosen, big);
  const now = mergeable(cells, big);
  const missed = mergeable(before, big).find((exponent) => {
    return !made.includes(exponent) && !now.includes(exponent);
  });
  return missed ? `two ${2 ** missed}s that could have merged a move ago no longer can` : null;
}

/** Actions that were possible until the new tile came. */
function movesAreBlocked({ after, legal, tile }) {
  const blocked = legalActions(after).filter((action) => !legal.includes(action));
  if (!blocked.length || legal.length < 2) return null;
  return `the new ${tile} rules out ${actionNames(blocked)}`;
}

function endIsNear({ left }) {
  return left > 0 && left <= SOON ? `the game ends ${plural(left, "move")} later` : null;
}

function boardIsFull({ cells, legal }) {
  const empty = emptyCells(cells).length;
  if (!legal.length || empty > 1) return null;
  return empty ? "one cell is empty" : "no cell is empty";
}

// Good news

function bigTilesMerge({ cells, next, big }) {
  if (next === null) return null;
  const [exponent] = mergedBy(cells, next, big);
  return exponent ? `two ${2 ** exponent}s can merge now` : null;
}

function cornerIsBack({ cells, next, largest }) {
  if (heldCorner(cells) !== null || next === null || largest < LEAST_BIG) return null;
  const { after } = slide(cells, next);
  return heldCorner(after) === null ? null : `the ${2 ** largest} can go to a corner`;
}

/** A move ago there was one way only, and now there are three or four. */
function dangerIsOver({ before, legal }) {
  const isOver = legalActions(before).length === 1 && legal.length > 2;
  return isOver ? `after a forced move ${inWords(legal.length)} actions are possible again` : null;
}

function newTileMerges({ cells, born, next, tile }) {
  if (next === null || !mergesAt(cells, born, next)) return null;
  return `the new ${tile} comes where it merges at once`;
}

function manyMerge({ cells, next }) {
  if (next === null) return null;
  const merges = mergedBy(cells, next, 1).length;
  return merges >= CROWD ? `${inWords(merges)} pairs merge in one move` : null;
}

function boardIsRoomy({ cells }) {
  const empty = emptyCells(cells).length;
  return empty >= ROOMY ? `${inWords(empty)} cells are empty` : null;
}

const BAD = [
  endOfGame,
  oneMoveLeft,
  cornerIsLost,
  cornerIsTaken,
  mergeIsBlocked,
  mergeIsMissed,
  movesAreBlocked,
  endIsNear,
  boardIsFull,
];
const GOOD = [
  bigTilesMerge,
  cornerIsBack,
  dangerIsOver,
  newTileMerges,
  manyMerge,
  boardIsRoomy,
];

/** Where the new tile came, for want of anything better to say. */
function justTheTile({ born, tile, cells }) {
  const row = (born >> 2) + 1;
  const column = (born % 4) + 1;
  const empty = plural(emptyCells(cells).length, "cell");
  return `a new ${tile} comes in row ${row}, column ${column}, and leaves ${empty} empty`;
}

/** A sentence about the board number `k` of a recording, whose TD error was this. */
export function reasonFor(recording, k, error) {
  const scene = sceneOf(recording, k);
  const found = (error < 0 ? BAD : GOOD).map((phrase) => phrase(scene)).filter(Boolean);
  const said = found.length ? found.slice(0, SAID) : [justTheTile(scene)];
  const text = said.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
