// Where we are in a recorded game, and how it plays. Knows nothing of the page.

export class Replay {
  /** `last` is the number of the last position, `pace` the positions a second at speed 1. */
  constructor({ at, last, speed, pace }) {
    this.at = at; // a fraction says how much of the time of this position has passed
    this.wanted = at; // where the reader went last; a shorter game may not reach it
    this.last = last;
    this.speed = speed;
    this.pace = pace;
    this.playing = false;
    this.startedFrom = at;
  }

  /** The number of the position that is shown. */
  get index() {
    return Math.floor(this.at);
  }

  get isAtEnd() {
    return this.index === this.last;
  }

  /** Milliseconds for which a position is shown. */
  get period() {
    return 1000 / (this.pace * this.speed);
  }

  /** Milliseconds for which this position has been shown. */
  get shownFor() {
    return (this.at - this.index) * this.period;
  }

  /** Milliseconds until the next position. */
  get untilNext() {
    return (this.index + 1 - this.at) * this.period;
  }

  play() {
    this.at = this.isAtEnd ? 0 : this.index; // at the end, play starts again
    this.startedFrom = this.at;
    this.playing = true;
  }

  pause() {
    this.playing = false;
    this.at = this.index;
    this.wanted = this.index;
  }

  /** Pause at a position, or at the end that is nearer to it. */
  seek(to) {
    this.playing = false;
    this.at = Math.max(0, Math.min(this.last, to));
    this.wanted = this.at;
  }

  /** Go on in another game: at the same position, or at the end where that game is shorter. */
  change(last) {
    if (this.playing) this.wanted = this.index;
    this.last = last;
    this.at = Math.min(this.wanted, last);
    this.startedFrom = this.at;
  }

  /** Let time pass. */
  advance(milliseconds) {
    this.at = Math.min(this.last, this.at + milliseconds / this.period);
  }
}
