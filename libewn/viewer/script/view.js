// The game viewer: watch two players, and where the search's playouts go.

import { make, makeButton, say, setPressed } from "../../../lib2048/viewer/script/dom.js";
import { makeFacts } from "../../../lib2048/viewer/script/facts.js";
import { makeKeyListener } from "../../../lib2048/viewer/script/keyboard.js";
import { Glance, Graph } from "../../../lib2048/viewer/script/graph.js";
import { follow, replayHandlers, tell } from "../../../lib2048/viewer/script/link.js";
import { Player } from "../../../lib2048/viewer/script/player.js";
import { Replay } from "../../../lib2048/viewer/script/replay.js";
import { makeTransport } from "../../../lib2048/viewer/script/transport.js";
import { Bars } from "./bars.js";
import { Board } from "./board.js";
import { Dice } from "./dice.js";
import { Person } from "./person.js";
import { SIDES, WAYS, isOver, named, playedMove, standing } from "./sides.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";
import { winShare } from "./winshare.js";

const PACE = 1; // plies a second at speed 1
const GLIDE = 220; // milliseconds for a cube to move
const BRIEF = 120; // a position shown for less time than this (milliseconds) is not animated
const FACTS = { ply: "ply", turn: "to move", red: "Red", blue: "Blue", seed: "seed" };
const KEYS = "Click the board, then: Space plays, ← → step, Home End, + − speed.";
const OWN_KEYS =
  "Click a cube, then the square it goes to. Keys: ↑ ↓ choose a move, Enter plays it, " +
  "U takes back.";
const CURVES = [["worth", "Red’s chance in %, by the searches"]];
const THINKING = "The other side thinks …";
const KNOWN_DICE = "The dice: this ply's, and the next ones, which both sides know";
const ONE_DIE = "The die of this ply";

class View {
  constructor(model) {
    this.model = model;
    this.game = model.get("game");
    this.plies = this.game.plies; // of the game that is shown
    this.isOwn = false; // whether that is the person's game
    this.isAlone = Boolean(model.get("alone")); // a page has no Python to play against
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
    this.tree = new Tree();
    this.transport = makeTransport(this.player, "ply");
    this.makeGraph(look);
    this.stage = make("div", { class: "stage", tabindex: 0, role: "application" }, this.board.node);
    this.stage.addEventListener("click", (event) => this.click(event));
    this.caption = make("p", { class: "caption" });
    this.hint = make("p", { class: "keys" }, KEYS);
    this.watchButton = makeButton("watch", "Watch", () => this.watch());
    this.playButton = makeButton("mine", "Play yourself", () => this.playOneself());
    this.makePerson();
  }

  makeGraph(look) {
    this.small = new Board(look, this.game);
    this.graph = new Graph({
      name: "Ply",
      seek: (at) => this.player.seek(at),
      inWords: (at) => this.placeInWords(at),
      glance: new Glance(this.small.node, (at) => this.glimpse(at)),
      keys: CURVES,
    });
  }

  makePerson() {
    this.person = new Person(this.model, () => this.node, {
      answered: (from) => this.answered(from),
      failed: (words) => this.report(words),
    });
    this.table = new Table({
      begin: (side) => this.begin(side),
      play: (n) => this.playMove(n),
      point: (n) => this.point(n),
      undo: () => this.takeBack(),
      advise: (flag) => this.advise(flag),
    });
    this.problem = ""; // what a click or Python had to complain about
  }

