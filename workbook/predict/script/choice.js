// One of several options.

import { make } from "../../../lib2048/viewer/script/dom.js";
import { html } from "./parts.js";

export class Choice {
  hint = "Arrow keys choose.";

  constructor(about, changed, name) {
    this.about = about;
    this.type = "radio";
    this.name = name;
    this.changed = changed;
    this.build();
  }

  build() {
    this.inputs = this.about.options.map(() => {
      return make("input", { type: this.type, name: this.name, change: this.changed });
    });
    this.marks = this.inputs.map(() => make("span", { class: "mark" }));
    this.labels = this.inputs.map((input, n) => {
      const text = make("span", { class: "text" }, ...html(this.about.options[n]));
      return make("label", { class: "option" }, input, text, this.marks[n]);
    });
    this.node = make("div", { class: "options" }, ...this.labels);
  }

  /** The option that is chosen, null while there is none. */
  get value() {
    const chosen = this.inputs.findIndex((input) => input.checked);
    return chosen < 0 ? null : chosen;
  }

  fill(entry) {
    this.inputs.forEach((input, n) => {
      input.checked = this.holds(entry, n);
    });
  }

  holds(entry, n) {
    return entry === n;
  }

  setLocked(isLocked) {
    for (const input of this.inputs) input.disabled = isLocked;
  }

  /** Mark the options: which was chosen, which is right. */
  reveal(entry) {
    const isShown = entry !== null;
    this.labels.forEach((label, n) => {
      const isRight = this.about.right.includes(n);
      label.classList.toggle("is-right", isShown && isRight);
      label.classList.toggle("is-wrong", isShown && !isRight && this.holds(entry, n));
      const words = [];
      if (isShown && this.holds(entry, n)) words.push("you");
      if (isShown && isRight) words.push("right");
      this.marks[n].textContent = words.join(", ");
    });
    if (!isShown) this.fill(null);
  }

  judge(entry) {
    const isRight = this.about.right.includes(entry);
    const verdict = isRight ? "That is right." : "It comes out otherwise.";
    return { isRight, verdict, replies: [this.about.replies[entry]] };
  }
}
