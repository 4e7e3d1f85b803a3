// The person at the board: the game that they play, what is remembered of it, what they do in it.

import { askReview } from "./branches.js";
import { ACTIONS, LARGEST_SEED } from "./game.js";
import { Hand } from "./hand.js";
import { Playing } from "./modes.js";
import { Overlay } from "./overlay.js";
import { OwnGame } from "./own.js";
import { Memory, newerRecord } from "./remember.js";
import { Result } from "./result.js";
import { Review } from "./review.js";
import { rounded } from "./words.js";

/** What a viewer's own games are remembered by; a page is known by its address besides. */
function memoryKey(view) {
  const key = view.model.get("own_key") ?? "";
  return view.hasPython ? key : `${location.pathname} ${key}`;
}

export class Person {
  constructor(view) {
    this.view = view;
    this.memory = new Memory(memoryKey(view));
    const record = newerRecord(view.model.get("own_moves"), this.memory.record);
    this.game = record && OwnGame.fromRecord(record); // also while another one is watched
    this.hand = new Hand({
      undo: () => this.takeBack(),
      begin: () => this.begin(),
      review: () => this.review(),
      peeked: () => view.refresh(),
    });
    this.result = new Result(view.announce);
    this.overlay = new Overlay({
      begin: () => this.beginNext(),
      again: () => this.take(this.game.upTo(0)),
      review: () => this.review(),
      undo: () => this.takeBack(),
    });
    this.reviewed = new Review({
      seek: (move) => view.player.seek(move),
      retry: (game, move) => this.take(game.upTo(move)),
    });
  }

  get record() {
    return this.game?.record ?? {};
  }

  // Which game

  /** The game goes on, or the first one begins: with the tiles of the recorded game. */
  sitDown() {
    if (this.view.mode.isOwn) return;
    const { seed, fours } = this.view.recording;
    this.arrange(this.game ?? new OwnGame(BigInt(seed ?? 0), fours));
  }

  /** A new game from the seed that was typed; the old one goes on where that is no seed. */
  begin() {
    const seed = this.hand.readSeed();
    if (seed === null) this.view.announce(this.hand.problem.textContent);
    else this.take(new OwnGame(seed, this.view.recording.fours));
  }

  /** A new game from the seed after this one. */
  beginNext() {
    const seed = this.game.seed < LARGEST_SEED ? this.game.seed + 1n : 0n;
    this.hand.seed.value = seed;
    this.begin();
  }

  /** Play on from the board that is shown. */
  playOn() {
    const { cells, seed, first } = this.view.mode.spot;
    this.take(new OwnGame(seed, this.view.recording.fours, cells, first));
  }

  /** This game takes the place of the other one. */
  take(game) {
    this.game = game;
    game.time = Date.now();
    this.keep();
    this.arrange(game);
  }

  /** The game comes on the board. */
  arrange(game) {
    const { view } = this;
    this.game = game;
    view.player.pause();
    if (!this.hand.seed.value) this.hand.seed.value = game.seed;
    view.show(new Playing(view, game));
    if (game.isOver) this.finish();
    view.stage.focus();
  }

  keep() {
    this.memory.keep(this.record);
    this.memory.keepBest(this.game);
  }

  // Moves

  move(action) {
    const { view } = this;
    const plan = this.game.move(action);
    if (!plan) {
      view.announce(`${ACTIONS[action]} is not possible`);
      return;
    }
    this.keep();
    view.thinking.bars.forget();
    view.player.settle();
    view.stage.animate(plan);
    view.floats.show(plan);
    view.player.redraw();
    if (this.game.isOver) this.finish();
  }

  takeBack() {
    if (!this.view.mode.isOwn || !this.game.canTakeBack) return;
    this.game.takeBack();
    this.keep();
    this.hideEnd();
    this.view.floats.clear();
    this.view.refresh();
    this.view.stage.focus(); // the button may have gone with the end
  }

  finish() {
    const { view } = this;
    this.overlay.show(this.game, this.memory.best(this.game));
    this.result.show(this.game, view.recording, view.hasPython ? view.asker : null);
  }

  hideEnd() {
    this.overlay.hide();
    this.result.hide();
  }

  // Looking back

  /** The game as a recording, each move with what the network of the game beside it says. */
  review() {
    const { view, game } = this;
    const receive = view.expect((recording, problem) => {
      this.problem = problem;
      view.addGames("own", [recording], recording.number);
    });
    askReview(view.hasPython ? view.asker : null, game, view.recording, receive);
  }

  // The controls

  write(mode, recording) {
    const { hand, game, view } = this;
    this.reviewed.show(recording, mode.isReplay, this.problem);
    if (!mode.isOwn) return;
    const best = this.memory.best(game);
    hand.undo.disabled = !game.canTakeBack;
    hand.review.disabled = !game.canTakeBack;
    hand.think.hidden = !recording.learned || !view.hasPython;
    hand.best.textContent = best ? `best ${rounded(best)}` : "";
  }

  get keys() {
    const moves = [["ArrowUp", "w"], ["ArrowRight", "d"], ["ArrowDown", "s"], ["ArrowLeft", "a"]];
    const keys = {};
    moves.forEach(([arrow, letter], action) => {
      for (const key of [arrow, letter, letter.toUpperCase()]) keys[key] = () => this.move(action);
    });
    for (const key of ["u", "U", "Backspace"]) keys[key] = () => this.takeBack();
    return keys;
  }
}
