// Several options, of which any number may be right.

import { Choice } from "./choice.js";

export class Ticks extends Choice {
  hint = "Space ticks. Several may be right, or none.";

  build() {
    this.type = "checkbox";
    super.build();
  }

  get value() {
    return this.inputs.flatMap((input, n) => (input.checked ? [n] : []));
  }

  holds(entry, n) {
    return entry !== null && entry.includes(n);
  }

  judge(entry) {
    const isMistaken = (n) => this.about.right.includes(n) !== entry.includes(n);
    const mistaken = this.about.options.map((_, n) => n).filter(isMistaken);
    const count = this.about.options.length;
    const isRight = mistaken.length === 0;
    const all = isRight ? "all" : `${count - mistaken.length} of`;
    const verdict = `You are right about ${all} ${count}.`;
    return { isRight, verdict, replies: mistaken.map((n) => this.about.replies[n]) };
  }
}
