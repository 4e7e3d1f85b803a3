// What the lens shows: Python is asked for the weights of a board as soon as that board stays.

import { isDead, toHex } from "./game.js";
import { Waiting } from "./waiting.js";

const ASKING = "Asking Python …";
const PAUSED = "Pause to look things up.";
const DEAD = " In learning a dead board counts 0, whatever they say.";

export class Weights {
  /**
   * `subject()` says what is looked at: {cells, words, number, recording, isOwn};
   * `pageAnswers` are the answers that a page without Python holds, by key.
   */
  constructor({ lens, asker, pageAnswers, subject }) {
    this.lens = lens;
    this.asker = asker;
    this.pageAnswers = pageAnswers;
    this.subject = subject;
    this.answer = null; // the newest one, with its key
    this.waiting = new Waiting(asker, (words) => lens.show(subject().cells, null, words));
    this.isSuspended = false;
  }

  /** What a question is about: two of the same key have the same answer. */
  get key() {
    const { number, cells } = this.subject();
    return `lens ${number} ${toHex(cells)}`;
  }

  get isAnswered() {
    return this.answer?.key === this.key;
  }

  /** A game plays: boards pass too fast to be asked about. */
  suspend() {
    this.isSuspended = true;
    this.waiting.end();
    this.lens.show(null, null, PAUSED);
  }

  /** Another board is looked at: show what is known of it. */
  moved() {
    this.isSuspended = false;
    this.waiting.end();
    if (this.isAnswered) {
      this.show();
      return;
    }
    const { recording, cells } = this.subject();
    this.lens.show(recording.learned ? cells : null, null, "");
  }

  /** The board stays: ask about it. */
  ask() {
    if (!this.lens.isOpen || this.isSuspended) return;
    this.waiting.end(); // of an earlier question, which this one may have replaced
    if (this.isAnswered) this.show();
    else if (this.pageAnswers) this.lookUp();
    else this.askPython();
  }

  lookUp() {
    const { recording } = this.subject();
    const keyMoves = recording.keys.join(", ");
    const error = `This page has the weights of key boards only: moves ${keyMoves}.`;
    this.receive(this.key, this.pageAnswers[this.key] ?? { error });
  }

  askPython() {
    const { number, cells } = this.subject();
    const { key } = this;
    this.lens.show(cells, null, ASKING);
    this.waiting.begin();
    const question = { topic: "lens", game: number, board: toHex(cells) };
    this.asker.ask(question, (reply) => this.receive(key, reply));
  }

  receive(key, reply) {
    this.waiting.end();
    this.answer = { ...reply, key };
    if (!this.isSuspended && this.isAnswered) this.show();
  }

  show() {
    const { cells, words, isOwn } = this.subject();
    const { error } = this.answer;
    const dead = isDead(cells) && !isOwn ? DEAD : "";
    if (error) this.lens.show(cells, null, error);
    else this.lens.show(cells, this.answer, `The weights of ${words}.${dead}`);
  }

  stop() {
    this.waiting.end();
  }
}
