// The drawing behind the slider: curves over a whole game, ticks above them, the errors below.

import { make } from "./dom.js";
import { withRoom } from "./labels.js";
import { extremes, thinned } from "./thinning.js";
import { roundedUp } from "./scales.js";
import { compact } from "./words.js";

const LEFT = 40; // pixels for what stands beside the curves
const RIGHT = 8;
const TOP = 17; // for the labels of the ticks
const BAND = 0.24; // of the height below them
const DIGIT = 7.2; // the width of a digit of the labels, at most
const STEPS = 3; // lines across the curves, about

/** Where things stand in a drawing of this size that spans positions 0 to `last`. */
class Frame {
  constructor(width, height, last) {
    this.width = width;
    this.height = height;
    this.last = Math.max(1, last);
    this.right = width - RIGHT;
    this.bandHeight = (height - TOP) * BAND;
    this.bottom = height - this.bandHeight - 3; // of the curves
    this.middle = height - this.bandHeight / 2; // of the band
  }

  get columns() {
    return Math.max(1, Math.round(this.right - LEFT));
  }

  x(at) {
    return LEFT + (at / this.last) * (this.right - LEFT);
  }

  /** The position that stands at a place, which may lie beside the curves. */
  positionAt(x) {
    const part = (x - LEFT) / (this.right - LEFT);
    return Math.round(Math.max(0, Math.min(1, part)) * this.last);
  }

  /** Set the range of the numbers that the curves show. */
  span(low, high) {
    this.low = low;
    this.high = high > low ? high : low + 1;
  }

  y(number) {
    const part = (number - this.low) / (this.high - this.low);
    return this.bottom - part * (this.bottom - TOP);
  }
}

function rangeOf(games) {
  let low = 0;
  let high = 0;
  for (const { worths, scores } of games) {
    for (const numbers of [worths, scores ?? []]) {
      for (const number of numbers) {
        if (number < low) low = number;
        if (number > high) high = number;
      }
    }
  }
  return [low, high];
}

/** One coordinate of a path; a tenth of a pixel is fine enough. */
const short = (number) => Math.round(10 * number) / 10;

function makeLine(numbers, frame, name) {
  const last = numbers.length - 1;
  const columns = (frame.columns * last) / frame.last;
  const runs = thinned(numbers, columns).map((run) => {
    const points = run.map(([at, number]) => `${short(frame.x(at))} ${short(frame.y(number))}`);
    return points.length === 1 ? `M${points[0]}h0.1` : `M${points.join("L")}`;
  });
  return make("path", { class: `line ${name}`, d: runs.join("") });
}

/** The errors as strokes from a middle line: up where it turned out better, down where worse. */
function makeBand(errors, frame) {
  let largest = 0;
  for (const error of errors) if (Math.abs(error) > largest) largest = Math.abs(error);
  const { middle, bandHeight, columns } = frame;
  // by the square root, so that the smaller ones are seen beside the largest
  const reach = (error) => {
    return Math.sign(error) * Math.sqrt(Math.abs(error) / largest) * (bandHeight / 2);
  };
  const strokes = [];
  const perColumn = Math.max(1, (frame.last + 1) / columns);
  for (let start = 0; start < errors.length && largest > 0; start += perColumn) {
    const end = Math.min(errors.length, Math.floor(start + perColumn));
    const [first, second = first] = extremes(errors, Math.floor(start), end);
    if (!Number.isFinite(errors[first])) continue;
    const high = Math.max(0, reach(errors[first]), reach(errors[second]));
    const low = Math.min(0, reach(errors[first]), reach(errors[second]));
    const x = short(frame.x(Math.floor(start)));
    strokes.push(`M${x} ${short(middle - high)}V${short(middle - low)}`);
  }
  const line = make("path", { class: "zero", d: `M${LEFT} ${middle}H${frame.right}` });
  return [line, make("path", { class: "errors", d: strokes.join("") })];
}

/** A dot for each of the largest errors, where the band is. */
function makeDots(places, frame) {
  return places.map((at) => {
    return make("circle", { class: "dot", cx: short(frame.x(at)), cy: frame.middle, r: 3 });
  });
}

/** Lines across, with what they stand for beside them. */
function makeGrid(frame) {
  const step = roundedUp((frame.high - frame.low) / STEPS);
  const parts = [];
  const lowest = Math.ceil(frame.low / step);
  const highest = Math.floor(frame.high / step);
  for (let n = lowest; n <= highest; n++) {
    const number = n * step;
    const y = short(frame.y(number));
    const place = { x: LEFT - 5, y: y + 3.5, "text-anchor": "end", class: "axis" };
    parts.push(make("path", { class: "grid", d: `M${LEFT} ${y}H${frame.right}` }));
    parts.push(make("text", place, compact(number || 0)));
  }
  return parts;
}

/** A tick at each mark {at, text}; the last ones matter most where labels would touch. */
function makeTicks(marks, frame) {
  const lines = marks.map(({ at }) => `M${short(frame.x(at))} ${TOP - 3}V${short(frame.bottom)}`);
  const wanted = [...marks].reverse().map(({ at, text }) => {
    return { text, x: frame.x(at), width: DIGIT * text.length };
  });
  const texts = withRoom(wanted, 0, frame.width).map(({ text, x }) => {
    return make("text", { x: short(x), y: TOP - 6, "text-anchor": "middle", class: "tick" }, text);
  });
  return [make("path", { class: "ticks", d: lines.join("") }), ...texts];
}

/** The names of the other games, each where its curve ends. */
function makeNames(others, frame) {
  const wanted = others.map(({ name, worths }) => {
    return { text: name, x: frame.x(worths.length - 1), width: DIGIT * name.length };
  });
  return withRoom(wanted, LEFT, frame.right).map(({ text, x }) => {
    const place = { x: short(x), y: short(frame.bottom) - 4, "text-anchor": "middle" };
    return make("text", { ...place, class: "othername" }, text);
  });
}

/**
 * Draw games: each has {name, worths} and, as far as they are known, {scores, errors, marks, dots},
 * of which those of the chosen one are drawn; its `range` says what the curves span, if that is
 * fixed. Returns {frame, parts}.
 */
export function drawPlot(games, chosen, width, height) {
  const last = Math.max(...games.map(({ worths }) => worths.length - 1));
  const frame = new Frame(width, height, last);
  const own = games[chosen];
  const others = games.filter((_, n) => n !== chosen);
  frame.span(...(own.range ?? rangeOf([...others.map(({ worths }) => ({ worths })), own])));
  const parts = [
    ...makeGrid(frame),
    ...makeTicks(own.marks ?? [], frame),
    ...(own.errors ? makeBand(own.errors, frame) : []),
    ...makeDots(own.dots ?? [], frame),
    ...others.map(({ worths }) => makeLine(worths, frame, "other")),
    ...(own.scores ? [makeLine(own.scores, frame, "score")] : []),
    makeLine(own.worths, frame, "worth"),
    ...makeNames(others, frame),
  ];
  return { frame, parts };
}
