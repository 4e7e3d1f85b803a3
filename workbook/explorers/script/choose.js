// Action selection: what the four actions of a board are worth, to networks of both kinds.

import { Asker } from "../../../lib2048/viewer/script/asker.js";
import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { toHex } from "../../../lib2048/viewer/script/game.js";
import { Editor } from "../../widgets/script/editor.js";
import { makeColumns, showFrame } from "../../widgets/script/frame.js";
import { Stepper } from "../../widgets/script/stepper.js";
import { Panel } from "./panel.js";
import { Spawns } from "./spawns.js";

const EDITING = "On a tile: arrow keys go to another one, + − change it, 0 empties it. Elsewhere: ";
const HINT = "← → another board, W A S D unfold an action.";
const STORED =
  "Without Python only these boards can be valued; in the notebook you can change the tiles.";
const BUSY = "Python is busy; the values come when it is free.";
const KEYS = { w: 0, d: 1, s: 2, a: 3 };
const PATIENCE = 700; // milliseconds after which it is said that Python is asked

class Chooser {
  constructor(model, el) {
    this.state = model.get("state");
    this.hasPython = !model.get("stored");
    this.asker = new Asker(model);
    this.open = null;
    this.found = this.state.opinions[0];
    this.makeParts(model.get("look"));
    this.announce = showFrame(el, {
      label: "Action selection",
      keys: () => this.keys,
      hint: this.hasPython ? EDITING + HINT : `Keys: ${HINT}`,
      parts: this.layOut(),
    });
    this.stepper.begin(this.state.boards.length - 1, 0);
  }

  get keys() {
    const unfolds = Object.entries(KEYS).map(([key, action]) => [key, () => this.unfold(action)]);
    return { ...this.stepper.handlers, ...Object.fromEntries(unfolds) };
  }

  makeParts(look) {
    const { kinds, boards, p4 } = this.state;
    this.editor = new Editor(look, { changed: (cells) => this.ask(cells) });
    if (!this.hasPython) this.editor.fix();
    this.stepper = new Stepper({
      unit: "board",
      changed: (at) => this.showStored(at),
      tell: (at) => `board ${at + 1} of ${boards.length}`,
    });
    this.stepper.node.hidden = boards.length < 2;
    this.panels = kinds.map((kind) => new Panel(kind, (action) => this.unfold(action)));
    this.spawns = new Spawns(look, p4);
    this.status = make("p", { class: "saying", role: "status" });
  }

  layOut() {
    const panels = make("div", { class: "panels" }, ...this.panels.map(({ node }) => node));
    const left = [this.editor.node, this.editor.tools, this.status];
    this.parts = make(
      "div",
      {},
      this.stepper.node,
      makeColumns(left, [panels]),
      this.spawns.node,
    );
    return [this.parts];
  }

  // What is looked at

  showStored(at) {
    this.cells = Uint8Array.from(this.state.boards[at]);
    this.editor.load(this.cells);
    this.open = null;
    this.take(this.state.opinions[at]);
    const which = `Board ${at + 1} of ${this.state.boards.length}.`;
    say(this.status, this.hasPython ? which : `${which} ${STORED}`);
  }

  /** The reader has changed a tile: what do the networks say of that board? */
  ask(cells) {
    this.cells = cells;
    this.editor.board.rest(cells);
    this.editor.label(cells);
    this.parts.classList.add("stale");
    clearTimeout(this.slow);
    this.slow = setTimeout(() => this.say(BUSY), PATIENCE);
    this.asker.ask({ topic: "choose", board: toHex(cells) }, (reply) => this.hear(reply));
  }

  hear(reply) {
    clearTimeout(this.slow);
    if (reply.error) {
      this.say(reply.error);
      return;
    }
    this.say("A board of your own.");
    this.take(reply.opinions);
  }

  say(text) {
    say(this.status, text);
  }

  take(found) {
    clearTimeout(this.slow);
    this.parts?.classList.remove("stale");
    this.found = found;
    this.show();
  }

  unfold(action) {
    if (!this.found[0].actions[action]) return;
    this.open = this.open === action ? null : action;
    this.show();
  }

  show() {
    const { cells, found } = this;
    this.editor.board.rest(cells);
    this.editor.label(cells);
    if (this.open !== null && !found[0].actions[this.open]) this.open = null;
    this.keepFocus(() => {
      this.panels.forEach((panel, number) => panel.show(found[number], this.open));
    });
    const ofStates = found[this.state.kinds.indexOf("state")];
    const about = ofStates && this.open !== null ? ofStates.actions[this.open] : null;
    this.spawns.show(cells, this.open, about);
    const chosen = this.panels.map(({ itself }) => itself.textContent);
    this.announce?.(chosen.join(" "));
  }

  /** Write tables anew, and leave the focus on the button that had it. */
  keepFocus(write) {
    const buttons = () => [...this.parts.querySelectorAll(".panel th button")];
    const before = this.parts ? buttons().indexOf(this.parts.getRootNode().activeElement) : -1;
    write();
    if (before >= 0) buttons()[before]?.focus();
  }
}

export function render({ model, el }) {
  const chooser = new Chooser(model, el);
  return () => {
    clearTimeout(chooser.slow);
    chooser.stepper.pause();
    chooser.asker.stop();
  };
}
