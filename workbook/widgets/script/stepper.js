// Steps that are gone through one by one: buttons, a slider, keys, and a clock that goes on.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { makeIconButton, setIcon } from "../../../lib2048/viewer/script/icons.js";

const PACE = 1400; // milliseconds that a step is shown for while it plays

export class Stepper {
  /**
   *   unit     what is counted, such as "step"
   *   changed  is called with the step that is shown now, and the one before
   *   tell     gives a step in words, for the slider
   */
  constructor({ unit, changed, tell = (at) => `${unit} ${at} of ${this.last}`, pace = PACE }) {
    this.unit = unit;
    this.changed = changed;
    this.tell = tell;
    this.pace = pace;
    this.at = 0;
    this.last = 0;
    this.clock = null;
    this.node = this.makeControls();
  }

  makeControls() {
    const { unit } = this;
    this.play = makeIconButton("play", "Play", () => this.toggle());
    const buttons = [
      makeIconButton("first", "To the start", () => this.seek(0)),
      makeIconButton("back", `One ${unit} back`, () => this.seek(this.at - 1)),
      this.play,
      makeIconButton("step", `One ${unit} on`, () => this.seek(this.at + 1)),
      makeIconButton("last", "To the end", () => this.seek(this.last)),
    ];
    this.slider = make("input", {
      type: "range",
      class: "seek",
      min: 0,
      step: 1,
      "aria-label": unit[0].toUpperCase() + unit.slice(1),
      input: () => this.seek(Number(this.slider.value)),
    });
    const group = { class: "buttons", role: "group", "aria-label": "Steps" };
    return make("div", { class: "transport" }, make("div", group, ...buttons), this.slider);
  }

  /** Keys, for the frame's `keys`. */
  get handlers() {
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => this.seek(this.at - 1),
      ArrowRight: () => this.seek(this.at + 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.last),
    };
  }

  /** Other steps: how many there are, and which one is shown first. */
  begin(last, at = 0) {
    this.pause();
    this.last = last;
    this.show(Math.min(at, last));
  }

  /** Show a step; who asks for one wants the clock to stand still. */
  seek(at) {
    this.pause();
    this.show(Math.max(0, Math.min(at, this.last)));
  }

  show(at) {
    const before = this.at;
    this.at = at;
    this.slider.max = this.last; // before the value, which it bounds
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", this.tell(at));
    this.changed(at, before);
  }

  toggle() {
    if (this.clock !== null) {
      this.pause();
      return;
    }
    setIcon(this.play, "pause", "Pause");
    if (this.at === this.last) this.show(0);
    this.clock = setInterval(() => this.tick(), this.pace);
  }

  tick() {
    if (!this.node.isConnected || this.at === this.last) this.pause();
    else this.show(this.at + 1);
  }

  pause() {
    clearInterval(this.clock);
    this.clock = null;
    setIcon(this.play, "play", "Play");
  }
}
