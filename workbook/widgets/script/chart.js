// A small chart: lines over two axes, drawn anew in pixels whenever its width changes.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { ticks } from "./steps.js";

const MARGIN = { left: 46, right: 12, top: 12, bottom: 36 };
const NARROW = 420;
const USUAL_WIDTH = 520; // while the page has not laid the chart out

export class Chart {
  /** `height` is in pixels; `xName` and `yName` stand at the axes. */
  constructor({ height, xName, yName }) {
    this.height = height;
    this.names = { xName, yName };
    this.about = null;
    this.node = make("svg", { class: "chart", role: "img", height });
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.node);
  }

  /**
   * Draw a chart.
   *   x, y    [low, high] of the axes          lines  [{ points: [[x, y], ...], name: a class }]
   *   dots    [{ at: [x, y], name: a class }]  xTicks  [[x, text], ...] in place of round numbers
   *   levels  [{ y, text }], lines across      label  what it shows, in words
   */
  draw(about) {
    this.about = about;
    this.paint();
  }

  paint() {
    if (!this.about) return;
    const width = this.node.clientWidth || USUAL_WIDTH;
    this.node.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.node.setAttribute("aria-label", this.about.label);
    this.place = this.makePlace(width);
    const { lines = [], dots = [], levels = [] } = this.about;
    this.node.replaceChildren(
      ...this.makeAxes(width),
      ...lines.map((line) => this.makeLine(line)),
      ...levels.flatMap((level) => this.makeLevel(level, width)),
      ...dots.map(({ at, name }) => {
        const [x, y] = this.place(at);
        return make("rect", { x: x - 4, y: y - 4, width: 8, height: 8, rx: 4, class: name });
      }),
    );
  }

  /** A function that gives the pixels of a point. */
  makePlace(width) {
    const { x, y } = this.about;
    const across = width - MARGIN.left - MARGIN.right;
    const up = this.height - MARGIN.top - MARGIN.bottom;
    const share = ([low, high], value) => (value - low) / (high - low || 1);
    return ([one, other]) => [
      MARGIN.left + across * share(x, one),
      MARGIN.top + up * (1 - Math.max(-0.02, Math.min(1.02, share(y, other)))),
    ];
  }

  makeAxes(width) {
    const { x, y, xTicks } = this.about;
    const bottom = this.height - MARGIN.bottom;
    const horizontal = ticks(...y, 4).flatMap((value) => {
      const [, at] = this.place([x[0], value]);
      const line = { x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at, class: "grid" };
      const text = { x: MARGIN.left - 6, y: at + 4, class: "tick end" };
      return [make("line", line), make("text", text, value.toLocaleString("en"))];
    });
    const count = width < NARROW ? 3 : 5;
    const marks = xTicks ?? ticks(...x, count).map((at) => [at, at.toLocaleString("en")]);
    const vertical = marks.map(([value, text]) => {
      const [at] = this.place([value, y[0]]);
      return make("text", { x: at, y: bottom + 16, class: "tick" }, text);
    });
    const center = (MARGIN.left + width - MARGIN.right) / 2;
    const xName = { x: center, y: this.height - 4, class: "name" };
    const middle = (MARGIN.top + bottom) / 2;
    const yName = { x: 0, y: 0, class: "name", transform: `translate(11 ${middle}) rotate(-90)` };
    const names = [make("text", xName, this.names.xName), make("text", yName, this.names.yName)];
    return [...horizontal, ...vertical, ...names];
  }

  makeLine({ points, name }) {
    const path = points.map((point) => this.place(point).map((at) => at.toFixed(1)).join(" "));
    return make("path", { d: `M${path.join("L")}`, class: `line ${name}` });
  }

  makeLevel({ y, text }, width) {
    const [, at] = this.place([0, y]);
    const line = { x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at, class: "level" };
    const words = { x: width - MARGIN.right - 3, y: at - 5, class: "levelname end" };
    return [make("line", line), make("text", words, text)];
  }

  stop() {
    this.observer.disconnect();
  }
}
