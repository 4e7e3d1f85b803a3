// Search under a microscope: a tree that grows step by step, and why it grows there.

import { Board } from "../../../lib2048/viewer/script/board.js";
import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { describe } from "../../../lib2048/viewer/script/game.js";
import { makeChoice, makeColumns, showFrame } from "../../widgets/script/frame.js";
import { Stepper } from "../../widgets/script/stepper.js";
import { TreeDrawing } from "./treedrawing.js";

const HINT = "Keys: ← → step, Space plays, Home End; M goes to the next method.";
const MARKS = {
  best: "The shaded action is the best so far.",
  next: "The shaded action is the one that the next trip takes.",
};

/** A board with some words below. */
function makeFigure(look) {
  const board = new Board(look);
  board.node.setAttribute("role", "img");
  const caption = make("figcaption");
  const node = make("figure", { class: "position" }, board.node, caption);
  function show(cells, text) {
    node.classList.toggle("nothing", !cells);
    board.rest(cells ?? []);
    board.node.setAttribute("aria-label", cells ? describe(cells) : "no board");
    say(caption, text);
  }
  return { node, show };
}

class Microscope {
  constructor(model, el) {
    this.state = model.get("state");
    this.number = 0;
    this.makeParts(model.get("look"));
    this.announce = showFrame(el, {
      label: "Search under a microscope",
      keys: () => this.keys,
      hint: HINT,
      parts: this.layOut(),
    });
    this.root.show(this.state.board, "the board, the root");
    this.choose(0);
  }

  get run() {
    return this.state.runs[this.number];
  }

  get keys() {
    const next = () => this.choose((this.number + 1) % this.state.runs.length);
    return { ...this.stepper.handlers, m: next };
  }

  makeParts(look) {
    const names = this.state.runs.map(({ name }, number) => [number, name]);
    this.methods = makeChoice("Method", names, (number) => this.choose(number));
    this.stepper = new Stepper({
      unit: "step",
      changed: (at) => this.show(at),
      tell: (at) => `${this.run.unit} ${at} of ${this.stepper.last}`,
    });
    this.root = makeFigure(look);
    this.leaf = makeFigure(look);
    this.tree = new TreeDrawing();
    this.head = make("tr");
    this.body = make("tbody");
    this.count = make("caption", { class: "number" });
    const head = make("thead", {}, this.head);
    this.table = make("table", { class: "actions" }, this.count, head, this.body);
    this.mark = make("p", { class: "keys" });
    this.told = make("ol", { class: "told" });
  }

  layOut() {
    const boards = make("div", { class: "positions" }, this.root.node, this.leaf.node);
    const scroll = make("div", { class: "scroll" }, this.table);
    return [
      make("div", { class: "row" }, this.methods.node),
      this.stepper.node,
      makeColumns([boards, this.tree.node], [scroll, this.mark, this.told]),
    ];
  }

  choose(number) {
    this.number = number;
    this.methods.press(number);
    const heads = this.run.heads.map((text) => make("th", { scope: "col" }, text));
    this.head.replaceChildren(...heads);
    say(this.mark, MARKS[this.run.mark]);
    this.stepper.begin(this.run.steps.length - 1, 0);
  }

  show(at) {
    const step = this.run.steps[at];
    this.leaf.show(step.leaf, step.caption);
    this.drawTree(step);
    this.writeTable(step);
    this.told.replaceChildren(...step.told.map((text) => make("li", {}, text)));
    say(this.count, `${this.run.unit} ${at} of ${this.stepper.last}`);
    this.announce?.(step.told.join(" "));
  }

  drawTree({ visible, visits, path }) {
    const label = `A tree of ${visible} nodes; the last path has ${path.length} of them`;
    this.tree.draw({ nodes: this.run.nodes, visible, visits, path, label });
  }

  writeTable({ rows, marked }) {
    const made = rows.map(([name, ...numbers], action) => {
      const isMarked = action === marked;
      const cells = numbers.map((text) => make("td", {}, text));
      const about = isMarked ? { class: "now", "aria-current": "true" } : {};
      return make("tr", about, make("th", { scope: "row" }, name), ...cells);
    });
    this.body.replaceChildren(...made);
  }
}

export function render({ model, el }) {
  const microscope = new Microscope(model, el);
  return () => {
    microscope.stepper.pause();
    microscope.tree.stop();
  };
}
