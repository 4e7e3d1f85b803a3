// Step size and number of games: how V of a board of the 2x2 game wanders about its exact value.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { Chart } from "../../widgets/script/chart.js";
import { tileName } from "../../widgets/script/editor.js";
import { makeChoice, showFrame } from "../../widgets/script/frame.js";
import { Stepper } from "../../widgets/script/stepper.js";
import { Gallery } from "./gallery.js";
import { stairs, walkedUpTo, wanderedOver } from "./walk.js";

const HINT = "Keys: ← → fewer or more games, ↑ ↓ a larger or smaller step, Space plays.";
const PACE = 220; // milliseconds a mark
const ROOM = 1.08; // above the highest value
const MOST = 3; // times the exact value; what goes further leaves the chart

const points = (value) => value.toFixed(1);

class Walks {
  constructor(model, el) {
    this.state = model.get("state");
    this.rule = 0;
    this.step = Math.min(2, this.state.alphas.length - 1);
    this.which = 0;
    this.makeParts(model.get("look"));
    this.announce = showFrame(el, {
      label: "Step size and number of games on the 2x2 game",
      keys: () => this.keys,
      hint: HINT,
      parts: this.layOut(),
    });
    this.rules.press(0);
    this.alphas.press(this.step);
    this.stepper.begin(this.state.marks.length - 1, this.state.marks.length - 1);
  }

  get keys() {
    return {
      ...this.stepper.handlers,
      ArrowUp: () => this.choose(this.step + 1),
      ArrowDown: () => this.choose(this.step - 1),
    };
  }

  get games() {
    return this.state.marks[this.stepper.at];
  }

  makeParts(look) {
    const { alphas, rules, boards } = this.state;
    this.rules = makeChoice(
      "Rule",
      rules.map((name, number) => [number, name]),
      (number) => {
        this.rule = number;
        this.show();
      },
    );
    const steps = alphas.map((name, number) => [number, name, `Step size ${name}`]);
    this.alphas = makeChoice("Step size", steps, (number) => this.choose(number));
    this.stepper = new Stepper({
      unit: "number of games",
      changed: () => this.show(),
      tell: () => `${this.games.toLocaleString("en")} games`,
      pace: PACE,
    });
    const shape = { rows: 2, columns: 2 };
    const pick = (number) => {
      this.which = number;
      this.show();
    };
    const label = "Board whose value is shown";
    this.boards = new Gallery(look, { label, count: boards.length, pick, shape });
    this.chart = new Chart({ height: 250, xName: "games", yName: "V of this board" });
    this.comparison = new Chart({ height: 150, xName: "step size", yName: "error of all V" });
    this.now = make("p", { class: "formula now" });
    this.said = make("p", { class: "saying" });
  }

  layOut() {
    const row = (text, node) => make("div", { class: "row" }, text, node);
    const count = make("h3", {}, "All boards: the RMS error after as many games");
    return [
      row("rule", this.rules.node),
      row("step size α", this.alphas.node),
      make("div", { class: "boards" }, this.boards.node),
      this.stepper.node,
      this.now,
      this.chart.node,
      this.said,
      count,
      this.comparison.node,
    ];
  }

  choose(step) {
    this.step = Math.max(0, Math.min(step, this.state.alphas.length - 1));
    this.alphas.press(this.step);
    this.show();
  }

  /** The walks of all step sizes, of this rule and board and up to the games that are shown. */
  walks() {
    const { visits, values } = this.state;
    return values[this.rule].map((ofAlpha) => {
      return walkedUpTo(visits[this.which], ofAlpha[this.which], this.games);
    });
  }

  /** The same room for all walks of a board, so that they can be compared. */
  get highest() {
    const { values, exact } = this.state;
    const all = values.flat().flatMap((ofBoards) => ofBoards[this.which]);
    const truth = exact[this.which];
    return ROOM * Math.min(MOST * truth, Math.max(...all, truth));
  }

  show() {
    this.drawBoards();
    this.drawWalk();
    this.drawComparison();
    this.write();
  }

  drawBoards() {
    const { boards, exact, visits } = this.state;
    boards.forEach((cells, number) => {
      const met = visits[number].filter((game) => game <= this.games).length;
      const words = `met ${met.toLocaleString("en")} ×`;
      const tiles = cells.map(tileName).join(" ");
      const spoken = `Board ${tiles}, exact value ${points(exact[number])}, ${words}`;
      const isPressed = number === this.which;
      this.boards.draw(number, { cells, outlined: [], words, spoken, isPressed });
    });
  }

  drawWalk() {
    const walks = this.walks();
    const lines = walks.map((walk, step) => {
      return { points: stairs(walk, this.games), name: step === this.step ? "chosen" : "other" };
    });
    const [chosen] = lines.splice(this.step, 1);
    const exact = this.state.exact[this.which];
    this.chart.draw({
      x: [0, this.games],
      y: [0, this.highest],
      lines: [...lines, chosen],
      levels: [{ y: exact, text: `exactly ${points(exact)}` }],
      label: `V of this board over ${this.games} games: ${this.sentence()}`,
    });
  }

  drawComparison() {
    const { alphas, errors, zero } = this.state;
    const found = errors[this.rule].map((ofAlpha) => ofAlpha[this.stepper.at]);
    const best = found.indexOf(Math.min(...found));
    const told = found.map((error, step) => `${alphas[step]}: ${error.toFixed(2)}`);
    this.comparison.draw({
      x: [-0.5, alphas.length - 0.5],
      y: [0, zero],
      xTicks: alphas.map((name, step) => [step, step === best ? `${name}, best` : name]),
      dots: found.map((error, step) => {
        return { at: [step, error], name: step === this.step ? "dot chosen" : "dot" };
      }),
      label: `RMS error by step size: ${told.join(", ")}`,
    });
  }

  sentence() {
    const walk = this.walks()[this.step];
    const wandered = wanderedOver(walk, this.games);
    if (walk.length === 1) return "This board has not come up yet, and V is still 0.";
    if (!wandered) return "It has hardly been met in the second half of these games.";
    const { low, high } = wandered;
    return `In the second half of these games V went from ${points(low)} to ${points(high)}.`;
  }

  write() {
    const walk = this.walks()[this.step];
    const [, value] = walk.at(-1);
    const exact = this.state.exact[this.which];
    const off = Math.abs(value - exact);
    const games = `${this.games.toLocaleString("en")} ${this.games === 1 ? "game" : "games"}`;
    say(this.now, `After ${games}: V = ${points(value)}, which is ${points(off)} off.`);
    say(this.said, this.sentence());
    this.announce?.(`${this.now.textContent} ${this.said.textContent}`);
  }
}

export function render({ model, el }) {
  const walks = new Walks(model, el);
  return () => {
    walks.stepper.pause();
    walks.chart.stop();
    walks.comparison.stop();
  };
}
