// What one network makes of the four actions of a board: a table.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { ACTIONS, ARROWS } from "../../../lib2048/viewer/script/game.js";
import { points } from "./symbols.js";

const FUTURES = { afterstate: "V(s′)", state: "mean of V" };
const TITLES = { afterstate: "V(afterstate): r + V(s′)", state: "V(state): r + mean of V" };

export class Panel {
  /** `unfold` gets the action whose button is pressed. */
  constructor(kind, unfold) {
    this.kind = kind;
    this.unfold = unfold;
    this.body = make("tbody");
    this.itself = make("p", { class: "itself number" });
    const names = ["action", "r", FUTURES[kind], "sum"];
    const heads = names.map((text) => make("th", { scope: "col" }, text));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), this.body);
    const title = make("h3", {}, TITLES[kind]);
    const scroll = make("div", { class: "scroll" }, table);
    this.node = make("div", { class: "panel" }, title, scroll, this.itself);
  }

  /** `found` is the network's opinion, `open` the action whose new tiles are shown, or null. */
  show(found, open) {
    const rows = found.actions.map((about, action) => this.makeRow(found, action, open));
    this.body.replaceChildren(...rows);
    this.itself.textContent = this.aboutItself(found);
  }

  makeRow(found, action, open) {
    const about = found.actions[action];
    const isBest = action === found.best;
    const texts = about
      ? [about.reward.toLocaleString("en"), points(about.future), points(about.worth)]
      : ["", "", "not possible"];
    const cells = texts.map((text) => make("td", {}, text));
    const name = { class: isBest ? "best" : about ? "" : "impossible" };
    if (isBest) name["aria-current"] = "true";
    const head = make("th", { scope: "row" }, this.makeName(found, action, open));
    return make("tr", name, head, ...cells);
  }

  makeName(found, action, open) {
    const text = `${ARROWS[action]} ${ACTIONS[action]}`;
    if (!found.actions[action]) return text;
    const isOpen = String(open === action);
    const click = () => this.unfold(action);
    return make("button", { type: "button", "aria-expanded": isOpen, click }, text);
  }

  aboutItself({ value, best, actions }) {
    if (best === null) return "No action is possible: the game is over.";
    const taken = `It takes ${ACTIONS[best]}.`;
    if (value === null) return taken;
    const sum = points(actions[best].worth);
    return `${taken} V(s) of the board itself is ${points(value)}, and r + mean says ${sum}.`;
  }
}
