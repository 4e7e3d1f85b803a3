// Items to be put in order: each has a button to move it up and one to move it down.

import { make, makeButton } from "../../../lib2048/viewer/script/dom.js";
import { html } from "./parts.js";

export class Order {
  hint = "The buttons move an item up or down.";

  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
    this.places = about.options.map((_, n) => n);
    this.wasMoved = false;
    this.heard = make("div", { class: "heard", role: "status", "aria-live": "polite" });
    this.list = make("ol", { class: "items" });
    this.answer = make("ol", { class: "items answer" });
    this.answerBox = make("div", { class: "column" }, make("h3", {}, "It came out"), this.answer);
    this.node = this.layOut();
    this.draw();
  }

  layOut() {
    const mine = make("div", { class: "column" }, make("h3", {}, "I say"), this.list);
    return make("div", { class: "order" }, mine, this.answerBox, this.heard);
  }

  /** The present order; it counts as entered as it is, too. */
  get value() {
    return [...this.places];
  }

  fill(entry) {
    this.places = [...entry];
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.places.map((item, place) => this.makeItem(item, place)));
  }

  makeItem(item, place) {
    const text = make("span", { class: "text" }, ...html(this.about.options[item]));
    const name = text.textContent;
    const up = makeButton("up", "↑", () => this.move(place, -1));
    const down = makeButton("down", "↓", () => this.move(place, 1));
    up.setAttribute("aria-label", `move ${name} up`);
    down.setAttribute("aria-label", `move ${name} down`);
    up.disabled = this.isLocked || place === 0;
    down.disabled = this.isLocked || place === this.places.length - 1;
    const row = make("li", { class: "item" }, text, this.endOf(place), up, down);
    row.classList.toggle("is-right", Boolean(this.isLocked) && this.about.right[place] === item);
    return row;
  }

  /** What the first and the last place mean. */
  endOf(place) {
    const [first = "", last = ""] = this.about.ends;
    const isLast = place === this.about.options.length - 1;
    return make("span", { class: "end" }, place === 0 ? first : isLast ? last : "");
  }

  move(place, by) {
    const other = place + by;
    const { places } = this;
    [places[place], places[other]] = [places[other], places[place]];
    this.draw();
    const row = this.list.children[other];
    const again = row.querySelector(by < 0 ? ".up" : ".down");
    (again.disabled ? row.querySelector("button:not(:disabled)") : again).focus();
    const name = row.querySelector(".text").textContent;
    this.heard.textContent = `${name} is number ${other + 1} of ${places.length}`;
    this.changed();
  }

  setLocked(isLocked) {
    this.isLocked = isLocked;
    this.draw();
  }

  reveal(entry) {
    this.answerBox.hidden = entry === null;
    if (entry === null) return;
    const items = this.about.right.map((item, place) => {
      const text = make("span", { class: "text" }, ...html(this.about.options[item]));
      return make("li", { class: "item" }, text, this.endOf(place));
    });
    this.answer.replaceChildren(...items);
  }

  /** Of all pairs, how many stand in the right order. */
  judge(entry) {
    const rank = (item) => this.about.right.indexOf(item);
    let pairs = 0;
    let agreeing = 0;
    entry.forEach((item, place) => {
      for (const later of entry.slice(place + 1)) {
        pairs += 1;
        if (rank(item) < rank(later)) agreeing += 1;
      }
    });
    const isRight = pairs === agreeing;
    const verdict = isRight
      ? "That is the order."
      : `${agreeing} of ${pairs} pairs stand in the right order.`;
    return { isRight, verdict, replies: [] };
  }
}
