// A number on a scale.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { roundStep } from "../../widgets/script/steps.js";
import { makeScale, rounded, told } from "./parts.js";

const STEPS = 200; // of the slider
const ROOM = 40; // percent of the line that words need

export class NumberLine {
  hint = "Arrow keys move the slider; or type a number.";

  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
    this.isLog = about.scale === "log";
    this.scale = makeScale(about.low, about.high, this.isLog);
    this.step = this.isLog ? null : roundStep(about.high - about.low, STEPS);
    this.entered = null;
    this.makeSlider();
    this.makeField();
    this.shown = make("div", { class: "line", "aria-hidden": "true" });
    this.shown.hidden = true;
    this.node = this.layOut();
  }

  makeSlider() {
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: STEPS,
      value: STEPS / 2,
      "aria-label": "my prediction",
      "aria-valuetext": "nothing entered yet",
      input: () => this.take(this.valueAt(Number(this.slider.value) / STEPS), this.field),
      pointerdown: () => this.slider.dispatchEvent(new Event("input")),
    });
  }

  makeField() {
    this.field = make("input", {
      type: "text",
      inputmode: "decimal",
      class: "number",
      "aria-label": "my prediction as a number",
      placeholder: "?",
      input: () => this.type(),
    });
  }

  layOut() {
    const { low, high, unit } = this.about;
    const ends = [make("span", {}, told(low)), make("span", {}, told(high, unit))];
    return make(
      "div",
      { class: "number-line" },
      make("div", { class: "slider" }, this.slider, make("div", { class: "ends" }, ...ends)),
      make("label", { class: "typed" }, this.field, make("span", {}, unit)),
      this.shown,
    );
  }

  valueAt(share) {
    const value = rounded(this.scale.value(share), this.step);
    return Math.min(this.about.high, Math.max(this.about.low, Number(value.toPrecision(12))));
  }

  get value() {
    return this.entered;
  }

  /** Take over a number, and show it in the other control. */
  take(value, other) {
    this.entered = value;
    if (other === this.field) this.field.value = String(value);
    else this.slider.value = String(STEPS * this.scale.share(value));
    this.slider.setAttribute("aria-valuetext", told(value, this.about.unit));
    this.node.classList.add("touched");
    this.changed();
  }

  type() {
    const text = this.field.value.replaceAll(",", "").replace("−", "-").trim();
    const value = Number(text);
    const { low, high } = this.about;
    const isInside = text !== "" && Number.isFinite(value) && low <= value && value <= high;
    this.field.setAttribute("aria-invalid", String(text !== "" && !isInside));
    if (isInside) this.take(value, this.slider);
    else {
      this.entered = null;
      this.changed();
    }
  }

  fill(entry) {
    this.take(entry, this.field);
    this.take(entry, this.slider);
  }

  setLocked(isLocked) {
    this.slider.disabled = isLocked;
    this.field.disabled = isLocked;
  }

  /** A line on which both lie, in place of the slider. */
  reveal(entry) {
    this.shown.hidden = entry === null;
    if (entry === null) {
      this.entered = null;
      this.field.value = "";
      this.slider.setAttribute("aria-valuetext", "nothing entered yet");
      this.node.classList.remove("touched");
      return;
    }
    const { right, unit } = this.about;
    // the words stand on the sides turned away from one another, so that no line crosses them
    const sides = entry <= right ? ["before", "after"] : ["after", "before"];
    this.shown.replaceChildren(
      this.makeBand(),
      this.makeMark("you", entry, sides[0], `you: ${told(entry, unit)}`),
      this.makeMark("true", right, sides[1], `it is ${told(right, unit)}`),
    );
  }

  makeMark(kind, value, wantedSide, text) {
    const place = 100 * this.scale.share(value);
    const edges = [place < ROOM, place > 100 - ROOM]; // where there is room on one side only
    let side = wantedSide;
    if (edges[0]) side = "after";
    if (edges[1]) side = "before";
    const words = make("span", { class: `words ${side}` }, text);
    return make("div", { class: `at ${kind}`, style: `left: ${place}%` }, words);
  }

  /** What counts as close. */
  makeBand() {
    const { right, close, low, high } = this.about;
    const from = this.isLog ? right / close : right - close;
    const to = this.isLog ? right * close : right + close;
    const left = 100 * this.scale.share(Math.max(low, from));
    const width = 100 * this.scale.share(Math.min(high, to)) - left;
    return make("div", { class: "band", style: `left: ${left}%; width: ${width}%` });
  }

  judge(entry) {
    const { right, close, unit, replies } = this.about;
    const distance = this.isLog ? Math.max(entry / right, right / entry) : Math.abs(entry - right);
    const isRight = distance <= close * (1 + 1e-9);
    const both = `You said ${told(entry, unit)}; it is ${told(right, unit)}.`;
    const verdict = isRight ? `${both} That is close.` : `${both}${this.howFar(entry)}`;
    const reply = isRight ? "" : replies[entry > right ? 1 : 0];
    return { isRight, verdict, replies: [reply] };
  }

  /** How far off a number is: in times where it is more than twice as much, or as little. */
  howFar(entry) {
    const { right } = this.about;
    const ratio = entry > right ? entry / right : right / entry;
    const word = entry > right ? "too much" : "too little";
    if (!(ratio >= 2 && Number.isFinite(ratio) && entry * right > 0)) return ` That is ${word}.`;
    return ` That is ${told(Number(ratio.toPrecision(2)))} times ${word}.`;
  }
}
