// What is said while an answer does not come, and from when on.

const SHORT = 350; // milliseconds without an answer that need no explanation
const AGAIN = 1000; // after which to look once more: a busy kernel may have been stopped since

export class Waiting {
  /** `told` is called with the words, or with nothing when the waiting is over. */
  constructor(asker, told) {
    this.asker = asker;
    this.told = told;
    this.words = "";
    this.timer = 0;
  }

  begin() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(false), SHORT);
  }

  look(isLong) {
    this.words = this.asker.whyNot(isLong);
    this.timer = setTimeout(() => this.look(true), AGAIN);
    this.told(this.words);
  }

  end() {
    clearTimeout(this.timer);
    this.words = "";
  }
}
