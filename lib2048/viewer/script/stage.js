// The board as it is seen: at rest, on the way from one position to the next, or playing.

import { Board } from "./board.js";
import { make } from "./dom.js";
import { describe } from "./game.js";
import { Ghost } from "./ghost.js";
import { Glide, paintPlaying, transition } from "./motion.js";

export class Stage {
  constructor(look) {
    this.board = new Board(look);
    this.node = make("div", { class: "stage", tabindex: 0, role: "application" }, this.board.node);
    this.ghost = new Ghost(this.board);
    this.stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.glide = null; // a single move on its way
    this.plan = null; // the transition of a recording that was drawn last
  }

  /** Say to a screen reader what is shown. */
  describe(cells) {
    this.node.setAttribute("aria-label", describe(cells));
  }

  outline(cells) {
    this.board.outline(cells);
  }

  focus() {
    this.node.focus({ preventScroll: true });
  }

  /** Whether a finger over the board is a move, and does not scroll the page. */
  takeSwipes(flag) {
    this.node.classList.toggle("swipe", flag);
  }

  // A single move

  /** A move is about to be drawn on its way, unless the reader wants no motion. */
  animate(plan) {
    this.glide = this.stillness.matches ? null : new Glide(plan);
  }

  animateRecorded(recording, from) {
    this.animate(this.planFrom(recording, from));
  }

  halt() {
    this.glide = null;
  }

  /** How board number `from` of a recording becomes the next one. */
  planFrom(recording, from) {
    if (this.plan?.recording !== recording || this.plan.from !== from) {
      const before = recording.cells(from);
      const after = recording.cells(from + 1);
      const steps = transition(before, recording.actions[from], after);
      this.plan = { recording, from, ...steps };
    }
    return this.plan;
  }

  /** An afterstate that may come, instead of the board. */
  paintGhost(cells, p4) {
    this.ghost.show(cells, p4);
    return false;
  }

  // Drawing: true as long as a single move is on its way

  paintGlide(now) {
    if (this.glide?.paint(this.board, now)) return true;
    this.glide = null;
    return false;
  }

  /** A board that stays, after the move that led to it. */
  paintBoard(now, cells) {
    this.ghost.hide();
    if (this.paintGlide(now)) return true;
    this.board.rest(cells);
    return false;
  }

  /** A recording as it plays. */
  paintPlaying(now, replay, recording) {
    this.ghost.hide();
    if (this.stillness.matches) return this.paintBoard(now, recording.cells(replay.index));
    if (this.paintGlide(now)) return true;
    paintPlaying(this.board, replay, recording, (from) => this.planFrom(recording, from));
    return false;
  }
}
