// The learning curve: mean scores of blocks, and the best game of each, as they come.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { rounded } from "../../../lib2048/viewer/script/words.js";
import { roundStep, ticks } from "../../widgets/script/steps.js";

const NARROWEST = 250;
const WIDEST = 600;
const HEIGHT = 270;
const LEFT = 62;
const RIGHT = 16;
const TOP = 26;
const BOTTOM = 42;
const PARTS = 4; // into which grid lines divide a side, about

export class Plot {
  constructor(low, high) {
    this.low = low;
    this.high = high;
    this.points = [];
    this.width = WIDEST;
    this.mean = make("path", { class: "mean" });
    this.best = make("path", { class: "best" });
    this.axes = make("g", { class: "axes" });
    this.node = make(
      "svg",
      { class: "plot", role: "img" },
      this.axes,
      ...this.makeLegend(),
      this.best,
      this.mean,
    );
    this.top = 0;
    this.fitting = new ResizeObserver(() => this.fit());
    this.fitting.observe(this.node);
  }

  /** Take the width there is, so that letters are as large as they are anywhere. */
  fit() {
    const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, this.node.clientWidth)));
    if (width === this.width && this.node.hasAttribute("viewBox")) return;
    this.width = width;
    this.node.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.top = 0;
    this.draw(this.points);
  }

  stop() {
    this.fitting.disconnect();
  }

  /** Let the axis go at least so far. */
  reach(games) {
    if (games <= this.high) return;
    this.high = this.low + Math.max(2 * (this.high - this.low), games - this.low);
    this.top = 0;
  }

  /** Where the axis ends. */
  end(games) {
    if (games === this.high || games <= this.low) return;
    this.high = games;
    this.top = 0;
  }

  makeLegend() {
    const y = 10;
    return [
      make("path", { class: "mean", d: `M${LEFT} ${y}h22` }),
      make("text", { x: LEFT + 28, y: y + 4 }, "block mean"),
      make("path", { class: "best", d: `M${LEFT + 108} ${y}h22` }),
      make("text", { x: LEFT + 136, y: y + 4 }, "best"),
    ];
  }

  x(games) {
    return LEFT + ((games - this.low) / (this.high - this.low)) * (this.width - LEFT - RIGHT);
  }

  y(score) {
    return HEIGHT - BOTTOM - (score / this.top) * (HEIGHT - TOP - BOTTOM);
  }

  /** Draw these points: [games, mean, best] of each block. */
  draw(points) {
    this.points = points;
    const largest = Math.max(100, ...points.map(([, , best]) => best));
    const step = roundStep(largest, PARTS);
    const top = Math.ceil(largest / step) * step;
    if (top !== this.top) {
      this.top = top;
      this.drawAxes();
    }
    this.mean.setAttribute("d", this.path(points, 1));
    this.best.setAttribute("d", this.path(points, 2));
    this.node.setAttribute("aria-label", this.told(points));
  }

  path(points, field) {
    const places = points.map((point) => {
      return `${this.x(this.low + point[0]).toFixed(1)} ${this.y(point[field]).toFixed(1)}`;
    });
    if (places.length === 1) return `M${places[0]}h0.01`;
    return places.length ? `M${places.join("L")}` : "";
  }

  drawAxes() {
    const bottom = HEIGHT - BOTTOM;
    const parts = [];
    for (const score of ticks(0, this.top, PARTS)) {
      const y = this.y(score);
      parts.push(
        make("path", { class: "grid", d: `M${LEFT} ${y}H${this.width - RIGHT}` }),
        make("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, rounded(score)),
      );
    }
    for (const games of ticks(this.low, this.high, PARTS)) {
      const x = this.x(games);
      const anchor = x > this.width - RIGHT - 20 ? "end" : "middle";
      parts.push(make("text", { x, y: bottom + 16, "text-anchor": anchor }, rounded(games)));
    }
    const middle = (LEFT + this.width - RIGHT) / 2;
    const below = { x: middle, y: HEIGHT - 6, "text-anchor": "middle" };
    parts.push(
      make("path", { class: "axis", d: `M${LEFT} ${TOP}V${bottom}H${this.width - RIGHT}` }),
      make("text", below, "games of training"),
    );
    this.axes.replaceChildren(...parts);
  }

  told(points) {
    if (!points.length) return "Learning curve, still empty";
    const means = [points[0], points.at(-1)].map(([, mean]) => rounded(mean));
    return `Learning curve: mean score from ${means[0]} to ${means[1]} points`;
  }
}
