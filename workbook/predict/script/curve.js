// A curve to sketch, with the pointer or the arrow keys; the true one is drawn beside it.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { makeScale, rounded, told } from "./parts.js";

const NARROWEST = 240;
const WIDEST = 620;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 44;
const ROWS = 40; // steps of a height
const TICKS = 4; // of an axis
const ROOM = 90; // that a number below the axis takes

export class Curve {
  hint = "Draw with the pointer; or ← → go along, ↑ ↓ raise and lower the line.";

  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
    this.across = makeScale(about.x[0], about.x[1], about.scale === "log");
    this.upwards = makeScale(about.y[0], about.y[1], false);
    this.heights = Array(about.columns).fill(null);
    this.cursor = 0;
    this.width = WIDEST;
    this.entry = null;
    this.makeParts();
    this.node = this.layOut();
    this.fitting = new ResizeObserver(() => this.fit());
    this.fitting.observe(this.plot);
  }

  /** Take the width there is, so that letters are as large as they are anywhere. */
  fit() {
    const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, this.plot.clientWidth)));
    if (width === this.width && this.plot.hasAttribute("viewBox")) return;
    this.width = width;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.axes.replaceChildren(...this.makeAxes());
    this.draw();
    this.drawTruth();
  }

  stop() {
    this.fitting.disconnect();
  }

  // Places

  xOf(column) {
    return LEFT + (column / (this.about.columns - 1)) * (this.width - LEFT - RIGHT);
  }

  yOf(share) {
    const inside = Math.min(1.02, Math.max(-0.02, share));
    return HEIGHT - BOTTOM - inside * (HEIGHT - TOP - BOTTOM);
  }

  valueAt(column) {
    return this.across.value(column / (this.about.columns - 1));
  }

  // Parts

  makeParts() {
    this.mine = make("path", { class: "mine" });
    this.truth = make("path", { class: "truth" });
    this.dot = make("path", { class: "cursor" });
    this.names = make("g", { class: "names" });
    this.axes = make("g", {}, ...this.makeAxes());
    this.plot = make(
      "svg",
      {
        class: "plot",
        role: "slider",
        tabindex: 0,
        "aria-label": `sketch of ${this.about.y[2]} over ${this.about.x[2]}`,
        "aria-orientation": "vertical",
        "aria-valuemin": this.about.y[0],
        "aria-valuemax": this.about.y[1],
        pointerdown: (event) => this.beginDrawing(event),
        pointermove: (event) => this.goOnDrawing(event),
        pointerup: () => this.endDrawing(),
        pointercancel: () => this.endDrawing(),
        keydown: (event) => this.press(event),
      },
      this.axes,
      this.mine,
      this.truth,
      this.dot,
      this.names,
    );
  }

  makeAxes() {
    const bottom = HEIGHT - BOTTOM;
    const axis = `M${LEFT} ${TOP}V${bottom}H${this.width - RIGHT}`;
    const parts = [make("path", { class: "axis", d: axis })];
    for (let n = 0; n <= TICKS; n += 1) {
      const y = this.yOf(n / TICKS);
      const up = told(Number(this.upwards.value(n / TICKS).toPrecision(3)));
      parts.push(
        make("path", { class: "grid", d: `M${LEFT} ${y}H${this.width - RIGHT}` }),
        make("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, up),
      );
    }
    const inside = this.width - LEFT - RIGHT;
    const numbers = Math.max(1, Math.min(TICKS, Math.floor(inside / ROOM)));
    for (let n = 0; n <= numbers; n += 1) {
      const place = { x: LEFT + (n / numbers) * inside, y: bottom + 16 };
      const across = told(rounded(this.across.value(n / numbers)));
      const anchor = n === numbers ? "end" : "middle";
      parts.push(make("text", { ...place, "text-anchor": anchor }, across));
    }
    const middle = (LEFT + this.width - RIGHT) / 2;
    const below = { x: middle, y: HEIGHT - 8, "text-anchor": "middle", class: "label" };
    parts.push(make("text", below, this.about.x[2]));
    return parts;
  }

  layOut() {
    return make("div", { class: "sketch" }, make("p", {}, this.about.y[2]), this.plot);
  }

  // Drawing

  /** The heights; null as long as nothing is sketched. */
  get value() {
    const sketched = this.filled();
    return sketched && sketched.map((share) => Number(this.upwards.value(share).toPrecision(6)));
  }

  /** All columns: those that were passed over lie on the line between their neighbours. */
  filled() {
    const known = this.heights.flatMap((share, n) => (share === null ? [] : [n]));
    if (!known.length) return null;
    return this.heights.map((share, n) => {
      if (share !== null) return share;
      const before = known.filter((k) => k < n).pop() ?? known[0];
      const after = known.find((k) => k > n) ?? known.at(-1);
      if (before === after) return this.heights[before];
      const part = Math.max(0, Math.min(1, (n - before) / (after - before)));
      return this.heights[before] + part * (this.heights[after] - this.heights[before]);
    });
  }

  beginDrawing(event) {
    if (this.isLocked) return;
    this.plot.setPointerCapture(event.pointerId);
    this.isDrawing = true;
    this.last = null;
    this.goOnDrawing(event);
  }

  goOnDrawing(event) {
    if (!this.isDrawing) return;
    const box = this.plot.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    const place = ((x - LEFT) / (this.width - LEFT - RIGHT)) * (this.about.columns - 1);
    const column = Math.max(0, Math.min(this.about.columns - 1, Math.round(place)));
    const share = (HEIGHT - BOTTOM - y) / (HEIGHT - TOP - BOTTOM);
    this.put(column, Math.max(0, Math.min(1, share)));
  }

  endDrawing() {
    this.isDrawing = false;
  }

  /** Set the height of a column, and of those between it and the last one. */
  put(column, share) {
    const { last } = this;
    if (last && Math.abs(last.column - column) > 1) {
      const step = Math.sign(column - last.column);
      for (let n = last.column + step; n !== column; n += step) {
        const part = (n - last.column) / (column - last.column);
        this.heights[n] = last.share + part * (share - last.share);
      }
    }
    this.last = { column, share };
    this.heights[column] = share;
    this.cursor = column;
    this.draw();
    this.changed();
  }

  press(event) {
    const raise = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    const walk = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (this.isLocked || (raise === undefined && walk === undefined)) return;
    event.preventDefault();
    const current = this.filled()?.[this.cursor] ?? 0;
    this.last = null;
    if (raise !== undefined) {
      this.put(this.cursor, Math.max(0, Math.min(1, current + raise / ROWS)));
      return;
    }
    // going along takes the height with it, so that a line can be drawn by keys alone
    this.heights[this.cursor] = current;
    const column = Math.max(0, Math.min(this.about.columns - 1, this.cursor + walk));
    this.put(column, this.heights[column] ?? current);
  }

  draw() {
    const shares = this.heights.map((share, n) => (share === null ? null : [n, share]));
    const points = (this.isLocked ? this.filled() : null)?.map((share, n) => [n, share]);
    this.mine.setAttribute("d", this.path(points ?? shares.filter(Boolean)));
    const share = this.heights[this.cursor] ?? this.filled()?.[this.cursor] ?? 0;
    const here = `M${this.xOf(this.cursor)} ${this.yOf(share)}h0.01`;
    this.dot.setAttribute("d", here);
    const text = `at ${told(rounded(this.valueAt(this.cursor)))}: ${this.heightOf(share)}`;
    this.plot.setAttribute("aria-valuetext", text);
    this.plot.setAttribute("aria-valuenow", this.upwards.value(share));
  }

  heightOf(share) {
    return told(Number(this.upwards.value(share).toPrecision(3)));
  }

  path(points) {
    const places = points.map(([column, share]) => `${this.xOf(column)} ${this.yOf(share)}`);
    return places.length ? `M${places.join("L")}` : "";
  }

  fill(entry) {
    this.heights = entry.map((height) => this.upwards.share(height));
    this.draw();
  }

  setLocked(isLocked) {
    this.isLocked = isLocked;
    this.draw();
  }

  reveal(entry) {
    this.entry = entry;
    this.plot.classList.toggle("locked", entry !== null);
    if (entry === null) {
      this.heights.fill(null);
      this.cursor = 0;
      this.draw();
    }
    this.drawTruth();
  }

  /** The true curve, once something is entered. */
  drawTruth() {
    if (this.entry === null) {
      this.truth.setAttribute("d", "");
      this.names.replaceChildren();
      return;
    }
    const points = this.about.right.map(([x, y]) => {
      const column = this.across.share(x) * (this.about.columns - 1);
      return [column, this.upwards.share(y)];
    });
    this.truth.setAttribute("d", this.path(points));
    this.names.replaceChildren(
      this.makeName("mine", this.filled().at(-1), "you"),
      this.makeName("truth", points.at(-1)[1], "it is"),
    );
  }

  makeName(kind, share, text) {
    const place = { x: this.width - RIGHT - 4, y: this.yOf(share) - 6, "text-anchor": "end" };
    return make("text", { ...place, class: kind }, text);
  }

  /** The true height at a column, between the points that are given. */
  trueShare(column) {
    const at = this.valueAt(column);
    const { right } = this.about;
    const after = right.findIndex(([x]) => x >= at);
    if (after < 0) return this.upwards.share(right.at(-1)[1]);
    if (after === 0) return this.upwards.share(right[0][1]);
    const [[x0, y0], [x1, y1]] = [right[after - 1], right[after]];
    return this.upwards.share(y0 + ((at - x0) / (x1 - x0)) * (y1 - y0));
  }

  judge(entry) {
    const differences = entry.map((height, n) => this.upwards.share(height) - this.trueShare(n));
    const size = differences.reduce((sum, share) => sum + Math.abs(share), 0) / entry.length;
    const isRight = size < 0.1;
    const mean = told(Number((size * (this.about.y[1] - this.about.y[0])).toPrecision(2)));
    const distance = `Your line is ${mean} off on average.`;
    const verdict = isRight ? `${distance} That is close.` : distance;
    return { isRight, verdict, replies: [] };
  }
}
