// The graph of a game, which is its slider: curves over all positions, and where we are in them.

import { make, say } from "./dom.js";
import { drawPlot } from "./plot.js";

export class Graph {
  /**
   *   name       what positions are called, for a screen reader: "Move"
   *   seek(at)   a position was chosen
   *   inWords(at)  a position, for a screen reader
   *   glance     what shows the position under the pointer: {node, show(at), hide()}
   *   keys       what the curves are: pairs of a curve's class and its name
   */
  constructor({ name, seek, inWords, glance, keys }) {
    this.seek = seek;
    this.inWords = inWords;
    this.glance = glance;
    this.games = null;
    this.chosen = 0;
    this.index = 0;
    this.last = 0;
    this.frame = null; // where things stand in the drawing, null as long as nothing is drawn
    this.isPressed = false;
    this.build(name, keys);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.slider);
  }

  build(name, keys) {
    this.drawing = make("svg", { "aria-hidden": "true" });
    this.cursor = make("div", { class: "cursor" });
    this.slider = make(
      "div",
      {
        class: "plot",
        role: "slider",
        tabindex: 0,
        "aria-label": name,
        "aria-valuemin": 0,
        keydown: (event) => this.press(event),
        pointerdown: (event) => this.grasp(event),
        pointermove: (event) => this.point(event),
        pointerup: () => this.release(),
        pointercancel: () => this.release(),
        pointerleave: () => this.glance.hide(),
      },
      this.drawing,
      this.cursor,
    );
    this.keys = Object.fromEntries(keys.map(([curve]) => [curve, make("span", { class: "key" })]));
    for (const [curve, text] of keys) {
      this.keys[curve].append(make("span", { class: `stroke ${curve}` }), make("span", {}, text));
    }
    this.head = make("div", { class: "graphhead" }, ...Object.values(this.keys));
    this.node = make("div", { class: "graph" }, this.head, this.slider, this.glance.node);
  }

  // What it shows

  /** Show these games, as drawPlot in plot.js takes them; the chosen one is what is sought in. */
  show(games, chosen) {
    this.games = games;
    this.chosen = chosen;
    this.last = games[chosen].worths.length - 1;
    this.slider.setAttribute("aria-valuemax", this.last);
    for (const [curve, key] of Object.entries(this.keys)) key.hidden = !this.hasCurve(curve);
    this.draw();
  }

  hasCurve(curve) {
    const { worths, scores, errors, areLosses } = this.games[this.chosen];
    const isKnown = worths.slice(0, -1).some(Number.isFinite); // the end of a game always is
    if (curve === "other") return this.games.length > 1;
    if (curve === "score") return Boolean(scores);
    if (curve === "worth") return isKnown;
    return isKnown && Boolean(errors) && Boolean(areLosses) === (curve === "losses");
  }

  /** Nothing is drawn while there is no room, as in a view that is not shown. */
  draw() {
    const { clientWidth: width, clientHeight: height } = this.slider;
    if (!this.games || width < 1) return;
    const { frame, parts } = drawPlot(this.games, this.chosen, width, height);
    this.frame = frame;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.replaceChildren(...parts);
    this.place();
  }

  /** Show where we are; a screen reader is told only when the position stays. */
  write(index, stays) {
    this.index = index;
    this.place();
    if (!stays) return;
    this.slider.setAttribute("aria-valuenow", index);
    const words = this.inWords(index);
    if (this.slider.getAttribute("aria-valuetext") !== words) {
      this.slider.setAttribute("aria-valuetext", words);
    }
  }

  place() {
    if (this.frame) this.cursor.style.transform = `translateX(${this.frame.x(this.index)}px)`;
  }

  // The pointer and the keys

  positionOf(event) {
    const { left } = this.slider.getBoundingClientRect();
    return Math.min(this.last, this.frame.positionAt(event.clientX - left));
  }

  grasp(event) {
    if (!this.frame || event.button !== 0) return;
    this.isPressed = true;
    this.slider.setPointerCapture(event.pointerId); // it may go on beside the graph
    this.glance.hide();
    this.seek(this.positionOf(event));
  }

  point(event) {
    if (!this.frame) return;
    const at = this.positionOf(event);
    const { frame } = this;
    if (this.isPressed) this.seek(at);
    else if (event.pointerType !== "touch") this.glance.show(at, frame.x(at), frame.width);
  }

  release() {
    this.isPressed = false;
  }

  /** Up and down do here what they do on any slider; other keys are the whole viewer's. */
  press(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const by = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (!by || ctrlKey || metaKey || altKey || shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(Math.max(0, Math.min(this.last, this.index + by)));
  }

  stop() {
    this.watcher.disconnect();
  }
}

/** What shows a position while the pointer is over its place: any drawing, and a line of text. */
export class Glance {
  /** `draw(at)` draws the position and returns what is to be said of it. */
  constructor(drawing, draw) {
    this.draw = draw;
    this.text = make("div", { class: "glancetext" });
    this.node = make("div", { class: "glance", "aria-hidden": "true", hidden: "" });
    this.node.append(drawing, this.text);
  }

  /** `x` is the place of the position, `width` how wide the graph is. */
  show(at, x, width) {
    say(this.text, this.draw(at));
    this.node.hidden = false;
    const half = this.node.offsetWidth / 2;
    const middle = Math.max(half, Math.min(width - half, x));
    this.node.style.transform = `translateX(${Math.round(middle - half)}px)`;
  }

  hide() {
    this.node.hidden = true;
  }
}
