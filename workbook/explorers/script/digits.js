// The table of an index: each cell of the pattern with its tile, exponent and digit.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { tileName } from "../../widgets/script/editor.js";
import { hex, indexOf } from "./lookup.js";

const HEADINGS = ["j", "cell", "tile", "exponent", "times", "makes"];

const whole = (number) => number.toLocaleString("en");

function power(j) {
  if (j === 0) return ["1"];
  if (j === 1) return ["16"];
  return ["16", make("sup", {}, String(j))];
}

export class Digits {
  constructor() {
    this.body = make("tbody");
    this.foot = make("p", { class: "formula" });
    const heads = HEADINGS.map((text) => make("th", { scope: "col" }, text));
    const head = make("thead", {}, make("tr", {}, ...heads));
    const caption = make("caption", {}, "The index: the first cell is the lowest digit");
    const table = make("table", {}, caption, head, this.body);
    this.node = make("div", {}, make("div", { class: "scroll" }, table), this.foot);
  }

  show(cells, seen) {
    const rows = seen.map((cell, j) => {
      const texts = [[j], [cell], [tileName(cells[cell])], [cells[cell]], power(j)];
      texts.push([whole(cells[cell] * 16 ** j)]);
      const parts = texts.map((content) => make("td", {}, ...content.map(asChild)));
      return make("tr", {}, ...parts);
    });
    this.body.replaceChildren(...rows);
    const index = indexOf(cells, seen);
    const weights = whole(16 ** seen.length);
    const digits = make("code", { class: "hex" }, `0x${hex(index, seen.length)}`);
    const strong = make("strong", { class: "index" }, whole(index));
    this.foot.replaceChildren("index = ", digits, " = ", strong, ` of ${weights} weights`);
  }
}

/** What `make` takes as a child: an element, or a text. */
function asChild(part) {
  return part instanceof Node ? part : String(part);
}
