// The two things a reader can do: watch a recorded game, or play. The view asks either of them the
// same questions.

import { ACTIONS, bestAction, isDead, largestTile } from "./game.js";
import { rounded } from "./words.js";

const HIDDEN = "Hidden: make up your own mind first.";
const NO_NETWORK = "This game comes without a network.";
const NO_VALUES = "This game was recorded without values.";
const NEEDS_PYTHON = "What the network thinks needs Python.";
const WAITING = "Waiting for Python …";
const PAUSE = "Pause to see what the network thinks.";

/** Nothing is known of what the actions are worth; `missing` says why. */
function nothingKnown(missing) {
  return { values: null, chosen: null, missing };
}

/** What Python says of a board, or why there is nothing. */
function opinion({ recording, replay, hasPython, opinions, gameNumber }, cells) {
  const values = opinions.of(cells, gameNumber);
  if (values) return { values, missing: "" };
  if (!recording.learned) return { values: null, missing: NO_NETWORK };
  if (!hasPython) return { values: null, missing: NEEDS_PYTHON };
  return { values: null, missing: replay.playing ? PAUSE : WAITING };
}

export class Watching {
  chosenWord = "chosen";
  isOwn = false;

  constructor(view) {
    this.view = view;
  }

  get move() {
    return this.view.replay.index;
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
    if (this.isOver) return nothingKnown("");
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
    return !this.isOver && !this.hasValues;
  }

  /** What happens next, in words. */
  foretell(action) {
    return `Next: ${ACTIONS[action]}.`;
  }

  get ending() {
    return isDead(this.cells) ? "The game is over." : "The recording ends here.";
  }

  describe() {
    const { recording } = this.view;
    return `Move ${this.move} of ${recording.moves}`;
  }
}

export class Playing {
  chosenWord = "its choice";
  isOwn = true;

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
    if (!this.view.hand.isPeeking) return nothingKnown(HIDDEN);
    const { values, missing } = opinion(this.view, this.cells);
    return { values, chosen: values ? bestAction(values) : null, missing };
  }

  get needsOpinion() {
    return true;
  }

  foretell(action) {
    return `It would go: ${ACTIONS[action]}.`;
  }

  get ending() {
    return "The game is over.";
  }

  describe() {
    return `Move ${this.game.now.moves}`;
  }
}