  layOut() {
    const modes = { class: "modes", role: "group", "aria-label": "Mode" };
    if (this.isAlone) modes.hidden = "";
    const aboutDice = make("p", { class: "status" }, this.game.known ? KNOWN_DICE : ONE_DIE);
    const heading = make("h3", {}, "Where the search's playouts went");
    const left = [this.stage, this.caption, this.transport.node, this.table.node];
    left.push(this.graph.node, this.hint);
    const side = [aboutDice, this.dice.node, heading, this.bars.node, this.tree.node];
    const frame = {
      class: "v2048 vewn",
      role: "group",
      "aria-label": "EinStein viewer",
      keydown: makeKeyListener(() => this.keys),
    };
    return make(
      "div",
      frame,
      make(
        "div",
        { class: "top" },
        this.facts.node,
        make("div", modes, this.watchButton, this.playButton),
      ),
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
    const [red, blue] = this.names;
    this.facts.write({
      ply: `${index} / ${last}`,
      turn: isOver(ply) ? "–" : standing(ply),
      red,
      blue,
      seed: this.game.seed,
    });
    this.dice.show(ply, index + this.game.start);
    this.bars.show(ply);
    this.tree.show(ply);
    this.transport.write();
    this.graph.write(index, !playing);
    this.writeTable();
    say(this.caption, this.captionText());
    if (!playing) this.stage.setAttribute("aria-label", this.boardInWords());
  }

  get names() {
    if (!this.isOwn) return this.game.names;
    return this.game.names.map((name, side) => (side === this.person.side ? "you" : name));
  }

  captionText() {
    const { ply } = this;
    const move = playedMove(ply);
    if (this.isChoosing) return `Your move: ${standing(ply)}.`;
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
    if (this.isChoosing) this.board.offer(this.ply, this.person.chosen);
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
    if (this.player.stopped || this.isOwn) return;
    const { index: ply, playing, speed } = this.replay;
    tell(this.model, { ply, playing, speed });
  }

  describe() {
    return `Ply ${this.replay.index} of ${this.replay.last}, ${standing(this.ply)}`;
  }

  // The graph

  placeInWords(at) {
    const chance = this.chances[at];
    const words = Number.isFinite(chance) ? `, Red’s chance ${Math.round(chance)} %` : "";
    return `ply ${at} of ${this.replay.last}${words}`;
  }

  /** Draw a position small, and say what it is. */
  glimpse(at) {
    this.small.rest(this.plies[at], at > 0 ? playedMove(this.plies[at - 1]) : null);
    const chance = this.chances[at];
    return `ply ${at}${Number.isFinite(chance) ? ` · Red ${Math.round(chance)} %` : ""}`;
  }

  // Which game

  /** Show positions of another game, or more of the same one. */
  setPlies(plies) {
    this.plies = plies;
    const curve = winShare(plies);
    this.chances = curve.chances;
    this.replay.change(plies.length - 1);
    this.graph.show([curve], 0);
  }

  watch() {
    this.show(false, this.game.plies);
  }

  playOneself() {
    if (this.isOwn) return;
    if (this.person.hasBegun) this.show(true, this.person.plies);
    else this.begin(0);
    this.stage.focus();
  }

  show(isOwn, plies) {
    this.isOwn = isOwn;
    setPressed(this.watchButton, !isOwn);
    setPressed(this.playButton, isOwn);
    this.table.node.hidden = !isOwn;
    say(this.hint, isOwn ? OWN_KEYS : KEYS);
    this.setPlies(plies);
    this.player.seek(isOwn ? plies.length - 1 : Math.min(this.replay.index, plies.length - 1));
  }

  // A person plays

  /** Whether the person is asked for a move on the board that is shown. */
  get isChoosing() {
    return this.isOwn && this.replay.isAtEnd && !this.replay.playing && this.person.isTurn;
  }

  writeTable() {
    const { person, problem } = this;
    this.table.write({
      ply: this.ply,
      isTurn: this.isChoosing,
      chosen: person.chosen,
      canTakeBack: person.lastChoice >= 0,
      words: problem || (person.last?.isPending ? THINKING : ""),
    });
  }

  begin(side) {
    this.problem = THINKING;
    this.player.pause();
    this.person.begin(side);
    this.write();
  }

  /** Python has answered: positions from number `from` on are new. */
  answered(from) {
    this.problem = "";
    const { plies } = this.person;
    this.show(true, plies);
    if (plies.length - 1 > from) {
      this.player.seek(from);
      this.player.step(1); // the other side's move is seen
    }
    this.player.redraw();
  }

  report(words) {
    this.problem = words;
    this.writeTable();
  }

  playMove(n) {
    if (!this.isChoosing) return;
    this.problem = "";
    const at = this.replay.index;
    this.person.play(n);
    this.setPlies(this.person.plies);
    this.player.seek(at);
    this.player.step(1);
  }

  point(n) {
    if (!this.isChoosing || n === this.person.chosen) return;
    this.person.chosen = n;
    this.player.redraw();
  }

  turn(by) {
    if (!this.isChoosing) return;
    this.person.turn(by);
    const { cube, way } = named(this.ply.moves[this.person.chosen]);
    this.heard.textContent = `cube ${cube} ${WAYS[this.ply.mover][way]}`;
    this.player.redraw();
  }

  click(event) {
    if (!this.isChoosing) return;
    const { played, chosen, problem = "" } = this.person.click(
      this.board.squareAt(event.clientX, event.clientY),
    );
    this.problem = problem;
    if (played !== undefined) this.playMove(played);
    else if (chosen !== undefined) this.point(chosen);
    this.writeTable();
  }

  takeBack() {
    if (!this.isOwn || !this.person.takeBack()) return;
    this.problem = "";
    this.show(true, this.person.plies);
  }

  /** What a search thinks of the person's position is asked for, or hidden from now on. */
  advise(flag) {
    this.person.isAdvised = flag;
    if (this.person.isTurn) this.person.ask();
  }

  get keys() {
    const { keys } = this.player;
    if (!this.isOwn) return keys;
    const takeBack = () => this.takeBack();
    return {
      ...keys,
      ArrowUp: () => this.turn(-1),
      ArrowDown: () => this.turn(1),
      Enter: () => this.playMove(this.person.chosen),
      u: takeBack,
      U: takeBack,
      Backspace: takeBack,
    };
  }

  // Beginning and end

  start() {
    const isWatching = (handle) => (value) => this.isOwn || handle(value);
    const handlers = replayHandlers(this.player, "ply");
    this.unfollow = follow(this.model, {
      ...handlers,
      ply: isWatching(handlers.ply),
      playing: isWatching(handlers.playing),
    });
    this.setPlies(this.plies);
    this.show(false, this.plies);
    if (this.model.get("playing")) this.player.play();
  }

  stop() {
    this.player.stop();
    this.person.stop();
    this.graph.stop();
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
