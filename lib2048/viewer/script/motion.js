// What the board looks like between two positions: first the tiles slide, then new and merged ones
// pop.

import { slide } from "./game.js";

const SLIDE = 120; // milliseconds
const SETTLE = 110;
const BRIEF = 60; // a position shown for less time than this is not animated

/** How one board becomes the next: the slide, and the cell of the new tile. */
export function transition(before, action, to) {
  const { after, paths } = slide(before, action);
  const born = to.findIndex((exponent, cell) => exponent !== after[cell]);
  return { before, paths, to, born };
}

/** A transition that is drawn once, at its own pace. */
export class Glide {
  constructor(plan) {
    this.plan = plan;
    this.start = performance.now();
  }

  /** Draw it as it is now; false when it is over. */
  paint(board, now) {
    // a frame's time may lie before the event that asked for it
    const time = Math.max(0, now - this.start);
    if (time < SLIDE) board.slide(this.plan, time / SLIDE);
    else if (time < SLIDE + SETTLE) board.settle(this.plan, (time - SLIDE) / SETTLE);
    else return false;
    return true;
  }
}

/** Draw a recording as it plays: the end of a position's time is the slide to the next one. */
export function paintPlaying(board, replay, recording, planFrom) {
  const { index, period, shownFor, untilNext } = replay;
  const slideTime = Math.min(SLIDE, period / 2);
  const settleTime = Math.min(SETTLE, period / 2);
  const animated = period >= BRIEF && !replay.isAtEnd;
  if (animated && untilNext < slideTime) {
    board.slide(planFrom(index), 1 - untilNext / slideTime);
  } else if (animated && shownFor < settleTime && index > replay.startedFrom) {
    board.settle(planFrom(index - 1), shownFor / settleTime);
  } else {
    board.rest(recording.cells(index));
  }
}
