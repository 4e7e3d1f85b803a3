// A person's game: they choose moves, Python answers with those of the other side.

import { Asker } from "../../../lib2048/viewer/script/asker.js";
import { named } from "./sides.js";

/** The position after move number n, as far as it is known before Python answers. */
function afterMove(ply, n) {
  const { from, to } = named(ply.moves[n]);
  const squares = ply.squares.map((six) => six.map((square) => (square === to ? -1 : square)));
  squares[ply.mover] = squares[ply.mover].map((square, cube) => {
    return ply.squares[ply.mover][cube] === from ? to : square;
  });
  return { squares, mover: 1 - ply.mover, moves: [], note: "", isPending: true };
}

export class Person {
  /**
   * `answered(from)` is called when positions from number `from` on are new, `failed(words)` when
   * Python does not answer.
   */
  constructor(model, view, { answered, failed }) {
    this.asker = new Asker(model, view);
    this.answered = answered;
    this.failed = failed;
    this.side = 0;
    this.plies = [];
    this.chosen = 0; // the move that Enter plays
    this.picked = null; // the cube that was clicked
    this.isAdvised = false;
  }

  get last() {
    return this.plies.at(-1);
  }

  /** Whether the person is to choose a move in the newest position. */
  get isTurn() {
    const { last } = this;
    return Boolean(last) && last.mover === this.side && last.moves.length > 0;
  }

  get hasBegun() {
    return this.plies.length > 0;
  }

  /** All moves of the game so far, as Python reads them. */
  get moves() {
    const played = this.plies.filter((ply) => ply.move !== undefined);
    return played.map((ply) => ply.moves[ply.move].slice(0, 2));
  }

  begin(side) {
    this.side = side;
    this.plies = [];
    this.free();
    this.ask();
  }

  /** Play move number n of the newest position. */
  play(n) {
    const ply = { ...this.last, move: n };
    this.plies = [...this.plies.slice(0, -1), ply, afterMove(ply, n)];
    this.free();
    this.ask();
  }

  /** Nothing is chosen yet. */
  free() {
    this.chosen = 0;
    this.picked = null;
  }

  /** Ask for what comes after the moves so far; the last position may be there already. */
  ask() {
    const { side: person, moves, isAdvised: advised } = this;
    this.asker.ask({ topic: "play", person, moves, advised }, ({ plies, error }) => {
      if (moves.length !== this.moves.length) return; // one was taken back meanwhile
      if (error) {
        this.failed(error);
        return;
      }
      const from = moves.length;
      this.plies = [...this.plies.slice(0, from), ...plies];
      this.answered(from);
    });
  }

  /** The number of the position in which the person chose last, -1 where there is none. */
  get lastChoice() {
    const isChoice = (ply) => ply.mover === this.side && ply.move !== undefined;
    return this.plies.findLastIndex(isChoice);
  }

  /** Take back the person's last move, and what the other side answered. */
  takeBack() {
    const at = this.lastChoice;
    if (at < 0) return false;
    const { move, ...ply } = this.plies[at];
    this.plies = [...this.plies.slice(0, at), ply];
    this.free();
    return true;
  }

  /** The next move to choose, or the one before. */
  turn(by) {
    const count = this.last.moves.length;
    this.chosen = (this.chosen + by + count) % count;
  }

  /**
   * What a click on a square means: {played} is a move to be played, {chosen} one that is only
   * pointed at now, {problem} says why it is neither.
   */
  click(square) {
    const moves = this.last.moves.map(named);
    const numbers = [...moves.keys()];
    const there = numbers.filter((n) => moves[n].to === square);
    const byPicked = there.find((n) => moves[n].cube === this.picked);
    if (byPicked !== undefined) return { played: byPicked };
    const own = numbers.find((n) => moves[n].from === square);
    if (own !== undefined) {
      this.picked = moves[own].cube;
      return { chosen: own };
    }
    if (there.length === 1) return { played: there[0] };
    if (there.length > 1) return { problem: "Two cubes can go there: click the cube first." };
    return { problem: "No cube that may move now can go there." };
  }

  stop() {
    this.asker.stop();
  }
}
