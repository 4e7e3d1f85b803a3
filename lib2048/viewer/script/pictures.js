// What a reader can take along: a board as an SVG, some moves as a GIF.

import { Board } from "./board.js";
import { make } from "./dom.js";
import { describe } from "./game.js";
import { makeGif, pixelsOf } from "./gif.js";
import { transition } from "./motion.js";

const FONT = 'Arial, Helvetica, "DejaVu Sans", sans-serif';
const WIDTH = 360; // pixels of a GIF
const SLIDING = 3; // pictures of a slide
const BRIEF = 4; // hundredths of a second for which each of them is shown
const REST = 28; // and a board at rest
const END = 200;
const SVG_STYLE =
  `text { font-family: ${FONT}; font-weight: bold; text-anchor: middle; } ` +
  ".rim { stroke: #2b231c; stroke-opacity: 0.35; stroke-width: 1.5; }";

/** A board as an SVG document. */
export function boardSvg(cells, look) {
  const board = new Board(look);
  board.rest(cells);
  const { node } = board;
  for (const tile of node.querySelectorAll("[visibility=hidden]")) tile.remove();
  const side = node.getAttribute("viewBox").split(" ")[2];
  node.setAttribute("width", side);
  node.setAttribute("height", side);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", describe(cells));
  const style = document.createElementNS(node.namespaceURI, "style");
  style.textContent = SVG_STYLE;
  node.prepend(style);
  return new XMLSerializer().serializeToString(node);
}

/** A board that is drawn on a canvas, for pictures; it moves as the board on the page does. */
class CanvasBoard extends Board {
  constructor(look, width) {
    super(look);
    const side = Number(this.node.getAttribute("viewBox").split(" ")[2]);
    this.canvas = make("canvas", { width, height: width });
    this.brush = this.canvas.getContext("2d", { willReadFrequently: true });
    this.brush.scale(width / side, width / side);
    this.brush.textAlign = "center";
    this.side = side;
    this.isFresh = true;
  }

  clear() {
    const { brush, look } = this;
    brush.fillStyle = look.frame;
    brush.fillRect(0, 0, this.side, this.side);
    for (let cell = 0; cell < 16; cell++) this.drawSquare(look.tiles[0], this.middle(cell), 1);
    this.isFresh = false;
  }

  drawSquare(colour, [x, y], scale) {
    const { brush } = this;
    const size = scale * this.look.cell;
    brush.fillStyle = colour;
    brush.beginPath();
    brush.roundRect(x - size / 2, y - size / 2, size, size, 8);
    brush.fill();
  }

  draw(exponent, middle, scale = 1) {
    if (this.isFresh) this.clear();
    const { brush, look } = this;
    const [x, y] = middle;
    const text = String(2 ** exponent);
    const font = scale * Math.min(48, (0.86 * look.cell) / (0.7 * text.length));
    this.drawSquare(look.tiles[exponent], middle, scale);
    brush.fillStyle = look.inks[exponent];
    brush.font = `bold ${font}px ${FONT}`;
    brush.fillText(text, x, y + 0.36 * font);
  }

  finish() {
    if (this.isFresh) this.clear(); // a board without tiles
    this.isFresh = true;
  }

  frame(hundredths) {
    return { pixels: pixelsOf(this.brush), hundredths };
  }
}

/** Some boards of a game, and the moves between them, as a GIF. */
export function movesGif(boards, actions, look) {
  const board = new CanvasBoard(look, WIDTH);
  const frames = [];
  actions.forEach((action, k) => {
    board.rest(boards[k]);
    frames.push(board.frame(REST));
    const plan = transition(boards[k], action, boards[k + 1]);
    for (let part = 1; part <= SLIDING; part++) {
      board.slide(plan, part / (SLIDING + 1));
      frames.push(board.frame(BRIEF));
    }
  });
  board.rest(boards[actions.length]);
  frames.push(board.frame(END));
  return makeGif(frames, WIDTH, WIDTH);
}

/** Let the reader save a file. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may be slow to fetch it
}
