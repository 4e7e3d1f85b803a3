// A board whose tiles the reader sets: a button lies on every cell.

import { Board } from "../../../lib2048/viewer/script/board.js";
import { make, makeButton } from "../../../lib2048/viewer/script/dom.js";

const LARGEST = 15;

/** What is in a cell, in words. */
export function tileName(exponent) {
  return exponent ? String(2 ** exponent) : "empty";
}

export class Editor {
  /**
   *   rows, columns  how many of each
   *   changed        is called after an edit
   *   press          what a click on a cell does; it makes the tile larger unless told otherwise
   *   keys           more keys, each with what it does to a cell
   *   note           what is to be said of a cell besides its tile
   */
  constructor(look, { rows = 4, columns = 4, changed, press, keys = {}, note = () => "" }) {
    this.rows = rows;
    this.columns = columns;
    this.changed = changed;
    this.keys = keys;
    this.note = note;
    this.board = new Board(look, { rows, columns });
    this.cells = new Uint8Array(16);
    this.chosen = 0;
    this.isFixed = false; // whether tiles stay as they are
    this.press = press ?? ((cell, less) => this.raise(cell, less ? -1 : 1));
    this.buttons = Array.from({ length: rows * columns }, (_, cell) => this.makeCell(cell));
    this.board.node.setAttribute("aria-hidden", "true");
    this.grid = make("div", { class: "grid", role: "group" }, ...this.buttons);
    this.node = make("div", { class: "editor" }, this.board.node, this.grid);
    this.tools = this.makeTools();
    this.name("Board; its tiles can be set");
    this.focusOn(0);
  }

  makeCell(cell) {
    const { look } = this.board;
    const [x, y] = this.board.middle(cell);
    const width = this.board.extent(this.columns);
    const height = this.board.extent(this.rows);
    const percent = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;
    const button = make("button", {
      type: "button",
      class: "cell",
      tabindex: -1,
      click: (event) => {
        this.focusOn(cell);
        this.press(cell, event.shiftKey);
      },
      keydown: (event) => this.takeKey(event, cell),
      focus: () => this.focusOn(cell),
    });
    button.style.left = percent(x - look.cell / 2, width);
    button.style.top = percent(y - look.cell / 2, height);
    button.style.width = percent(look.cell, width);
    button.style.height = percent(look.cell, height);
    return button;
  }

  /** Buttons for the cell that was chosen last, for those who cannot press Shift or a key. */
  makeTools() {
    const on = (by) => () => this.raise(this.chosen, by);
    const smaller = makeButton("smaller", "−", on(-1));
    smaller.setAttribute("aria-label", "Smaller tile in the chosen cell");
    const larger = makeButton("larger", "+", on(1));
    larger.setAttribute("aria-label", "Larger tile in the chosen cell");
    const empty = makeButton("empty", "empty", () => this.set(this.chosen, 0));
    empty.setAttribute("aria-label", "Empty the chosen cell");
    const name = { class: "tools", role: "group", "aria-label": "Tile in the chosen cell" };
    return make("div", name, smaller, larger, empty);
  }

  name(text) {
    this.grid.setAttribute("aria-label", text);
  }

  /** From here on tiles stay as they are. */
  fix() {
    this.isFixed = true;
    this.tools.hidden = true;
    this.name("Board");
  }

  focusOn(cell) {
    this.buttons[this.chosen].tabIndex = -1;
    this.chosen = cell;
    this.buttons[cell].tabIndex = 0;
  }

  takeKey(event, cell) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { columns, rows } = this;
    const last = rows * columns - 1;
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const edits = { "+": 1, "=": 1, PageUp: 1, "-": -1, PageDown: -1 };
    if (Object.hasOwn(moves, event.key)) {
      const to = cell + moves[event.key];
      if (to >= 0 && to <= last) this.buttons[to].focus();
    } else if (Object.hasOwn(edits, event.key)) {
      this.raise(cell, edits[event.key]);
    } else if (["0", "Delete", "Backspace"].includes(event.key)) {
      this.set(cell, 0);
    } else if (Object.hasOwn(this.keys, event.key)) {
      this.keys[event.key](cell);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A tile that is one larger or smaller; beyond the largest an empty cell, and back. */
  raise(cell, by) {
    const count = LARGEST + 1;
    this.set(cell, (this.cells[cell] + by + count) % count);
  }

  set(cell, exponent) {
    if (this.isFixed) return;
    this.cells = Uint8Array.from(this.cells);
    this.cells[cell] = exponent;
    this.changed(this.cells);
  }

  /** Take over a board. */
  load(cells) {
    this.cells = Uint8Array.from(cells);
    this.label(this.cells);
  }

  /** Name the cells as they are shown now. */
  label(cells) {
    this.buttons.forEach((button, cell) => {
      const row = Math.floor(cell / this.columns) + 1;
      const column = (cell % this.columns) + 1;
      const place = this.rows > 1 ? `row ${row}, column ${column}` : `cell ${column}`;
      button.setAttribute("aria-label", `${place}: ${tileName(cells[cell])}${this.note(cell)}`);
    });
  }
}
