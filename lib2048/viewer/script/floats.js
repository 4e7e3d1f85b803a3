// What a move earns: "+8" rises from each merged tile. Without motion it stands there for a moment.

import { make } from "./dom.js";

const STAYS = 700; // milliseconds

export class Floats {
  constructor(look) {
    this.look = look;
    this.node = make("div", { class: "floats", "aria-hidden": "true" });
  }

  /** Where the middle of a cell lies, in percent of the board. */
  place(cell) {
    const { cell: size, gap, edge } = this.look;
    const side = 4 * size + 3 * gap + 2 * edge;
    const share = (steps) => (100 * (edge + steps * (size + gap) + size / 2)) / side;
    return { left: share(cell % 4), top: share(cell >> 2) };
  }

  /** Show what a transition earns, see `transition` in motion.js. */
  show({ before, paths }) {
    const floats = paths
      .filter((path) => path.merged)
      .map(({ from, to }) => {
        const { left, top } = this.place(to);
        const style = `left: ${left}%; top: ${top}%`;
        return make("span", { class: "float", style }, `+${2 ** (before[from] + 1)}`);
      });
    this.node.replaceChildren(...floats);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.clear(), STAYS);
  }

  clear() {
    clearTimeout(this.timer);
    this.node.replaceChildren();
  }
}
