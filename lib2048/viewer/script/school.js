// A network that learns from nothing in the page: a worker plays and learns, here its curve grows.

import { Board } from "./board.js";
import { CompactNetwork } from "./compact.js";
import { make, makeButton, say } from "./dom.js";
import { fromHex } from "./game.js";
import { drawPlot } from "./plot.js";
import { percent, rounded } from "./words.js";

const RECENT = 100; // games that are averaged, for the curve and in words
const POINTS = 400; // of the curve at most; then every second one is dropped
const HEIGHT = 130;
const BEGIN = "Let a network learn from nothing";
const EMPTY =
  "It plays game after game here, in your browser, and learns from each when it is over.";

/** The mean of the newest numbers. */
function recentMean(numbers) {
  const newest = numbers.slice(-RECENT);
  return newest.reduce((sum, number) => sum + number, 0) / newest.length;
}

export class School {
  /**
   * `settings` and `script` are those of learner.js; `show(network)` is called with what was
   * learned so far, when the reader asks for it.
   */
  constructor({ look, settings, script, show }) {
    this.look = look;
    this.settings = settings;
    this.script = script;
    this.show = show;
    this.worker = null;
    this.isRunning = false;
    this.scores = [];
    this.wins = [];
    this.points = []; // of the curve: means of the newest games
    this.stride = 1; // rounds of learning between two points
    this.rounds = 0;
    this.build();
  }

  build() {
    this.board = new Board(this.look);
    this.toggle = makeButton("learn", BEGIN, () => this.turn());
    this.watch = makeButton("pupil", "Watch what it has learned", () => this.ask("show"));
    this.watch.disabled = true;
    this.status = make("p", { class: "schoolstatus" }, EMPTY);
    this.drawing = make("svg", { class: "plot", role: "img" });
    this.ending = make("div", { class: "ending" }, this.board.node, "the end of its newest game");
    const columns = make("div", { class: "schoolcolumns", hidden: "" }, this.drawing, this.ending);
    this.columns = columns;
    const buttons = make("div", { class: "playbar" }, this.toggle, this.watch);
    const name = { class: "v2048 school", "aria-label": "A network that learns here" };
    this.node = make("section", name, buttons, this.status, columns);
  }

  // The worker

  turn() {
    if (!this.worker) this.begin();
    else this.ask(this.isRunning ? "pause" : "run");
    this.isRunning = !this.isRunning;
    say(this.toggle, this.isRunning ? "Pause learning" : "Go on learning");
  }

  begin() {
    const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = ({ message }) => say(this.status, `Learning has stopped: ${message}`);
    this.worker.postMessage({ order: "begin", settings: this.settings });
    this.watch.disabled = false;
    this.columns.hidden = false;
  }

  ask(order) {
    this.worker.postMessage({ order });
  }

  hear({ tables, games, count, board }) {
    if (tables) {
      this.show(this.networkOf(tables, count));
      return;
    }
    for (const { score, largest } of games) {
      this.scores.push(score);
      this.wins.push(Number(largest >= 2048));
    }
    this.board.rest(fromHex(board));
    this.addPoint();
    this.write(count);
  }

  /** The weights as a network that plays: see compact.js. A step of 1 leaves them as they are. */
  networkOf(tables, games) {
    const { patterns, p4 } = this.settings;
    const about = { patterns, p4, games, values: "afterstate", symmetries: 8, step: 1 };
    return new CompactNetwork(about, tables, this.look.places);
  }

  // What it shows

  addPoint() {
    this.rounds += 1;
    if (this.rounds % this.stride) return;
    this.points.push(recentMean(this.scores));
    if (this.points.length < POINTS) return;
    this.points = this.points.filter((_, k) => k % 2);
    this.stride *= 2;
  }

  write(count) {
    const mean = recentMean(this.scores);
    const best = this.scores.reduce((high, score) => Math.max(high, score), 0);
    const wins = percent(recentMean(this.wins));
    const words =
      `${rounded(count)} games. The newest ${Math.min(RECENT, count)}: ${rounded(mean)} points, ` +
      `${wins} reached 2048. Best game: ${rounded(best)}.`;
    say(this.status, words);
    this.drawing.setAttribute("aria-label", `Mean score of the newest games: ${rounded(mean)}`);
    this.draw();
  }

  draw() {
    const width = this.drawing.clientWidth;
    if (!width || this.points.length < 2) return;
    const { parts } = drawPlot([{ name: "", worths: this.points }], 0, width, HEIGHT);
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.drawing.replaceChildren(...parts);
  }
}
