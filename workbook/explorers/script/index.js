// The index machine: draw a pattern, change tiles, and watch which weight is looked up.

import { make, makeButton, say } from "../../../lib2048/viewer/script/dom.js";
import { describe } from "../../../lib2048/viewer/script/game.js";
import { imageName, patternName } from "../../../lib2048/viewer/script/ranking.js";
import { Editor } from "../../widgets/script/editor.js";
import { makeChoice, makeColumns, showFrame } from "../../widgets/script/frame.js";
import { Digits } from "./digits.js";
import { Gallery } from "./gallery.js";
import { hex, sharing, sides } from "./lookup.js";

const HINT =
  "On a cell: arrow keys go to another one, + − change its tile, 0 empties it, " +
  "P takes it into the pattern or out of it.";
const LONGEST = 8; // cells of a pattern
const SHARING = 3; // boards that are made up
const TURNED = 5; // the side from which the last of them shows the same

class Machine {
  constructor(model, el) {
    const state = model.get("state");
    this.look = model.get("look");
    this.patterns = state.patterns;
    this.pattern = [...state.patterns[0]];
    this.number = 0;
    this.side = 0;
    this.seed = 1;
    this.makeParts();
    this.announce = showFrame(el, {
      label: "Index machine",
      keys: () => ({}),
      hint: HINT,
      parts: this.layOut(),
    });
    this.editor.load(state.cells);
    this.choose(0);
    this.clicks.press("tiles");
  }

  makeParts() {
    const options = this.patterns.map((cells, k) => {
      return [k, patternName(cells), `Pattern ${k}: cells ${cells.join(" ")}`];
    });
    this.choice = makeChoice("Pattern", options, (k) => this.choose(k));
    this.clicks = makeChoice(
      "What a click on the board does",
      [
        ["tiles", "change a tile"],
        ["pattern", "draw the pattern"],
      ],
      (what) => {
        this.drawsPattern = what === "pattern";
      },
    );
    this.drawsPattern = false;
    this.editor = new Editor(this.look, {
      changed: () => this.show(),
      press: (cell, less) => this.press(cell, less),
      keys: { p: (cell) => this.toggle(cell), P: (cell) => this.toggle(cell) },
      note: (cell) => this.noteOn(cell),
    });
    this.digits = new Digits();
    const pick = (side) => this.lookFrom(side);
    this.images = new Gallery(this.look, { label: "The eight sides", count: 8, pick });
    const take = (number) => this.take(number);
    this.others = new Gallery(this.look, { label: "Other boards", count: SHARING, pick: take });
    this.told = make("p", {});
    this.sharingText = make("p", {});
  }

  layOut() {
    const row = (...parts) => make("div", { class: "row" }, ...parts);
    const heading = (text) => make("h3", {}, text);
    const left = [this.editor.node, this.editor.tools];
    return [
      row("pattern", this.choice.node),
      row("a click on the board can", this.clicks.node),
      makeColumns(left, [this.digits.node]),
      heading("The eight sides of the board"),
      this.told,
      this.images.node,
      heading("Other boards with this weight"),
      this.sharingText,
      this.others.node,
      row(makeButton("again", "Three others", () => this.drawOthers())),
    ];
  }

  // What the reader does

  choose(k) {
    this.pattern = [...this.patterns[k]];
    this.number = k;
    this.side = 0;
    this.show();
  }

  press(cell, less) {
    if (this.drawsPattern) this.toggle(cell);
    else this.editor.raise(cell, less ? -1 : 1);
  }

  /** A cell joins the pattern as its last digit, or leaves it. */
  toggle(cell) {
    this.pattern = this.seen; // as it lies on the board, from here on
    this.side = 0;
    if (!this.pattern.includes(cell)) {
      if (this.pattern.length < LONGEST) this.pattern = [...this.pattern, cell];
      else this.announce(`A pattern has at most ${LONGEST} cells.`);
    } else if (this.pattern.length > 1) {
      this.pattern = this.pattern.filter((taken) => taken !== cell);
    }
    this.number = null;
    this.show();
  }

  lookFrom(side) {
    this.side = side;
    this.show();
  }

  take(number) {
    this.side = this.shared[number].side;
    this.editor.load(this.shared[number].cells);
    this.show();
  }

  drawOthers() {
    this.seed += 1;
    this.showOthers();
  }

  // What is shown

  get seen() {
    return sides(this.editor.cells, this.pattern, this.look.places)[this.side].seen;
  }

  noteOn(cell) {
    const j = this.seen.indexOf(cell);
    return j < 0 ? "" : `, digit ${j} of the index`;
  }

  show() {
    const { cells, board } = this.editor;
    const { seen, index } = sides(cells, this.pattern, this.look.places)[this.side];
    board.rest(cells);
    board.outline(seen);
    this.editor.label(cells);
    this.choice.press(this.number);
    this.digits.show(cells, seen);
    this.showImages(cells);
    this.showOthers();
    this.announce?.(`index ${index}`);
  }

  showImages(cells) {
    const found = sides(cells, this.pattern, this.look.places);
    const different = new Set(found.map(({ index }) => index)).size;
    found.forEach(({ seen, index }, side) => {
      const digits = `0x${hex(index, seen.length)}`;
      const spoken = `Side ${side}, ${imageName(side)}: index ${index}`;
      const isPressed = side === this.side;
      this.images.draw(side, { cells, outlined: seen, words: digits, spoken, isPressed });
    });
    const weights = different > 1 ? "weights" : "weight";
    const text =
      different === 8
        ? "One pattern, one table, eight lookups: eight different weights."
        : `Eight lookups, but only ${different} different ${weights}: ` +
          "this board shows the same from several sides, and counts such a weight again.";
    say(this.told, text);
  }

  showOthers() {
    const { cells } = this.editor;
    const found = sides(cells, this.pattern, this.look.places);
    const { seen } = found[this.side];
    const turned = found[(this.side + TURNED) % 8].seen;
    this.shared = Array.from({ length: SHARING }, (_, number) => {
      const isTurned = number === SHARING - 1;
      const put = isTurned ? turned : seen;
      const side = isTurned ? (this.side + TURNED) % 8 : this.side;
      return { cells: sharing(cells, seen, put, 97 * this.seed + number), put, side };
    });
    this.shared.forEach(({ cells: other, put, side }, number) => {
      const words = side === this.side ? "from the same side" : "from another side";
      const spoken = `${describe(other)}, ${words}. Take it over.`;
      this.others.draw(number, { cells: other, outlined: put, words, spoken });
    });
    const count = (16n ** BigInt(16 - seen.length)).toLocaleString("en");
    say(
      this.sharingText,
      `Only the outlined tiles count. Whatever stands in the other ${16 - seen.length} cells, ` +
        `the weight is the same: from this side ${count} boards share it. Here are three.`,
    );
  }
}

export function render({ model, el }) {
  new Machine(model, el);
}
