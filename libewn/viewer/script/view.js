// The game viewer: watch two players, and where the search's playouts go.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { makeFacts } from "../../../lib2048/viewer/script/facts.js";
import { makeKeyListener } from "../../../lib2048/viewer/script/keyboard.js";
import { follow, replayHandlers, tell } from "../../../lib2048/viewer/script/link.js";
import { Player } from "../../../lib2048/viewer/script/player.js";
import { Replay } from "../../../lib2048/viewer/script/replay.js";
import { makeSlider } from "../../../lib2048/viewer/script/slider.js";
import { makeTransport } from "../../../lib2048/viewer/script/transport.js";
import { Bars } from "./bars.js";
import { Board } from "./board.js";
import { Dice } from "./dice.js";
import { SIDES, WAYS, isOver, playedMove, standing } from "./sides.js";

const PACE = 1; // plies a second at speed 1
const GLIDE = 220; // milliseconds for a cube to move
const BRIEF = 120; // a position shown for less time than this (milliseconds) is not animated
const FACTS = { ply: "ply", turn: "to move", red: "Red", blue: "Blue", seed: "seed" };
const KEYS = "Click the board, then: Space plays, ← → step, Home End, + − speed.";
const KNOWN_DICE = "The dice: this ply's, and the next ones, which both sides know";
const ONE_DIE = "The die of this ply";

class View {
  constructor(model) {
    this.model = model;
    this.game = model.get("game");
    this.plies = this.game.plies;
    this.glide = null; // the step of a single ply that is on its way: {ply, start}
    this.stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
    const look = model.get("look");
    this.makeReplay(look.speeds);
    this.makeParts(look);
    this.node = this.layOut();
  }

  /** The position that is shown. */
  get ply() {
    return this.plies[this.replay.index];
  }

  // What is on the page

  makeReplay(speeds) {
    const at = this.model.get("ply");
    const speed = this.model.get("speed");
    this.replay = new Replay({ at, last: this.plies.length - 1, speed, pace: PACE });
    this.heard = make("div", { class: "heard", role: "status", "aria-live": "polite" });
    this.player = new Player(this.replay, speeds, this, (text) => {
      this.heard.textContent = text;
    });
  }

  makeParts(look) {
    this.board = new Board(look, this.game);
    this.dice = new Dice(look, this.game);
    this.bars = new Bars();
    this.facts = makeFacts(FACTS);
    this.transport = makeTransport(this.player, "ply");
    this.slider = makeSlider(this.player, "ply");
    this.stage = make("div", { class: "stage", tabindex: 0, role: "application" }, this.board.node);
    this.caption = make("p", { class: "caption" });
  }

  layOut() {
    const hint = make("p", { class: "keys" }, KEYS);
    const aboutDice = make("p", { class: "status" }, this.game.known ? KNOWN_DICE : ONE_DIE);
    const heading = make("h3", {}, "Where the search's playouts went");
    const left = [this.stage, this.caption, this.transport.node, this.slider.node, hint];
    const side = [aboutDice, this.dice.node, heading, this.bars.node];
    const frame = {
      class: "v2048 vewn",
      role: "group",
      "aria-label": "EinStein viewer",
      keydown: makeKeyListener(() => this.player.keys),
    };
    return make(
      "div",
      frame,
      this.facts.node,
      make(
        "div",
        { class: "columns" },
        make("div", { class: "left" }, ...left),
        make("div", { class: "side" }, ...side),
      ),
      this.heard,
    );
  }

  // What the texts say

  write() {
    const { ply } = this;
    const { index, last, playing } = this.replay;
    const [red, blue] = this.game.names;
    this.facts.write({
      ply: `${index} / ${last}`,
      turn: isOver(ply) ? "–" : standing(ply),
      red,
      blue,
      seed: this.game.seed,
    });
    this.dice.show(ply, index + this.game.start);
    this.bars.show(ply);
    this.transport.write();
    this.slider.write();
    say(this.caption, this.captionText());
    if (!playing) this.stage.setAttribute("aria-label", this.boardInWords());
  }

  captionText() {
    const { ply } = this;
    const move = playedMove(ply);
    if (!move) return `${standing(ply)}.`;
    return `Next: ${SIDES[ply.mover]} plays cube ${move.cube} ${WAYS[ply.mover][move.way]}.`;
  }

  boardInWords() {
    const sides = SIDES.map((name, side) => `${name} ${this.cubesInWords(side)}`).join("; ");
    return `Board after ${this.replay.index} plies: ${sides}. ${standing(this.ply)}`;
  }

  cubesInWords(side) {
    const { first, columns } = this.game;
    const words = [];
    this.ply.squares[side].forEach((square, n) => {
      if (square < 0) return;
      const row = Math.floor(square / columns) + 1;
      const column = (square % columns) + 1;
      words.push(`${n + first} on row ${row} column ${column}`);
    });
    return words.join(", ");
  }

  // What the board shows: see Player, which calls these

  paint(now) {
    if (this.glide && this.paintGlide(now)) return true;
    this.glide = null;
    const { index } = this.replay;
    this.board.rest(this.ply, index > 0 ? playedMove(this.plies[index - 1]) : null);
    this.paintPlaying();
    return false;
  }

  /** A single step on its way; false when it is over. */
  paintGlide(now) {
    const part = (now - this.glide.start) / GLIDE;
    if (part >= 1) return false;
    this.board.glide(this.glide.ply, Math.max(0, part));
    return true;
  }

  /** While the game plays, a position's time ends with the way to the next one. */
  paintPlaying() {
    const { playing, period, untilNext, isAtEnd } = this.replay;
    if (!playing || isAtEnd || period < BRIEF || this.stillness.matches) return;
    const glideTime = Math.min(GLIDE, period / 2);
    if (untilNext < glideTime) this.board.glide(this.ply, 1 - untilNext / glideTime);
  }

  /** The step from a position to the next one is drawn. */
  animate(from) {
    if (this.stillness.matches) return;
    const before = from > 0 ? playedMove(this.plies[from - 1]) : null;
    this.board.rest(this.plies[from], before);
    this.glide = { ply: this.plies[from], start: performance.now() };
  }

  started() {
    this.glide = null;
  }

  moved() {
    this.glide = null;
  }

  stayed() {
    // nothing has to be asked: all that is known came with the game
  }

  tell() {
    if (this.player.stopped) return;
    const { index: ply, playing, speed } = this.replay;
    tell(this.model, { ply, playing, speed });
  }

  describe() {
    return `Ply ${this.replay.index} of ${this.replay.last}, ${standing(this.ply)}`;
  }

  // Beginning and end

  start() {
    this.unfollow = follow(this.model, replayHandlers(this.player, "ply"));
    this.player.redraw();
    if (this.model.get("playing")) this.player.play();
  }

  stop() {
    this.player.stop();
    this.unfollow();
    this.node.remove();
  }
}

/** Show the widget of this model in an element; returns how to take it away. */
export function render({ model, el }) {
  const view = new View(model);
  el.append(view.node);
  view.start();
  return () => view.stop();
}
