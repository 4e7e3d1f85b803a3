// The lens: which weights a board looks up, and how much each of them carries.

import { Board } from "./board.js";
import { fillSelect, make, makeButton, makeSelect, say, withLabel } from "./dom.js";
import { describe } from "./game.js";
import { Ranking, imageName, patternName } from "./ranking.js";
import { precise } from "./words.js";

const BOARDS = [
  ["afterstate", "afterstate s'"],
  ["board", "board s"],
];

export class Lens {
  /** `changed` is called whenever something else is to be looked at. */
  constructor(look, changed) {
    this.places = look.places;
    this.board = new Board(look);
    this.changed = changed;
    this.isOpen = false;
    this.pattern = 0;
    this.image = 0;
    this.ofAfterstate = true;
    this.game = null;
    this.cells = null; // the board that is looked at; null while a game plays
    this.answer = null; // what Python says about it; null as long as that is not known
    this.build();
  }

  build() {
    this.patterns = makeSelect("Pattern", [], (value) => this.choose(Number(value), this.image));
    this.images = makeSelect("Isomorphism", [], (value) => {
      this.choose(this.pattern, Number(value));
    });
    this.boards = makeSelect("Board to look at", BOARDS, (value) => {
      this.ofAfterstate = value === "afterstate";
      this.changed();
    });
    this.status = make("p", { class: "status" });
    this.index = make("dd", { class: "index" });
    this.weight = make("dd", { class: "weight" });
    this.total = make("dd", { class: "total" });
    this.ranking = new Ranking((pattern, image) => this.choose(pattern, image));
    this.panel = this.makePanel();
    this.button = makeButton("toggle", "Tuple lens", () => this.open(!this.isOpen));
    this.button.setAttribute("aria-expanded", "false");
    const name = { class: "lens", "aria-label": "Tuple lens" };
    this.node = make("section", name, this.button, this.panel);
  }

  makePanel() {
    const fields = make(
      "div",
      { class: "fields" },
      withLabel("pattern", this.patterns),
      withLabel("isomorphism", this.images),
      withLabel("look at", this.boards),
    );
    const facts = [
      ["index", this.index],
      ["weight", this.weight],
      ["V, the sum", this.total],
    ].flatMap(([name, value]) => [make("dt", {}, name), value]);
    const list = make("dl", {}, ...facts);
    this.looked = make("div", { class: "looked", hidden: "" }, this.board.node);
    const parts = [fields, this.status, this.looked, list, this.ranking.node];
    return make("div", { class: "panel", hidden: "" }, ...parts);
  }

  open(flag) {
    this.isOpen = flag;
    this.panel.hidden = !flag;
    this.button.setAttribute("aria-expanded", String(flag));
    this.changed();
  }

  choose(pattern, image) {
    this.pattern = pattern;
    this.image = image;
    this.patterns.value = pattern;
    this.images.value = image;
    this.changed();
  }

  /** The lens for another game, whose network may be another one. */
  setGame(game) {
    const isFirst = this.game === null;
    this.game = game;
    this.node.hidden = !game.learned;
    if (!game.learned) return;
    if (isFirst) this.ofAfterstate = game.learned === "afterstate";
    this.fillFields();
    this.pattern = Math.min(this.pattern, game.patterns.length - 1);
    this.image = Math.min(this.image, game.images - 1);
    this.patterns.value = this.pattern;
    this.images.value = this.image;
    this.boards.value = this.ofAfterstate ? "afterstate" : "board";
  }

  fillFields() {
    const patterns = this.game.patterns.map((cells, k) => [k, `${k}: ${patternName(cells)}`]);
    const images = Array.from({ length: this.game.images }, (_, i) => [i, `${i}: ${imageName(i)}`]);
    fillSelect(this.patterns, patterns);
    fillSelect(this.images, images);
  }

  /** The cells of the board that the chosen lookup reads, in the pattern's order. */
  seenCells() {
    const places = this.places[this.image];
    return this.game.patterns[this.pattern].map((cell) => places[cell]);
  }

  /** The cells to outline on the board. */
  outlined() {
    return this.isOpen && this.game.learned ? this.seenCells() : [];
  }

  /** Draw what is looked at in the lens itself, where the large board shows something else. */
  drawBoard(cells) {
    this.looked.hidden = cells === null;
    if (cells === null) return;
    this.board.rest(cells);
    this.board.outline(this.outlined());
    this.board.node.setAttribute("aria-label", describe(cells));
  }

  /** Show what is known of a board: the answer is Python's, null while there is none. */
  show(cells, answer, text) {
    this.cells = cells;
    this.answer = answer;
    say(this.status, text);
    this.node.classList.toggle("stale", !answer);
    this.writeIndex();
    this.writeSum();
    this.ranking.show(this.game, answer?.rows ?? [], this.pattern, this.image);
  }

  writeIndex() {
    if (!this.cells) {
      say(this.index, "–");
      return;
    }
    const exponents = this.seenCells().map((cell) => this.cells[cell]);
    const index = exponents.reduce((sum, exponent, j) => sum + exponent * 16 ** j, 0);
    const digits = index.toString(16).padStart(exponents.length, "0");
    say(this.index, `${index.toLocaleString("en")} = 0x${digits}`);
  }

  writeSum() {
    const { answer } = this;
    const chosen = answer?.rows.find(([pattern, image]) => {
      return pattern === this.pattern && image === this.image;
    });
    say(this.weight, chosen ? precise(chosen[3]) : "–");
    const sum = answer ? `${precise(answer.value)} of ${answer.rows.length} lookups` : "–";
    say(this.total, sum);
  }
}
