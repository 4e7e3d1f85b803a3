// The right-hand side: what the network thinks of the four actions, and what other networks think.

import { Bars } from "./bars.js";
import { make, makeSelect, say, withLabel } from "./dom.js";
import { ARROWS, bestAction } from "./game.js";
import { DifferenceScale, ValueScale, roundedUp } from "./scales.js";
import { rounded } from "./words.js";

const SCALES = [
  ["best", "below the best"],
  ["game", "the whole game"],
  ["move", "this move"],
];

/** What is added to the reward, as a formula, and what the legend calls it. */
function formula(recording) {
  if (recording.plies > 1) return { after: "E", legend: "E, what the search expects" };
  const after = recording.learned === "state" ? "E V(s'')" : "V(s')";
  return { after, legend: after };
}

export class Thinking {
  /** `changed` is called when the scale of the bars changes. */
  constructor(changed) {
    this.scale = SCALES[0][0];
    this.bars = new Bars();
    this.heading = make("h3");
    this.others = make("p", { class: "others", hidden: "" });
    this.after = make("span", { class: "after" });
    const scale = makeSelect("Scale of the bars", SCALES, (value) => {
      this.scale = value;
      changed();
    });
    this.parts = [this.heading, this.bars.node, this.makeLegend(scale), this.others];
  }

  makeLegend(scale) {
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
    const choice = withLabel("scale", scale, { class: "scale" });
    return make("div", { class: "legend" }, this.losses, this.sums, choice);
  }

  /** `mode` is one of those in modes.js. */
  write(mode, recording) {
    const { after, legend } = formula(recording);
    const search = recording.plies > 1 ? `, looking ${recording.plies} plies ahead` : "";
    say(this.heading, `r + ${after}: what each action is worth${search}`);
    say(this.after, legend);
    const thoughts = mode.thoughts();
    const known = thoughts.values ? [...thoughts.values].filter(Number.isFinite) : [];
    const scale = this.scaleFor(known, recording);
    this.writeLegend(scale);
    this.bars.show({ ...thoughts, cells: mode.cells, word: mode.chosenWord, scale, after });
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
    this.others.hidden = true;
  }

  /** The choice of each network on this board. */
  showOthers(values, games) {
    const choices = values.map((four, n) => {
      if (!four) return null;
      const best = bestAction(four);
      return `${games[n].name} ${ARROWS[best]} ${rounded(four[best])}`;
    });
    say(this.others, `On this board: ${choices.filter(Boolean).join(" · ")}`);
    this.others.hidden = false;
  }
}
