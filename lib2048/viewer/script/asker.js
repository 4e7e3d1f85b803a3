// Questions to Python. Of each topic one is on its way at a time, and only the newest one waits: a
// busy kernel is not flooded while somebody drags the slider.

import { whyNoAnswer, whyNothingSent } from "./kernel.js";

const PATIENCE = 8000; // milliseconds after which a question may be asked anew

export class Asker {
  /** `view()` is the node that the widget is shown in. */
  constructor(model, view = () => null) {
    this.model = model;
    this.view = view;
    // views of one widget hear each other's answers, so each has a name of its own
    this.name = Math.random().toString(36).slice(2);
    this.count = 0;
    this.lines = new Map(); // by topic: the one on its way, and the one that waits
    this.receive = (reply) => this.answer(reply);
    model.on("msg:custom", this.receive);
  }

  /** Ask Python; `then` gets the reply, unless a newer one of this topic comes before it. */
  ask(question, then) {
    const line = this.lines.get(question.topic) ?? { sent: null, waiting: null };
    this.lines.set(question.topic, line);
    line.waiting = { question, then };
    const isFree = !line.sent || performance.now() - line.sent.time > PATIENCE;
    if (isFree) this.post(line);
  }

  post(line) {
    this.count += 1;
    const id = `${this.name} ${this.count}`;
    line.sent = { ...line.waiting, id, time: performance.now() };
    line.waiting = null;
    try {
      this.model.send({ ...line.sent.question, id });
    } catch {
      this.answer({ id, error: whyNothingSent(this.model, this.view()) });
    }
  }

  /** In words, why an answer does not come, which may have been awaited for long. */
  whyNot(isLong) {
    return whyNoAnswer(this.model, this.view(), isLong);
  }

  answer(reply) {
    for (const line of this.lines.values()) {
      if (line.sent?.id !== reply.id) continue;
      const { then } = line.sent;
      line.sent = null;
      if (line.waiting) this.post(line);
      else then(reply);
    }
  }

  stop() {
    this.model.off("msg:custom", this.receive);
  }
}
