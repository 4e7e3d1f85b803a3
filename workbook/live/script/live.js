// A training while it runs: the curve grows, a board plays on, and a button stops it.

import { Board } from "../../../lib2048/viewer/script/board.js";
import { make, makeButton, say } from "../../../lib2048/viewer/script/dom.js";
import { describe } from "../../../lib2048/viewer/script/game.js";
import { makeKeyListener } from "../../../lib2048/viewer/script/keyboard.js";
import { follow } from "../../../lib2048/viewer/script/link.js";
import { rounded } from "../../../lib2048/viewer/script/words.js";
import { Exhibition, readBoard } from "./exhibition.js";
import { Plot } from "./plot.js";

const STATUS = {
  running: "It trains.",
  done: "The training is done.",
  stopped: "The training was stopped; what it learned is kept.",
  failed: "The training failed.",
};
const FEW = 20; // games, to begin with, where nobody knows how many there will be
const PATIENCE = 3_000; // milliseconds after which Python counts as busy
const SPOKEN_EVERY = 10_000; // milliseconds between two announcements

class View {
  constructor(model) {
    this.model = model;
    this.about = model.get("about");
    this.board = new Board(model.get("look"));
    this.exhibition = new Exhibition(this.board);
    this.plot = new Plot(this.about.first, this.about.first + (this.about.games ?? FEW));
    this.spokenAt = 0;
    this.makeParts();
    this.node = this.layOut();
  }

  makeParts() {
    const { games, seconds } = this.about;
    const label = games ? "games of training" : "seconds of training";
    this.bar = make("progress", { max: games ?? seconds, value: 0, "aria-label": label });
    this.counted = make("span", { class: "number" });
    this.stopButton = makeButton("halt", "Stop", () => this.stopTraining());
    this.state = make("p", { class: "saying" });
    this.heard = make("div", { class: "heard", role: "status", "aria-live": "polite" });
    this.picture = make("div", { class: "playing", role: "img" }, this.board.node);
    this.caption = make("p", { class: "caption" });
  }

  layOut() {
    const frame = {
      class: "w2048 live",
      role: "group",
      "aria-label": "Training",
      keydown: makeKeyListener(() => ({})),
    };
    const top = { class: "row" };
    const right = [this.plot.node, this.state];
    return make(
      "div",
      frame,
      make("div", top, this.bar, this.counted, this.stopButton),
      make(
        "div",
        { class: "columns" },
        make("div", { class: "left" }, this.picture, this.caption),
        make("div", { class: "side" }, ...right),
      ),
      this.heard,
    );
  }

  stopTraining() {
    this.model.send({ topic: "stop" });
    this.stopButton.disabled = true;
    say(this.stopButton, "Stopping …");
    this.busyTimer = setTimeout(() => this.sayBusy(), PATIENCE);
  }

  /** Python hears of the button only between two cells. */
  sayBusy() {
    if (!this.isRunning) return;
    say(this.stopButton, "Stops after the present cell");
    say(this.heard, "Python is busy. The training stops when the present cell is done.");
  }

  // What the texts say

  get isRunning() {
    return this.model.get("status") === "running";
  }

  write() {
    const played = this.model.get("played");
    const points = this.model.get("points");
    const { games, first, seconds } = this.about;
    const taken = this.model.get("seconds");
    this.bar.value = games ? played : taken;
    const of = games ? ` of ${rounded(games)}` : "";
    const time = games ? `${taken.toFixed(1)} s` : `${taken.toFixed(0)} of ${rounded(seconds)} s`;
    say(this.counted, `${rounded(played)}${of} games, ${time}`);
    if (!this.isRunning) this.plot.end(first + played);
    else if (!games) this.plot.reach(first + played);
    this.plot.draw(points);
    say(this.state, this.told(points));
    this.speak();
  }

  told(points) {
    const status = this.model.get("status");
    const problem = this.model.get("problem");
    const beginning = status === "running" ? "" : `${STATUS[status]} `;
    if (problem) return `${beginning}${problem}`;
    const first = "The first games are being played.";
    if (!points.length) return status === "running" ? first : beginning;
    const [, mean, best] = points.at(-1);
    const block = points[0][0];
    if (block === 1) return `${beginning}The last game: ${rounded(best)} points.`;
    const last = `The last ${rounded(block)} games: ${rounded(mean)} points on average, `;
    return `${beginning}${last}${rounded(best)} at best.`;
  }

  speak() {
    const now = performance.now();
    if (this.isRunning && now - this.spokenAt < SPOKEN_EVERY) return;
    this.spokenAt = now;
    say(this.heard, `${this.counted.textContent}. ${this.state.textContent}`);
  }

  writeStatus() {
    const { isRunning } = this;
    this.stopButton.hidden = !isRunning;
    this.node.classList.toggle("failed", this.model.get("status") === "failed");
    this.write();
    this.writeBoard();
  }

  writeBoard() {
    const { board, score } = this.model.get("shown");
    if (!board) return;
    const points = `${rounded(score)} points`;
    const words = this.isRunning
      ? `It plays on with what it knows so far: ${points}.`
      : `So far it came meanwhile: ${points}.`;
    say(this.caption, words);
    this.picture.setAttribute("aria-label", describe(readBoard(board)));
  }

  show() {
    this.exhibition.add(this.model.get("shown"));
    this.writeBoard();
  }

  start() {
    this.exhibition.begin(this.model.get("shown").board);
    this.unfollow = follow(this.model, {
      points: () => this.write(),
      played: () => this.write(),
      status: () => this.writeStatus(),
      shown: () => this.show(),
    });
    this.writeStatus();
  }

  stop() {
    clearTimeout(this.busyTimer);
    this.exhibition.stop();
    this.plot.stop();
    this.unfollow();
    this.node.remove();
  }
}

/** Show the widget of this model in an element; returns how to take it away. */
export function render({ model, el }) {
  const view = new View(model);
  el.append(view.node);
  view.start();
  return () => view.stop();
}
