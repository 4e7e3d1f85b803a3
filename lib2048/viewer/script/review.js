// A reader's game gone through: what the moves lost by the network's opinion, and the worst ones to
// try again.

import { worstMoves } from "./curves.js";
import { make, makeButton, say } from "./dom.js";
import { ACTIONS, bestAction } from "./game.js";
import { percent, rounded } from "./words.js";

const UNKNOWN = "What your moves were worth, only a network can say, and none was asked.";
const HEADINGS = [
  "No move of yours was worth less than another one.",
  "Your worst move",
  "Your two worst moves",
  "Your three worst moves",
];

/** All moves in a sentence or two; `losses` are those of curves.js, as far as they are known. */
function inWords(losses) {
  const worse = losses.filter((loss) => loss < 0).sort((a, b) => a - b);
  const agreed = percent(1 - worse.length / losses.length);
  const yours = `${agreed} of your ${rounded(losses.length)} moves`;
  const opinion = `In the network’s opinion ${yours} were as good as its own.`;
  if (!worse.length) return opinion;
  const typical = rounded(-worse[worse.length >> 1]);
  return `${opinion} A typical other one, the median, cost ${typical} points.`;
}

export class Review {
  /** `seek` shows a move, `retry` begins again there. */
  constructor({ seek, retry }) {
    this.seek = seek;
    this.retry = retry;
    this.recording = null; // the game that is shown
    this.summary = make("p");
    this.heading = make("h4");
    this.list = make("ol");
    this.node = make(
      "section",
      { class: "reviewed", "aria-label": "Your game", hidden: "" },
      make("h3", {}, "Your game, move by move"),
      this.summary,
      this.heading,
      this.list,
    );
  }

  /** Show a game that the reader played, while it is watched; anything else hides this. */
  show(recording, isWatched, problem = "") {
    this.node.hidden = !recording.own || !isWatched;
    if (this.node.hidden || this.recording === recording) return;
    this.recording = recording;
    const { losses } = recording.curves;
    const known = [...losses.slice(0, recording.moves)].filter(Number.isFinite);
    const worst = worstMoves(losses);
    say(this.summary, problem || (known.length ? inWords(known) : UNKNOWN));
    this.heading.hidden = !known.length;
    say(this.heading, HEADINGS[worst.length]);
    this.list.replaceChildren(...worst.map((move) => this.makeRow(recording, move)));
  }

  makeRow(recording, move) {
    const taken = ACTIONS[recording.actions[move]];
    const better = ACTIONS[bestAction([...recording.values(move)])];
    const words = `${taken} lost ${rounded(-recording.curves.losses[move])}; ${better} was better`;
    return make(
      "li",
      {},
      makeButton("pick", `Move ${rounded(move)}`, () => this.seek(move)),
      make("span", {}, words),
      makeButton("retry", "Try again from here", () => this.retry(recording.own, move)),
    );
  }
}
