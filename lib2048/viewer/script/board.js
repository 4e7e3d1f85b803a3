// The board: an SVG drawing with the measures and colours of draw.py.

import { make } from "./dom.js";

const MOST_TILES = 17; // 16, and one more while two of them merge
const SMALLEST = 0.05; // of a tile that is born: a scale of 0 would have no inverse
const BUMP = 0.12; // by how much a merged tile grows before it settles

/** Fast at first, then slower: from 0 to 1. */
const eased = (part) => part * (2 - part);

function showNumber(tile, exponent, look) {
  const text = String(2 ** exponent);
  const font = Math.min(48, (0.86 * look.cell) / (0.7 * text.length));
  tile.square.setAttribute("fill", look.tiles[exponent]);
  tile.text.setAttribute("fill", look.inks[exponent]);
  tile.text.setAttribute("font-size", font);
  tile.text.setAttribute("y", 0.36 * font);
  tile.text.textContent = text;
  tile.exponent = exponent;
}

export class Board {
  /** A board of 4 x 4 cells, or of as many rows and columns as are asked for. */
  constructor(look, { rows = 4, columns = 4 } = {}) {
    this.look = look;
    this.rows = rows;
    this.columns = columns;
    this.used = 0; // tiles drawn so far in this picture
    this.tiles = Array.from({ length: MOST_TILES }, () => this.makeTile());
    this.marks = make("g", { class: "marks" });
    this.node = this.makeFrame();
  }

  // The parts of the drawing

  makeFrame() {
    const { rows, columns } = this;
    const width = this.extent(columns);
    const height = this.extent(rows);
    const holes = Array.from({ length: rows * columns }, (_, place) => {
      return this.put(this.makeSquare(this.look.tiles[0]), place);
    });
    return make(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "board" },
      make("rect", { width, height, rx: 14, fill: this.look.frame }),
      ...holes,
      ...this.tiles.map((tile) => tile.node),
      this.marks,
    );
  }

  /** The length of a side that so many cells lie along. */
  extent(count) {
    const { cell, gap, edge } = this.look;
    return count * cell + (count - 1) * gap + 2 * edge;
  }

  /** A square around the origin, as large as a cell. */
  makeSquare(colour) {
    const size = this.look.cell;
    const corner = -size / 2;
    const measures = { x: corner, y: corner, width: size, height: size, rx: 8 };
    return make("rect", { ...measures, fill: colour, class: "rim" });
  }

  makeTile() {
    const square = this.makeSquare("none");
    const text = make("text");
    const node = make("g", { visibility: "hidden" }, square, text);
    return { node, square, text, exponent: 0 };
  }

  /** The middle of a cell. */
  middle(cell) {
    const { edge, gap, cell: size } = this.look;
    const column = cell % this.columns;
    const row = Math.floor(cell / this.columns);
    return [edge + column * (size + gap) + size / 2, edge + row * (size + gap) + size / 2];
  }

  put(node, cell) {
    node.setAttribute("transform", `translate(${this.middle(cell)})`);
    return node;
  }

  // One picture: tiles are drawn one after the other, and those that are left over are hidden

  draw(exponent, [x, y], scale = 1) {
    const tile = this.tiles[this.used];
    this.used += 1;
    if (tile.exponent !== exponent) showNumber(tile, exponent, this.look);
    tile.node.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    tile.node.setAttribute("visibility", "visible");
  }

  finish() {
    for (const tile of this.tiles.slice(this.used)) tile.node.setAttribute("visibility", "hidden");
    this.used = 0;
  }

  /** A board at rest. */
  rest(cells) {
    cells.forEach((exponent, cell) => {
      if (exponent) this.draw(exponent, this.middle(cell));
    });
    this.finish();
  }

  /** The tiles of a transition on their way; `part` goes from 0 to 1. */
  slide({ before, paths }, part) {
    for (const { from, to } of paths) {
      const [startX, startY] = this.middle(from);
      const [endX, endY] = this.middle(to);
      const x = startX + (endX - startX) * eased(part);
      const y = startY + (endY - startY) * eased(part);
      this.draw(before[from], [x, y]);
    }
    this.finish();
  }

  /** The board after it, its new tile and its merged ones popping up; `part` goes from 0 to 1. */
  settle({ paths, to, born }, part) {
    const merged = new Set(paths.filter((path) => path.merged).map((path) => path.to));
    const grown = Math.max(SMALLEST, part);
    const bumped = 1 + BUMP * Math.sin(Math.PI * part);
    to.forEach((exponent, cell) => {
      if (!exponent) return;
      let scale = 1;
      if (cell === born) scale = grown;
      else if (merged.has(cell)) scale = bumped;
      this.draw(exponent, this.middle(cell), scale);
    });
    this.finish();
  }

  /** Outline cells, numbered in this order. */
  outline(cells) {
    const rings = cells.map((cell, order) => this.put(this.makeRing(order), cell));
    this.marks.replaceChildren(...rings);
  }

  makeRing(order) {
    const size = this.look.cell;
    const corner = -size / 2 - 2;
    const place = { x: corner, y: corner };
    const ring = { ...place, width: size + 4, height: size + 4, rx: 10, fill: "none" };
    const number = { x: corner + 13, y: corner + 20, "font-size": 20, class: "order" };
    return make(
      "g",
      {},
      make("rect", { ...ring, class: "halo" }),
      make("rect", { ...ring, class: "ring" }),
      make("rect", { ...place, width: 26, height: 26, rx: 8, class: "badge" }),
      make("text", number, String(order)),
    );
  }
}
