// What a board would be after an action: drawn faintly, with the new tiles that may come.

import { make } from "./dom.js";
import { emptyCells } from "./places.js";

const INK = "#10243f"; // on the colour of an empty cell, in both themes
const FONT = 21;
const LINE = 28; // from one line of a label to the next

/** A probability as briefly as it can be read. */
function chance(p) {
  const percent = 100 * p;
  return percent >= 10 ? percent.toFixed(0) : percent.toFixed(1);
}

export class Ghost {
  /** `board` is the Board whose drawing it goes into. */
  constructor(board) {
    this.board = board;
    this.marks = make("g", { class: "spawns" });
    board.node.append(this.marks);
    this.isShown = false;
  }

  /** Show an afterstate; a new tile is a 4 with probability p4. */
  show(cells, p4) {
    this.isShown = true;
    this.board.node.classList.add("faint");
    this.board.rest(cells);
    const places = emptyCells(cells);
    const texts = [
      [2, (1 - p4) / places.length],
      [4, p4 / places.length],
    ];
    const lines = texts.filter(([, p]) => p > 0).map(([tile, p]) => `${tile}: ${chance(p)} %`);
    this.marks.replaceChildren(...places.map((cell) => this.makeMark(cell, lines)));
  }

  hide() {
    if (!this.isShown) return;
    this.isShown = false;
    this.board.node.classList.remove("faint");
    this.marks.replaceChildren();
  }

  makeMark(cell, lines) {
    const size = this.board.look.cell - 12;
    const place = { x: -size / 2, y: -size / 2, width: size, height: size, rx: 8 };
    const first = FONT * 0.36 - ((lines.length - 1) * LINE) / 2;
    const texts = lines.map((line, n) => {
      return make("text", { y: first + n * LINE, "font-size": FONT, fill: INK }, line);
    });
    const frame = make("rect", { ...place, class: "spawn" });
    return this.board.put(make("g", {}, frame, ...texts), cell);
  }
}

/** An afterstate in words: what may come, and how likely it is. */
export function spawnsInWords(cells, p4) {
  const places = emptyCells(cells).length;
  const each = `a 2 with ${chance((1 - p4) / places)} %, a 4 with ${chance(p4 / places)} %`;
  return places === 1 ? `one cell is empty: ${each}` : `each of ${places} empty cells: ${each}`;
}
