// A board that the reader makes: a mode beside those in modes.js, the controls that belong to it,
// and what mouse, wheel and keys do to the board.

import { parseBoard } from "./boardtext.js";
import { make, makeButton, say, withLabel } from "./dom.js";
import { ACTIONS, LARGEST, isDead, largestTile, toHex } from "./game.js";
import { likely, nothingKnown } from "./modes.js";

const NO_MOVE = "No tile can move on this board.";

export class Editing {
  chosenWord = "its choice";
  isOwn = false;
  isReplay = false;
  cursor = 0; // the cell that keys act on

  constructor(view, cells) {
    this.view = view;
    this.cells = Uint8Array.from(cells);
  }

  get score() {
    return 0;
  }

  get isOver() {
    return isDead(this.cells);
  }

  get facts() {
    const seed = this.view.recording.seed ?? "–";
    return { score: "–", move: "–", largest: String(largestTile(this.cells)), seed };
  }

  thoughts() {
    return this.isOver ? nothingKnown("") : likely(this.view, this.cells);
  }

  get needsOpinion() {
    return true;
  }

  foretell(action) {
    return `It would go: ${ACTIONS[action]}.`;
  }

  unforetold = "Your board.";

  get ending() {
    return NO_MOVE;
  }

  describe() {
    return "Your board";
  }

  /** Where others play on from; see the other modes. */
  get spot() {
    const seed = BigInt(this.view.recording.seed ?? 0);
    return { cells: this.cells, seed, first: 0, words: "from your board" };
  }

  // Changes

  set(cells) {
    this.cells = Uint8Array.from(cells);
  }

  clear() {
    this.cells = new Uint8Array(16);
  }

  /** Raise the tile under the cursor by some exponents, or lower it; 0 empties the cell. */
  raise(by) {
    const exponent = this.cells[this.cursor] + by;
    this.put(Math.max(0, Math.min(LARGEST, exponent)));
  }

  put(exponent) {
    const cells = Uint8Array.from(this.cells);
    cells[this.cursor] = exponent;
    this.cells = cells;
  }

  /** Move the cursor, which stays on the board. */
  go(across, down) {
    const column = Math.max(0, Math.min(3, (this.cursor % 4) + across));
    const row = Math.max(0, Math.min(3, (this.cursor >> 2) + down));
    this.cursor = 4 * row + column;
  }

  /** The cell under the cursor in words. */
  get cursorWords() {
    const exponent = this.cells[this.cursor];
    const place = `row ${(this.cursor >> 2) + 1}, column ${(this.cursor % 4) + 1}`;
    return `${place}: ${exponent ? 2 ** exponent : "empty"}`;
  }
}

export class Editor {
  /** `mode()` is the mode above, null while nobody edits; `changed` is called after each change. */
  constructor({ mode, changed, moved }) {
    this.mode = mode;
    this.changed = changed;
    this.moved = moved;
    this.isTyped = false; // whether the field holds what is not on the board yet
    this.text = make("input", {
      type: "text",
      class: "boardtext",
      spellcheck: "false",
      autocomplete: "off",
      keydown: (event) => event.key === "Enter" && this.read(),
      input: () => {
        this.isTyped = true;
        this.complain("");
      },
      paste: () => setTimeout(() => this.read()), // when the field holds what was pasted
    });
    this.problem = make("p", { class: "problem", role: "status", hidden: "" });
    this.node = make(
      "div",
      { class: "editor", role: "group", "aria-label": "Edit the board", hidden: "" },
      make("div", { class: "choices" }, ...this.makeButtons()),
      withLabel("board", this.text),
      makeButton("set", "Set", () => this.read()),
      this.problem,
    );
  }

  makeButtons() {
    const lower = makeButton("lower", "−", () => this.change((mode) => mode.raise(-1)));
    const raise = makeButton("raise", "+", () => this.change((mode) => mode.raise(1)));
    lower.setAttribute("aria-label", "Lower the tile");
    raise.setAttribute("aria-label", "Raise the tile");
    return [
      lower,
      raise,
      makeButton("empty", "Empty the cell", () => this.change((mode) => mode.put(0))),
      makeButton("clear", "Empty the board", () => this.change((mode) => mode.clear())),
    ];
  }

  /** The field says which board it is, unless the reader is typing another one. */
  write(mode) {
    if (!this.isTyped) this.text.value = toHex(mode.cells);
  }

  change(act) {
    const mode = this.mode();
    if (!mode) return;
    act(mode);
    this.isTyped = false;
    this.complain("");
    this.changed();
  }

  /** Move the cursor: nothing but the mark on the board changes. */
  point(act) {
    const mode = this.mode();
    if (!mode) return;
    act(mode);
    this.moved();
  }

  /** The board that was typed or pasted comes on the board. */
  read() {
    this.take(this.text.value);
  }

  take(text) {
    const { cells, problem } = parseBoard(text);
    if (problem) this.complain(problem);
    else this.change((mode) => mode.set(cells));
  }

  complain(text) {
    say(this.problem, text);
    this.problem.hidden = !text;
    this.text.setAttribute("aria-invalid", String(Boolean(text)));
  }

  /** What the keys do. */
  get keys() {
    const raise = () => this.change((mode) => mode.raise(1));
    const lower = () => this.change((mode) => mode.raise(-1));
    const empty = () => this.change((mode) => mode.put(0));
    const go = (across, down) => () => this.point((mode) => mode.go(across, down));
    return {
      ArrowUp: go(0, -1),
      ArrowRight: go(1, 0),
      ArrowDown: go(0, 1),
      ArrowLeft: go(-1, 0),
      "+": raise,
      "=": raise,
      PageUp: raise,
      Enter: raise,
      " ": raise,
      "-": lower,
      PageDown: lower,
      Delete: empty,
      Backspace: empty,
      0: empty,
    };
  }
}
