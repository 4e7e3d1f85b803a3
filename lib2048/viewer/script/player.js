// What drives a view: frames while something moves, and what happens when a position stays.

const REST = 120; // milliseconds a position must stay before Python is asked about it
const LONGEST_FRAME = 250; // a page in the background gets no frames: do not leap when it is back
const PAGE = 0.05; // of the game, and at least LEAST_PAGE positions
const LEAST_PAGE = 10;
const BETWEEN_WORDS = 5000; // milliseconds between two announcements while a game plays

/**
 * Plays a replay in a view, which has
 *   write()         texts and controls are brought up to date
 *   paint(now)      the board is drawn; true as long as something moves by itself
 *   animate(from)   the step from this position to the next one is about to be drawn
 *   started()       playing has begun
 *   moved()         another position is shown, which may not stay
 *   stayed()        a position stays: time to ask about it
 *   tell()          Python is told where we are
 *   describe()      where we are, in words
 */
export class Player {
  constructor(replay, speeds, view, announce) {
    this.replay = replay;
    this.speeds = speeds;
    this.view = view;
    this.announce = announce;
    this.stopped = false;
    this.frame = 0; // the number of the frame that is asked for, 0 when none is
    this.frameTime = 0;
    this.restTimer = 0;
    this.spokenAt = 0;
    this.written = -1; // the position that the texts are about
  }

  // The reader's commands

  toggle() {
    if (this.replay.playing) this.pause();
    else this.play();
  }

  play() {
    this.replay.play();
    this.frameTime = performance.now();
    this.view.started();
    this.view.tell();
    this.redraw();
  }

  pause() {
    this.replay.pause();
    this.settle();
    this.redraw();
  }

  seek(to) {
    this.replay.seek(to);
    this.settle();
    this.redraw();
  }

  step(by) {
    const from = this.replay.index;
    this.seek(from + by);
    if (by !== 1 || this.replay.index !== from + 1) return;
    this.view.animate(from);
    this.redraw();
  }

  setSpeed(speed) {
    this.replay.speed = speed;
    this.view.write();
    this.view.tell();
  }

  /** The next speed of the list, or the one before. */
  faster(by) {
    const place = this.speeds.indexOf(this.replay.speed) + by;
    if (place >= 0 && place < this.speeds.length) this.setSpeed(this.speeds[place]);
    this.announce(`Speed ${this.replay.speed}`);
  }

  /** Many positions at once, as sliders do. */
  turnPage(by) {
    this.step(by * Math.max(LEAST_PAGE, Math.round(PAGE * this.replay.last)));
  }

  /** What the keys do. */
  get keys() {
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      PageUp: () => this.turnPage(1),
      PageDown: () => this.turnPage(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.replay.last),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
    };
  }

  // Frames

  redraw() {
    this.write();
    this.draw(performance.now());
  }

  write() {
    this.view.write();
    this.written = this.replay.index;
  }

  draw(now) {
    const moves = this.view.paint(now);
    const wanted = (moves || this.replay.playing) && !this.stopped;
    if (wanted && !this.frame) this.frame = requestAnimationFrame((time) => this.tick(time));
  }

  tick(now) {
    this.frame = 0;
    const elapsed = Math.max(0, Math.min(LONGEST_FRAME, now - this.frameTime));
    this.frameTime = now;
    if (this.replay.playing) {
      this.replay.advance(elapsed);
      if (this.replay.isAtEnd) {
        this.pause();
        return;
      }
      if (this.replay.index !== this.written) this.write();
      if (now - this.spokenAt > BETWEEN_WORDS) this.speak();
    }
    this.draw(now);
  }

  // When a position stays

  /** Another position is shown; what takes time waits until it has stayed a moment. */
  settle() {
    clearTimeout(this.restTimer);
    if (this.replay.playing || this.stopped) return;
    this.view.moved();
    this.restTimer = setTimeout(() => this.rest(), REST);
  }

  rest() {
    this.view.tell();
    this.speak();
    this.view.stayed();
  }

  speak() {
    this.spokenAt = performance.now();
    this.announce(this.view.describe());
  }

  stop() {
    this.stopped = true;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.restTimer);
  }
}
