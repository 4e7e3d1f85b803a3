// A tree as a drawing: a disk for each node, larger where more trips went, and the last path.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { plan } from "./treeplan.js";

const HEIGHT = 240;
const EDGE = 16;
const USUAL_WIDTH = 420; // while the page has not laid it out
const WIDEST = 16; // pixels between two rows
const DEEPEST = 110; // pixels between two depths
const SMALLEST = 1.8; // radius of a disk
const LARGEST = 9;

export class TreeDrawing {
  constructor() {
    this.node = make("svg", { class: "tree", role: "img", height: HEIGHT });
    this.about = null;
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.node);
  }

  /** `about` has the nodes, how many are visible, their visits, the path, and a label. */
  draw(about) {
    this.about = about;
    this.paint();
  }

  paint() {
    if (!this.about) return;
    const { nodes, visible, label } = this.about;
    const width = this.node.clientWidth || USUAL_WIDTH;
    this.node.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.node.setAttribute("aria-label", label);
    const { places, rows } = plan(nodes, visible);
    const depth = Math.max(1, ...places.map((place) => place.depth));
    const across = Math.min(DEEPEST, (width - 3 * EDGE) / depth);
    const down = Math.min(WIDEST, (HEIGHT - 2 * EDGE) / Math.max(1, rows - 1));
    const top = (HEIGHT - down * (rows - 1)) / 2;
    const at = places.map((place) => [EDGE + across * place.depth, top + down * place.row]);
    this.node.replaceChildren(...this.makeLines(at), ...this.makeDisks(at, down));
  }

  makeLines(at) {
    const { nodes, visible, path } = this.about;
    const taken = new Set(path);
    const lines = [];
    for (let number = 1; number < visible; number += 1) {
      const [x1, y1] = at[nodes[number].parent];
      const [x2, y2] = at[number];
      const name = taken.has(number) ? "branch taken" : "branch";
      lines.push(make("line", { x1, y1, x2, y2, class: name }));
    }
    return lines.sort((one, other) => one.classList.length - other.classList.length);
  }

  makeDisks(at, down) {
    const { nodes, visits, path } = this.about;
    const most = Math.max(1, ...visits);
    const taken = new Set(path);
    const room = Math.max(SMALLEST, Math.min(LARGEST, 0.7 * down));
    return at.flatMap(([x, y], number) => {
      const radius = Math.max(SMALLEST, room * Math.sqrt(visits[number] / most));
      const size = 2 * radius;
      const kind = taken.has(number) ? "disk taken" : "disk";
      const place = { x: x - radius, y: y - radius, width: size, height: size, rx: radius };
      const disk = make("rect", { ...place, class: kind });
      const { label } = nodes[number];
      if (!label) return [disk];
      return [disk, make("text", { x: x - radius - 8, y: y + 5 }, label)];
    });
  }

  stop() {
    this.observer.disconnect();
  }
}
