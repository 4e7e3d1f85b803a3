// Several networks on one board: what each thinks of the four actions, side by side.

import { make } from "./dom.js";
import { ACTIONS, ARROWS, bestAction } from "./game.js";
import { rounded } from "./words.js";

const CAPTION = "On this board: what each network thinks, and what it would do";

export class Choices {
  constructor() {
    this.body = make("tbody");
    const head = ARROWS.map((arrow, action) => {
      return make("th", { scope: "col", "aria-label": ACTIONS[action] }, arrow);
    });
    const corner = make("th", { scope: "col" }, "network");
    this.node = make(
      "table",
      { class: "others", hidden: "" },
      make("caption", {}, CAPTION),
      make("thead", {}, make("tr", {}, corner, ...head)),
      this.body,
    );
  }

  hide() {
    this.node.hidden = true;
  }

  /** Another board is shown: what stands here is about the one before. */
  outdate() {
    this.node.classList.add("outdated");
  }

  /** `values` are those of each game's network, null where it has none. */
  show(values, games) {
    const rows = values.map((four, n) => (four ? this.makeRow(games[n].name, four) : null));
    this.body.replaceChildren(...rows.filter(Boolean));
    this.node.classList.remove("outdated");
    this.node.hidden = false;
  }

  makeRow(name, four) {
    const best = bestAction(four);
    const cells = four.map((value, action) => {
      if (action !== best) return make("td", {}, rounded(value ?? NaN));
      const said = `${ACTIONS[action]}, its choice: ${rounded(value)}`;
      const chosen = { class: "chosen", "aria-label": said };
      return make("td", chosen, rounded(value));
    });
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  }
}
