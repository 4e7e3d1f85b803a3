// The slide bench: set tiles, slide them, and watch every step.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { ACTIONS, ARROWS } from "../../../lib2048/viewer/script/game.js";
import { Glide } from "../../../lib2048/viewer/script/motion.js";
import { Editor } from "../../widgets/script/editor.js";
import { makeChoice, makeColumns, showFrame } from "../../widgets/script/frame.js";
import { Stepper } from "../../widgets/script/stepper.js";
import { rewardOf, slideSteps } from "./steps.js";
import { tell } from "./telling.js";

const HINT =
  "On a tile: arrow keys go to another one, + − change it, 0 empties it. " +
  "Elsewhere: W A S D choose where to slide, ← → step, Space plays.";
const KEYS = { w: 0, d: 1, s: 2, a: 3 };

class Bench {
  constructor(model, el) {
    const state = model.get("state");
    this.isRow = state.rows === 1;
    this.action = state.action;
    this.stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.glide = null;
    this.makeParts(model.get("look"), state);
    this.announce = showFrame(el, {
      label: "Slide bench",
      keys: () => this.keys,
      hint: HINT,
      parts: this.layOut(),
    });
    this.editor.load(state.cells);
    this.restart(0);
  }

  get actions() {
    return this.isRow ? [3, 1] : [0, 1, 2, 3];
  }

  get keys() {
    const slides = Object.entries(KEYS).filter(([, action]) => this.actions.includes(action));
    const handlers = slides.map(([key, action]) => [key, () => this.slide(action)]);
    return { ...this.stepper.handlers, ...Object.fromEntries(handlers) };
  }

  makeParts(look, state) {
    this.editor = new Editor(look, { rows: state.rows, changed: () => this.restart(0) });
    const options = this.actions.map((action) => {
      return [action, `${ARROWS[action]} ${ACTIONS[action]}`, `Slide ${ACTIONS[action]}`];
    });
    this.directions = makeChoice("Where to slide", options, (action) => this.slide(action));
    this.stepper = new Stepper({
      unit: "step",
      changed: (at, before) => this.show(at, before),
      tell: (at) => `step ${at} of ${this.stepper.last}: ${this.told?.[at].join(": ")}`,
    });
    this.list = make("ol", { class: "steps" });
    this.reward = make("span", { class: "number reward" });
  }

  layOut() {
    const directions = make("div", { class: "row" }, "slide", this.directions.node);
    const earned = make("p", { class: "earned" }, "earned so far: ", this.reward);
    const left = [directions, this.editor.node, this.editor.tools];
    return [makeColumns(left, [this.stepper.node, this.list, earned])];
  }

  /** A slide from the tiles as they were set. */
  slide(action) {
    this.action = action;
    this.restart(1);
  }

  restart(at) {
    this.steps = slideSteps(this.editor.cells, this.action);
    this.told = tell(this.steps, this.action, this.isRow);
    this.directions.press(this.action);
    const items = this.told.map(([lead, text]) => {
      return make("li", {}, make("span", { class: "lead" }, `${lead}. `), text);
    });
    this.list.replaceChildren(...items);
    this.stepper.begin(this.steps.length - 1, at);
  }

  show(at, before) {
    const step = this.steps[at];
    [...this.list.children].forEach((item, number) => {
      item.classList.toggle("now", number === at);
      item.classList.toggle("later", number > at);
      item.setAttribute("aria-hidden", String(number > at));
    });
    say(this.reward, String(rewardOf(this.steps.slice(0, at + 1))));
    this.editor.label(step.to);
    this.paint(step, at === before + 1);
    this.announce?.(this.told[at].join(". "));
  }

  /** Draw a step, on its way where it is the next one and motion is wanted. */
  paint(step, isNext) {
    const moves = isNext && step.paths.length > 0 && !this.stillness.matches;
    this.glide = moves ? new Glide({ ...step, born: -1 }) : null;
    this.editor.board.rest(moves ? step.before : step.to);
    if (moves) this.animate(step, this.glide);
  }

  animate(step, glide) {
    requestAnimationFrame((now) => {
      if (this.glide !== glide) return;
      if (glide.paint(this.editor.board, now)) this.animate(step, glide);
      else this.editor.board.rest(step.to);
    });
  }
}

export function render({ model, el }) {
  const bench = new Bench(model, el);
  return () => bench.stepper.pause();
}
