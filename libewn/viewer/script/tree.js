// The search tree, unfolded level by level: where the playouts went, and how they ended.

import { make, makeButton } from "../../../lib2048/viewer/script/dom.js";
import { percent, rounded } from "../../../lib2048/viewer/script/words.js";
import { ARROWS, WAYS } from "./sides.js";

const CLOSED = "The tree of this search";

/** A node from its row, see `_rows` in recording.py. */
function nodeOf([parent, playouts, mean, proof, cube, way]) {
  return { parent, playouts, mean, proof, cube, way, children: [] };
}

/** The root of a tree, its nodes linked; each knows the side that moved there. */
function linked(rows, mover) {
  const nodes = rows.map(nodeOf);
  nodes.forEach((node) => {
    const parent = nodes[node.parent];
    if (!parent) {
      node.side = 1 - mover; // the side that moved before
      return;
    }
    const isMove = node.way !== null;
    node.side = isMove ? 1 - parent.side : parent.side; // a roll is nobody's move
    node.isMove = isMove;
    parent.children.push(node);
  });
  for (const node of nodes) node.children.sort((one, other) => other.playouts - one.playouts);
  return nodes[0];
}

function nameOf({ side, cube, way, isMove }) {
  if (!isMove) return { shown: `die ${cube}`, spoken: `die ${cube}` };
  return {
    shown: `cube ${cube} ${ARROWS[side][way]}`,
    spoken: `cube ${cube} ${WAYS[side][way]}`,
  };
}

function facts(node) {
  const words = [`${rounded(node.playouts)} playouts`];
  const side = node.side === 0 ? "Red" : "Blue";
  if (node.mean !== null) words.push(`${side} ${percent(node.mean)}`);
  if (node.proof > 0) words.push(`${side} wins for certain`);
  if (node.proof < 0) words.push(`${side} loses for certain`);
  return words.join(" · ");
}

export class Tree {
  constructor() {
    this.isOpen = false;
    this.root = null;
    this.list = make("ul", { class: "branches" });
    this.about = make("p", { class: "status" });
    this.panel = make("div", { class: "panel", hidden: "" }, this.about, this.list);
    this.button = makeButton("toggle", CLOSED, () => this.open(!this.isOpen));
    this.button.setAttribute("aria-expanded", "false");
    this.node = make("section", { class: "tree", "aria-label": CLOSED }, this.button, this.panel);
  }

  open(flag) {
    this.isOpen = flag;
    this.panel.hidden = !flag;
    this.button.setAttribute("aria-expanded", String(flag));
    this.draw();
  }

  /** Show the tree of a position, if there was a search. */
  show(ply) {
    if (ply === this.ply) return;
    this.ply = ply;
    this.root = ply.tree?.length ? linked(ply.tree, ply.mover) : null;
    this.node.hidden = !this.root;
    this.draw();
  }

  draw() {
    if (!this.isOpen || !this.root) return;
    const { root } = this;
    this.about.textContent =
      `${rounded(root.playouts)} playouts; each share is of these. ` +
      "The chance is that of the side that makes the move.";
    this.list.replaceChildren(...root.children.map((child) => this.makeBranch(child)));
  }

  makeBranch(node) {
    const { shown, spoken } = nameOf(node);
    const share = node.playouts / this.root.playouts;
    const length = { class: "share", style: `--share: ${(100 * share).toFixed(1)}%` };
    const parts = [
      make("span", { class: "lead" }, shown),
      make("span", length, percent(share)),
      make("span", { class: "words" }, facts(node)),
    ];
    const label = { "aria-label": `${spoken}: ${facts(node)}, ${percent(share)} of all` };
    if (!node.children.length) {
      return make("li", {}, make("div", { class: "branch", role: "note", ...label }, ...parts));
    }
    const below = make("ul", { class: "branches", hidden: "" });
    const button = make("button", { type: "button", class: "branch more", ...label }, ...parts);
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => this.unfold(node, button, below));
    return make("li", {}, button, below);
  }

  /** What follows a move is made when it is first looked at. */
  unfold(node, button, below) {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    if (!below.children.length) {
      below.append(...node.children.map((child) => this.makeBranch(child)));
    }
    button.setAttribute("aria-expanded", String(isOpen));
    below.hidden = !isOpen;
  }
}
