// A board that plays on: its moves come in small groups and are drawn one after the other.

import { Glide, transition } from "../../../lib2048/viewer/script/motion.js";

const PERIOD = 95; // milliseconds that a move is shown for
const MOST_WAITING = 16; // moves; where more wait, such as in a page that was out of sight, leap

/** The cells of a board that Python wrote as 16 hexadecimal digits, the last cell first. */
export function readBoard(digits) {
  return Uint8Array.from([...digits].reverse(), (digit) => parseInt(digit, 16));
}

export class Exhibition {
  constructor(board) {
    this.board = board;
    this.stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.cells = new Uint8Array(16);
    this.waiting = [];
    this.glide = null;
    this.frame = 0;
    this.movedAt = 0;
  }

  /** Show a board at once. */
  begin(digits) {
    this.waiting = [];
    this.glide = null;
    if (digits) this.cells = readBoard(digits);
    this.board.rest(this.cells);
  }

  /** What Python tells: a board, and the steps that led to it; without steps a game begins. */
  add({ board, steps }) {
    if (!steps.length || this.stillness.matches) {
      this.begin(board);
      return;
    }
    for (const [action, after] of steps) this.waiting.push([action, readBoard(after)]);
    if (this.waiting.length > MOST_WAITING || document.hidden) {
      this.begin(board);
      return;
    }
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.frame = 0;
    if (this.glide && !this.glide.paint(this.board, now)) {
      this.glide = null;
      this.board.rest(this.cells);
    }
    if (this.waiting.length && now - this.movedAt >= PERIOD) this.move(now);
    if (this.waiting.length || this.glide) {
      this.frame = requestAnimationFrame((time) => this.tick(time));
    }
  }

  move(now) {
    const [action, after] = this.waiting.shift();
    this.glide = new Glide(transition(this.cells, action, after));
    this.cells = after;
    this.movedAt = now;
    this.glide.paint(this.board, now);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.waiting = [];
  }
}
