// The table of the lens: the lookups that carry most of V.

import { make, makeButton } from "./dom.js";
import { precise } from "./words.js";

const SHOWN = 8;
const LONGEST = 50; // percent of the cell that the longest bar takes; the number stands on the rest
const CAPTION = "The lookups that carry most of V, each with its share of all |weights|";
const HEADINGS = ["pattern", "isomorphism", "index", "weight", "share"];
const TURNS = ["as it is", "turned right", "upside down", "turned left"];

/** A pattern as its cells' hexadecimal digits. */
export function patternName(cells) {
  return cells.map((cell) => cell.toString(16)).join("");
}

/** How one of the 8 images of a board differs from it. */
export function imageName(image) {
  const turn = TURNS[image % 4];
  if (image < 4) return turn;
  return image === 4 ? "mirrored" : `${turn}, then mirrored`;
}

export class Ranking {
  /** `choose` gets the pattern and the image of a lookup that was clicked. */
  constructor(choose) {
    this.choose = choose;
    this.body = make("tbody");
    const headings = HEADINGS.map((text) => make("th", { scope: "col" }, text));
    const head = make("thead", {}, make("tr", {}, ...headings));
    this.node = make("table", {}, make("caption", {}, CAPTION), head, this.body);
  }

  /** `lookups` are rows of pattern, image, index and weight. */
  show(game, lookups, pattern, image) {
    const size = ([, , , weight]) => Math.abs(weight);
    const ranked = [...lookups].sort((a, b) => size(b) - size(a)).slice(0, SHOWN);
    const sum = lookups.reduce((so, lookup) => so + size(lookup), 0) || 1;
    const largest = ranked.length ? size(ranked[0]) || 1 : 1;
    const rows = ranked.map((lookup) => {
      const isChosen = lookup[0] === pattern && lookup[1] === image;
      const share = size(lookup) / sum;
      const length = (LONGEST * size(lookup)) / largest;
      return this.makeRow(game, lookup, share, length, isChosen);
    });
    this.body.replaceChildren(...rows);
  }

  makeRow(game, [pattern, image, index, weight], share, length, isChosen) {
    const name = patternName(game.patterns[pattern]);
    const button = makeButton("pick", name, () => this.choose(pattern, image));
    button.title = "show this lookup on the board";
    const bar = { class: "share", style: `--share: ${length}%` };
    return make(
      "tr",
      isChosen ? { class: "chosen", "aria-current": "true" } : {},
      make("td", {}, button),
      make("td", {}, imageName(image)),
      make("td", {}, index.toLocaleString("en")),
      make("td", {}, precise(weight)),
      make("td", bar, `${(100 * share).toFixed(1)} %`),
    );
  }
}
