// A prediction: the reader enters an answer, and only then is the right one shown beside it.

import { make, makeButton } from "../../../lib2048/viewer/script/dom.js";
import { makeKeyListener } from "../../../lib2048/viewer/script/keyboard.js";
import { follow, tell } from "../../../lib2048/viewer/script/link.js";
import { Choice } from "./choice.js";
import { Curve } from "./curve.js";
import { NumberLine } from "./number.js";
import { Order } from "./order.js";
import { Ticks } from "./ticks.js";
import { unfoldBelow } from "./notebook.js";
import { html } from "./parts.js";

const FORMS = { choice: Choice, curve: Curve, number: NumberLine, order: Order, ticks: Ticks };

let views = 0; // to name groups of radio buttons, which share a page

class View {
  constructor(model) {
    this.model = model;
    this.about = model.get("about");
    views += 1;
    const Form = FORMS[this.about.kind];
    this.form = new Form(this.about, () => this.changed(), `predict-${views}`);
    this.enterButton = make("button", { type: "submit", class: "enter" }, "Enter my prediction");
    this.hint = make("span", { class: "hint" }, this.form.hint);
    this.result = make("div", { class: "result", role: "status", "aria-live": "polite" });
    this.result.hidden = true;
    this.againButton = makeButton("again", "Predict again", () => this.enter(null));
    this.node = this.layOut();
  }

  layOut() {
    const question = make("div", { class: "question" }, ...html(this.about.text[0]));
    const legend = make("legend", {}, make("span", { class: "badge" }, "Predict"), question);
    const buttons = make("div", { class: "buttons-row" }, this.enterButton, this.againButton);
    buttons.append(this.hint);
    const submit = (event) => {
      event.preventDefault();
      if (this.form.value !== null) this.enter(this.form.value);
    };
    return make(
      "div",
      { class: "w2048 predict", keydown: makeKeyListener(() => ({})) },
      make("form", { submit }, make("fieldset", {}, legend, this.form.node), buttons),
      this.result,
    );
  }

  /** The reader has changed what will be entered. */
  changed() {
    this.enterButton.disabled = this.form.value === null;
  }

  enter(entry) {
    tell(this.model, { entry });
    this.show(entry);
    if (entry !== null) unfoldBelow(this.node);
    const first = this.node.querySelector("input, button, [tabindex]");
    const next = entry === null ? first : this.result;
    next?.focus({ preventScroll: true });
  }

  /** Show what was entered beside what is right, or ask, where nothing was entered. */
  show(entry) {
    const isEntered = entry !== null && entry !== undefined;
    if (isEntered) this.form.fill(entry);
    this.form.setLocked(isEntered);
    this.enterButton.hidden = isEntered;
    this.againButton.hidden = !isEntered;
    this.hint.hidden = isEntered;
    this.node.classList.toggle("entered", isEntered);
    this.result.hidden = !isEntered;
    this.result.tabIndex = -1;
    if (isEntered) this.result.replaceChildren(...this.told(entry));
    else this.result.replaceChildren();
    this.form.reveal(isEntered ? entry : null);
    this.changed();
  }

  /** The lines below the form: how it compares, a word on what was entered, and why. */
  told(entry) {
    const { isRight, verdict, replies } = this.form.judge(entry);
    const kind = isRight ? "right" : "wrong";
    const sign = make("span", { class: "sign", "aria-hidden": "true" }, isRight ? "✓" : "✗");
    const line = make("p", { class: `verdict ${kind}` }, sign, " ", ...html(verdict));
    const told = replies.filter(Boolean).map((reply) => make("p", {}, ...html(reply)));
    const why = make("div", { class: "why" }, ...html(this.about.why[0]));
    return [line, ...told, why];
  }

  start() {
    this.show(this.model.get("entry"));
    this.unfollow = follow(this.model, { entry: (entry) => this.show(entry) });
  }

  stop() {
    this.form.stop?.();
    this.unfollow();
    this.node.remove();
  }
}

/** Show the widget of this model in an element; returns how to take it away. */
export function render({ model, el }) {
  const view = new View(model);
  el.append(view.node);
  view.start();
  return () => view.stop();
}
