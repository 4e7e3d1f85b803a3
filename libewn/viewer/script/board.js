// The board: an SVG drawing with the measures and colours of draw.py.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { SIDES, named, playedMove, shares } from "./sides.js";

const CUBE = 40; // its side, in the drawing's units
const CUBES = 6; // of each side
const ROUNDED = [3, 18]; // the corners of a cube: a grey print tells Blue's, which are round
const BEHIND = 19; // how far from the middle of a square an arrow begins, clear of the digit
const BEFORE = 17; // and how far before the middle it ends

/** Fast at first, then slower: from 0 to 1. */
const eased = (part) => part * (2 - part);

/** The head of an arrow that points along [dx, dy] to a tip. */
function arrowHead([tipX, tipY], [dx, dy], length, colour) {
  const barb = 0.6 * length;
  const neckX = tipX - length * dx;
  const neckY = tipY - length * dy;
  const corners = [
    [tipX, tipY],
    [neckX - barb * dy, neckY + barb * dx],
    [neckX + barb * dy, neckY - barb * dx],
  ];
  const path = corners.map((corner) => corner.join(" ")).join(" L");
  return make("path", { d: `M${path} Z`, fill: colour });
}

export class Board {
  constructor(look, game) {
    this.look = look;
    this.game = game;
    this.cubes = SIDES.map((_, side) => {
      return Array.from({ length: CUBES }, (_, n) => this.makeCube(side, n + game.first));
    });
    this.arrows = make("g");
    this.node = this.makeDrawing();
  }

  // The parts of the drawing

  makeDrawing() {
    const { rows, columns } = this.game;
    const { cell, edge } = this.look;
    const width = columns * cell + 2 * edge;
    const height = rows * cell + 2 * edge;
    const squares = Array.from({ length: rows * columns }, (_, square) => this.makeSquare(square));
    const cubes = this.cubes.flat().map((cube) => cube.node);
    const frame = { viewBox: `0 0 ${width} ${height}`, class: "board" };
    return make("svg", frame, ...squares, ...cubes, this.arrows);
  }

  makeSquare(square) {
    const { cell, line } = this.look;
    const [x, y] = this.middle(square);
    const place = { x: x - cell / 2, y: y - cell / 2, width: cell, height: cell };
    return make("rect", { ...place, fill: this.colourOf(square), stroke: line });
  }

  /** The two corners that the sides want to reach have their owners' hues. */
  colourOf(square) {
    const { rows, columns } = this.game;
    if (square === 0) return this.look.fills[1];
    if (square === rows * columns - 1) return this.look.goal;
    return this.look.board;
  }

  makeCube(side, number) {
    const { fills, rims, digits } = this.look;
    const corner = -CUBE / 2;
    const box = make("rect", {
      x: corner,
      y: corner,
      width: CUBE,
      height: CUBE,
      rx: ROUNDED[side],
      fill: fills[side],
      stroke: rims[side],
    });
    const text = make("text", { y: 8, "font-size": 23, fill: digits[side] }, String(number));
    return { box, node: make("g", { class: "cube" }, box, text) };
  }

  /** The middle of a square. */
  middle(square) {
    const { cell, edge } = this.look;
    const column = square % this.game.columns;
    const row = Math.floor(square / this.game.columns);
    return [edge + (column + 0.5) * cell, edge + (row + 0.5) * cell];
  }

  /** An arrow between the middles of two neighbouring squares. */
  makeArrow(from, to, thickness, colour) {
    const [startX, startY] = this.middle(from);
    const [endX, endY] = this.middle(to);
    const distance = Math.hypot(endX - startX, endY - startY);
    const dx = (endX - startX) / distance;
    const dy = (endY - startY) / distance;
    const head = 6 + thickness;
    const tip = [endX - BEFORE * dx, endY - BEFORE * dy];
    const shaft = make("line", {
      x1: startX + BEHIND * dx,
      y1: startY + BEHIND * dy,
      x2: tip[0] - head * dx,
      y2: tip[1] - head * dy,
      stroke: colour,
      "stroke-width": thickness,
    });
    return [shaft, arrowHead(tip, [dx, dy], head, colour)];
  }

  // What it shows

  /** A position at rest; `last` is the move before it, null if there was none. */
  rest(ply, last) {
    this.placeCubes(ply);
    const before = last ? this.makeArrow(last.from, last.to, 4, this.look.moved) : [];
    this.arrows.replaceChildren(...before, ...this.triedArrows(ply));
  }

  /** The moves that a person may choose, the one that is pointed at thicker than the others. */
  offer(ply, chosen) {
    const arrows = ply.moves.flatMap((move, n) => {
      const { from, to } = named(move);
      return this.makeArrow(from, to, n === chosen ? 9 : 3, this.look.tried);
    });
    this.arrows.replaceChildren(...arrows);
  }

  /** The number of the square at a place of the window, -1 beside the squares. */
  squareAt(x, y) {
    const { cell, edge } = this.look;
    const place = new DOMPoint(x, y).matrixTransform(this.node.getScreenCTM().inverse());
    const column = Math.floor((place.x - edge) / cell);
    const row = Math.floor((place.y - edge) / cell);
    const isInside = row >= 0 && row < this.game.rows && column >= 0 && column < this.game.columns;
    return isInside ? row * this.game.columns + column : -1;
  }

  placeCubes(ply) {
    const movers = new Set(ply.moves.map((move) => named(move).cube - this.game.first));
    this.cubes.forEach((six, side) => {
      six.forEach((cube, n) => {
        const square = ply.squares[side][n];
        const mayMove = side === ply.mover && movers.has(n);
        cube.box.setAttribute("stroke-width", mayMove ? 5 : 2);
        if (square < 0) cube.node.setAttribute("visibility", "hidden");
        else this.put(cube, this.middle(square));
      });
    });
  }

  put(cube, [x, y]) {
    cube.node.setAttribute("transform", `translate(${x} ${y})`);
    cube.node.setAttribute("visibility", "visible");
  }

  /** An arrow for each move, as thick as its share of the playouts. */
  triedArrows(ply) {
    const parts = shares(ply);
    if (!parts) return [];
    return ply.moves.flatMap((move, n) => {
      const { from, to } = named(move);
      return this.makeArrow(from, to, 2 + 10 * parts[n], this.look.tried);
    });
  }

  /** The cube that moves, on its way; `part` goes from 0 to 1. */
  glide(ply, part) {
    const move = playedMove(ply);
    const [startX, startY] = this.middle(move.from);
    const [endX, endY] = this.middle(move.to);
    const cube = this.cubes[ply.mover][move.cube - this.game.first];
    this.arrows.replaceChildren();
    this.node.insertBefore(cube.node, this.arrows); // above the one it takes
    const x = startX + (endX - startX) * eased(part);
    const y = startY + (endY - startY) * eased(part);
    this.put(cube, [x, y]);
  }
}
