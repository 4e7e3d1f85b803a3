// What a reader can do: watch a recorded game, or play; see editing.js for making a board. The view
// asks each of them the same questions.

import { ACTIONS, bestAction, isDead, largestTile } from "./game.js";
import { rounded } from "./words.js";

const HIDDEN = "Hidden: make up your own mind first.";
const NO_NETWORK = "This game comes without a network.";
const NO_VALUES = "This game was recorded without values.";
const NEEDS_PYTHON = "What the network thinks needs Python.";
const WAITING = "Waiting for Python …";
const PAUSE = "Pause to see what the network thinks.";

/** Nothing is known of what the actions are worth; `missing` says why. */
export function nothingKnown(missing) {
  return { values: null, chosen: null, missing };
}

/** What Python says of a board, or why there is nothing. */
function opinion({ recording, replay, hasPython, opinions }, cells) {
  const values = opinions.of(cells, recording.number);
  if (values) return { values, missing: "" };
  if (!recording.learned) return { values: null, missing: NO_NETWORK };
  if (!hasPython) return { values: null, missing: NEEDS_PYTHON };
  const waiting = opinions.missing(cells) || WAITING;
  return { values: null, missing: replay.playing ? PAUSE : waiting };
}

/** What Python says of a board, and what its network would do. */
export function likely(view, cells) {
  const { values, missing } = opinion(view, cells);
  return { values, chosen: values ? bestAction(values) : null, missing };
}

export class Watching {
  isOwn = false;
  isReplay = true;

  constructor(view) {
    this.view = view;
  }

  get move() {
    return this.view.replay.index;
  }

  get chosenWord() {
    return this.isOver ? "its choice" : this.view.recording.chosenWord;
  }

  get cells() {
    return this.view.recording.cells(this.move);
  }

  get score() {
    return this.view.recording.scores[this.move];
  }

  get isOver() {
    return this.view.replay.isAtEnd;
  }

  get facts() {
    const { recording } = this.view;
    return {
      score: rounded(this.score),
      move: `${rounded(this.move)} / ${rounded(recording.moves)}`,
      largest: String(largestTile(this.cells)),
      seed: recording.seed ?? "–",
    };
  }

  /** The longest texts of this game: numbers grow. */
  get longestFacts() {
    const { recording } = this.view;
    const moves = rounded(recording.moves);
    return {
      score: rounded(recording.finalScore),
      move: `${moves} / ${moves}`,
      largest: String(largestTile(recording.cells(recording.moves))),
    };
  }

  /** What the four actions are worth, which is chosen, and what to say when that is not known. */
  thoughts() {
    const { recording } = this.view;
    if (isDead(this.cells)) return nothingKnown("");
    if (this.isOver) return likely(this.view, this.cells);
    const chosen = recording.actions[this.move];
    if (this.hasValues) return { values: recording.values(this.move), chosen, missing: "" };
    if (!recording.learned) return { values: null, chosen, missing: NO_VALUES };
    return { ...opinion(this.view, this.cells), chosen };
  }

  get hasValues() {
    return this.view.recording.values(this.move).some(Number.isFinite);
  }

  /** Whether what the bars show has to be asked. */
  get needsOpinion() {
    return !isDead(this.cells) && !this.hasValues;
  }

  /** What happens next, in words. */
  foretell(action) {
    return `Next: ${ACTIONS[action]}.`;
  }

  unforetold = "";

  get ending() {
    if (isDead(this.cells)) return "The game is over.";
    return this.view.recording.moves ? "The recording ends here." : "A board to start from.";
  }

  describe() {
    const { recording } = this.view;
    return `Move ${this.move} of ${recording.moves}`;
  }

  /** Where somebody plays on from: the board, the random stream, the number of the next move. */
  get spot() {
    const { recording } = this.view;
    const seed = BigInt(recording.seed ?? 0);
    const first = recording.first + this.move;
    return { cells: this.cells, seed, first, words: `from move ${rounded(this.move)}` };
  }
}

export class Playing {
  chosenWord = "its choice";
  isOwn = true;
  isReplay = false;

  constructor(view, game) {
    this.view = view;
    this.game = game;
  }

  get cells() {
    return this.game.cells;
  }

  get score() {
    return this.game.now.score;
  }

  get isOver() {
    return this.game.isOver;
  }

  get facts() {
    const { now, seed } = this.game;
    return {
      score: rounded(now.score),
      move: rounded(now.moves),
      largest: String(largestTile(now.cells)),
      seed: String(seed),
    };
  }

  /** As of the recorded game, but the values are Python's, which may not have come yet. */
  thoughts() {
    if (!this.view.person.hand.isPeeking) return nothingKnown(HIDDEN);
    return likely(this.view, this.cells);
  }

  get needsOpinion() {
    return true;
  }

  foretell(action) {
    return `It would go: ${ACTIONS[action]}.`;
  }

  unforetold = "Your move.";

  get ending() {
    return "The game is over.";
  }

  describe() {
    return `Move ${this.game.now.moves}`;
  }

  get spot() {
    const { seed, first, now } = this.game;
    const words = `from your move ${rounded(now.moves)}`;
    return { cells: this.cells, seed, first: first + now.moves, words };
  }
}
