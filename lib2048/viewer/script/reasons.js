// Why a board was a surprise: sentences made from the boards before and after the new tile.

import { ACTIONS, slide } from "./game.js";
import {
  actionNames,
  cascade,
  emptyCells,
  heldCorner,
  legalActions,
  mergeable,
  mergedBy,
  mergesAt,
  neighbours,
} from "./places.js";
import { rounded } from "./words.js";

const BIG = 3; // exponents below the largest tile: 4096 and down to 512
const LEAST_BIG = 4; // and at least a 16
const SOON = 12; // moves before the end
const SHUT = 3; // exponents by which neighbours are larger than a tile that is shut in
const ROOMY = 7; // empty cells that are many
const COSTLY = 0.5; // of a surprise: another number that explains it
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
  const changed = [...cells.keys()].filter((cell) => cells[cell] !== after[cell]);
  const born = changed[0];
  const largest = Math.max(...cells);
  return {
    before,
    chosen,
    after, // before the new tile came
    follows: changed.length === 1 && after[born] === 0,
    cells, // with it
    born, // its cell
    tile: 2 ** cells[born],
    p4: recording.fours / 2 ** 32,
    largest,
    big: Math.max(LEAST_BIG, largest - BIG),
    legal: legalActions(cells),
    next: k < recording.moves ? recording.actions[k] : null,
    values: k < recording.moves ? recording.values(k) : [],
    left: recording.moves - k, // moves until the game ends
    error: recording.curves.errors[k],
    errorBefore: recording.curves.errors[k - 1],
  };
}

// Bad news: each function gives a phrase, or null where it is not the case

function endOfGame({ legal, tile }) {
  return legal.length ? null : `the new ${tile} fills the last empty cell, and no move is left`;
}

function oneMoveLeft({ legal, tile }) {
  return legal.length === 1 ? `the new ${tile} leaves only ${actionNames(legal)}` : null;
}

function twoMovesLeft({ legal }) {
  return legal.length === 2 ? `only ${actionNames(legal)} are possible` : null;
}

/** The network would lose much by any other action. */
function oneGoodAction({ values, legal, next, error }) {
  if (legal.length < 2 || !Number.isFinite(values[next])) return null;
  const others = legal.filter((action) => action !== next).map((action) => values[action]);
  const cost = values[next] - Math.max(...others);
  if (!(cost > COSTLY * Math.abs(error))) return null;
  return `any action but ${ACTIONS[next]} would cost ${rounded(cost)} points`;
}

/** What the last new tile won is lost again. */
function gainIsLost({ error, errorBefore }) {
  return errorBefore > COSTLY * -error ? "what the tile before had won is lost again" : null;
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

/** Two big tiles could have merged by another action; this one has parted them. */
function mergeIsMissed({ before, chosen, after, big }) {
  const gone = [...mergedBy(before, chosen, big), ...mergeable(after, big)];
  const missed = mergeable(before, big).find((exponent) => !gone.includes(exponent));
  return missed ? `two ${2 ** missed}s that could have merged a move ago no longer can` : null;
}

/** Actions that were possible until the new tile came. */
function movesAreBlocked({ after, legal, tile }) {
  const blocked = legalActions(after).filter((action) => !legal.includes(action));
  if (!blocked.length || legal.length < 2) return null;
  return `the new ${tile} rules out ${actionNames(blocked)}`;
}

/** The new tile stands among much larger ones, with which it will not merge soon. */
function tileIsShutIn({ cells, born, tile }) {
  const isLarger = (cell) => cells[cell] >= cells[born] + SHUT;
  return neighbours(born).every(isLarger) ? `the new ${tile} is shut in by larger tiles` : null;
}

/** The new tile stands beside the largest one. */
function largestIsCrowded({ cells, born, tile, largest }) {
  const isBeside = neighbours(born).some((cell) => cells[cell] === largest);
  if (!isBeside || largest < cells[born] + SHUT) return null;
  return `the new ${tile} comes beside the ${2 ** largest}`;
}

/** The rarer one of the two new tiles. */
function tileIsRare({ tile, p4 }) {
  const isRare = tile === 4 && p4 > 0 && p4 < 0.5;
  return isRare ? `the new tile is a 4, as in ${rounded(100 * p4)} % of all cases` : null;
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

/** Big tiles merge, perhaps one pair after the other. */
function bigTilesMerge({ cells, next, big }) {
  if (next === null) return null;
  const [exponent] = mergedBy(cells, next, big);
  if (!exponent) return null;
  const top = cascade(slide(cells, next).after, exponent + 1);
  const goesOn = top > exponent + 1 ? `, and on up to a ${2 ** top}` : "";
  return `two ${2 ** exponent}s can merge now${goesOn}`;
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

/** What the last new tile had cost is won again. */
function lossIsMadeUp({ error, errorBefore }) {
  return -errorBefore > COSTLY * error ? "it makes up for the tile before" : null;
}

/** Actions that are possible only since the new tile came. */
function movesAreOpened({ after, legal, tile }) {
  const before = legalActions(after);
  const opened = legal.filter((action) => !before.includes(action));
  return opened.length ? `the new ${tile} makes ${actionNames(opened)} possible` : null;
}

function newTileMayMerge({ cells, born, legal, next, tile }) {
  if (next === null || mergesAt(cells, born, next)) return null; // said already
  const mayMerge = legal.some((action) => mergesAt(cells, born, action));
  return mayMerge ? `the new ${tile} comes where it can merge` : null;
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
  tileIsShutIn,
  twoMovesLeft,
  gainIsLost,
  oneGoodAction,
  boardIsFull,
  largestIsCrowded,
  tileIsRare,
];
const GOOD = [
  bigTilesMerge,
  cornerIsBack,
  dangerIsOver,
  newTileMerges,
  manyMerge,
  lossIsMadeUp,
  movesAreOpened,
  boardIsRoomy,
  newTileMayMerge,
  tileIsRare,
];

/** Where the new tile came, for want of anything better to say. */
function justTheTile({ born, tile, cells, legal }) {
  const row = (born >> 2) + 1;
  const column = (born % 4) + 1;
  const place = `a new ${tile} in row ${row}, column ${column}`;
  if (!legal.length) return `${place} ends the game`;
  const empty = plural(emptyCells(cells).length, "cell");
  const verb = legal.length === 1 ? "is" : "are";
  return `${place}: ${actionNames(legal)} ${verb} possible, ${empty} empty`;
}

/** A sentence about the board number `k` of a recording: why its TD error is as it is. */
export function reasonFor(recording, k) {
  const scene = sceneOf(recording, k);
  if (!scene.follows) return "This board does not follow from the one before.";
  const found = (scene.error < 0 ? BAD : GOOD).map((phrase) => phrase(scene)).filter(Boolean);
  const said = found.length ? found.slice(0, SAID) : [justTheTile(scene)];
  const text = said.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
