// A reader's game gone through: what the moves lost by the network's opinion, and the worst ones to
// try again.

import { make, makeButton, say } from "./dom.js";
import { ACTIONS, bestAction } from "./game.js";
import { percent, rounded } from "./words.js";

const WORST = 3;
const LEAST = 0.5; // a loss that is shown as more than 0
const UNKNOWN = "What your moves were worth, only a network can say, and none was asked.";
const FLAWLESS = "No move of yours was worth less than another one.";

/** What each move lost against the best one; nothing where that is not known. */
export function lossesOf(recording) {
  const losses = [];
  for (let move = 0; move < recording.moves; move++) {
    const values = recording.values(move);
    const best = bestAction([...values]);
    const loss = best === null ? NaN : values[best] - values[recording.actions[move]];
    if (Number.isFinite(loss)) losses.push({ move, loss, best });
  }
  return losses;
}

function inWords(losses) {
  const sum = losses.reduce((so, { loss }) => so + loss, 0);
  const agreed = losses.filter(({ loss }) => loss === 0).length;
  const each = rounded(sum / losses.length);
  return (
    `In the network’s opinion your ${rounded(losses.length)} moves lost ${rounded(sum)} points, ` +
    `${each} a move. ${percent(agreed / losses.length)} of them were as good as its own.`
  );
}

export class Review {
  /** `seek` shows a move, `retry` begins again there. */
  constructor({ seek, retry }) {
    this.seek = seek;
    this.retry = retry;
    this.recording = null; // the game that is shown
    this.summary = make("p");
    this.heading = make("h4", {}, "Your three worst moves");
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
    const losses = lossesOf(recording);
    const worst = losses
      .filter(({ loss }) => loss >= LEAST)
      .sort((a, b) => b.loss - a.loss)
      .slice(0, WORST);
    const nothing = losses.length ? FLAWLESS : "";
    say(this.summary, problem || (losses.length ? inWords(losses) : UNKNOWN));
    this.heading.hidden = !losses.length;
    say(this.heading, worst.length ? "Your worst moves" : nothing);
    this.list.replaceChildren(...worst.map((about) => this.makeRow(recording, about)));
  }

  makeRow(recording, { move, loss, best }) {
    const taken = ACTIONS[recording.actions[move]];
    const words = `${taken} lost ${rounded(loss)}; ${ACTIONS[best]} was better`;
    return make(
      "li",
      {},
      makeButton("pick", `Move ${rounded(move)}`, () => this.seek(move)),
      make("span", {}, words),
      makeButton("retry", "Try again from here", () => this.retry(recording.own, move)),
    );
  }
}
