// The right-hand side: what the network thinks of the four actions, and what other networks think.

import { Bars } from "./bars.js";
import { Choices } from "./choices.js";
import { make, makeButton, say, setPressed } from "./dom.js";
import { DifferenceScale, ValueScale, roundedUp } from "./scales.js";
import { whyOf } from "./why.js";
import { rounded } from "./words.js";

const SCALES = [
  ["best", "difference"],
  ["game", "whole game"],
  ["move", "this move"],
];

/** What is added to the reward, as a formula, and what the legend calls it. */
function formula(recording) {
  if (recording.plies > 1) return { after: "E", legend: "E, what the search expects" };
  const after = recording.learned === "state" ? "E V(s'')" : "V(s')";
  return { after, legend: after };
}

export class Thinking {
  /**
   * `changed` is called when the scale of the bars changes, `peek` when a bar is pointed at: see
   * bars.js.
   */
  constructor(changed, peek) {
    this.changed = changed;
    this.scale = SCALES[0][0];
    this.bars = new Bars(peek);
    this.heading = make("h3");
    this.others = new Choices();
    this.after = make("span", { class: "after" });
    this.parts = [this.heading, this.bars.node, this.makeLegend(), this.others.node];
  }

  makeScales() {
    this.switches = SCALES.map(([scale, text]) => [
      scale,
      makeButton("switch", text, () => this.measureBy(scale)),
    ]);
    const group = { class: "scale", role: "group", "aria-label": "Scale of the bars" };
    const node = make("div", group, ...this.switches.map(([, button]) => button));
    this.press(this.scale);
    return node;
  }

  measureBy(scale) {
    this.press(scale);
    this.changed();
  }

  press(wanted) {
    this.scale = wanted;
    for (const [scale, button] of this.switches) setPressed(button, scale === wanted);
  }

  makeLegend() {
    this.full = make("span");
    this.losses = make("span", { class: "key" }, make("span", { class: "swatch loss" }), this.full);
    this.sums = make(
      "span",
      { class: "key" },
      make("span", { class: "swatch value" }),
      this.after,
      make("span", { class: "swatch reward" }),
      make("span", {}, "reward r"),
    );
    return make("div", { class: "legend" }, this.losses, this.sums, this.makeScales());
  }

  /** `mode` is one of those in modes.js; the reason is left out where there is no time to read. */
  write(mode, recording, hasTime) {
    const { after, legend } = formula(recording);
    const search = recording.plies > 1 ? `, looking ${recording.plies} plies ahead` : "";
    say(this.heading, `r + ${after}: what each action is worth${search}`);
    say(this.after, legend);
    const thoughts = mode.thoughts();
    const known = thoughts.values ? [...thoughts.values].filter(Number.isFinite) : [];
    const scale = this.scaleFor(known, recording);
    this.writeLegend(scale);
    const usual = recording.curves.usualError;
    const about = { ...thoughts, cells: mode.cells };
    const why = hasTime ? whyOf({ ...about, usual }) : "";
    this.bars.show({ ...about, why, word: mode.chosenWord, scale, after });
  }

  writeLegend(scale) {
    const isDifference = this.scale === "best";
    this.losses.hidden = !isDifference;
    this.sums.hidden = isDifference;
    const full = rounded(scale.full);
    if (isDifference) say(this.full, `points below the best; a full bar is ${full} or more`);
  }

  /** The chosen scale, for a board whose actions are worth this. */
  scaleFor(known, recording) {
    if (this.scale === "best") {
      const worst = known.length ? Math.max(...known) - Math.min(...known) : 0;
      return new DifferenceScale(recording.fullDifference ?? roundedUp(worst));
    }
    const game = this.scale === "game" ? recording.range : [];
    return new ValueScale(Math.min(0, ...game, ...known), Math.max(0, ...game, ...known));
  }

  hideOthers() {
    this.others.hide();
  }

  /** What each network thinks of this board. */
  showOthers(values, games) {
    this.others.show(values, games);
  }
}
