// The board viewer: watch a game, look up what the network looks up, play against it.

import { Asker } from "./asker.js";
import { make, makeButton, say, setPressed } from "./dom.js";
import { makeFacts } from "./facts.js";
import { ACTIONS, describe, isDead, largestTile, slide } from "./game.js";
import { spawnsInWords } from "./ghost.js";
import { Hand } from "./hand.js";
import { makeKeyListener } from "./keyboard.js";
import { Lens } from "./lens.js";
import { follow, replayHandlers, tell } from "./link.js";
import { Playing, Watching } from "./modes.js";
import { Opinions } from "./opinions.js";
import { OwnGame } from "./own.js";
import { Player } from "./player.js";
import { readGames } from "./recording.js";
import { Replay } from "./replay.js";
import { Result } from "./result.js";
import { Stage } from "./stage.js";
import { listenForSwipes } from "./swipe.js";
import { Thinking } from "./thinking.js";
import { Timeline } from "./timeline.js";
import { makeTransport } from "./transport.js";
import { Weights } from "./weights.js";
import { rounded } from "./words.js";

const READABLE = 250; // milliseconds for which a position is shown, so that a sentence can be read
const PACE = 2.5; // moves a second at speed 1
const FACTS = { score: "score", move: "move", largest: "largest", seed: "seed" };
const WATCH_KEYS =
  "Click the board, then: Space plays, ← → step, Page ↑ ↓ leap, Home End, + − speed, " +
  "n next surprise.";
const PLAY_KEYS = "Click the board, then: arrow keys move (or swipe), U undoes.";

class View {
  constructor(model) {
    this.model = model;
    this.look = model.get("look");
    this.games = readGames(model);
    this.pageAnswers = model.get("answers"); // only a page has them
    this.hasPython = !this.pageAnswers;
    this.gameNumber = model.get("game");
    this.own = this.ownFromPython(); // a person's game, also while another one is watched
    this.asker = new Asker(model);
    this.opinions = new Opinions(this.asker);
    this.makeReplay();
    this.makeParts();
    this.node = this.layOut();
    this.watching = new Watching(this);
    this.mode = this.watching;
  }

  get recording() {
    return this.games[this.gameNumber];
  }

  get cells() {
    return this.mode.cells;
  }

  // What is on the page

  makeReplay() {
    const at = this.model.get("move");
    const speed = this.model.get("speed");
    this.replay = new Replay({ at, last: this.recording.moves, speed, pace: PACE });
    this.heard = make("div", { class: "heard", role: "status", "aria-live": "polite" });
    this.announce = (text) => {
      this.heard.textContent = text;
    };
    this.player = new Player(this.replay, this.look.speeds, this, this.announce);
  }

  makeParts() {
    this.stage = new Stage(this.look);
    listenForSwipes(this.stage.node, () => this.mode.isOwn, (action) => this.move(action));
    this.facts = makeFacts(FACTS);
    this.transport = makeTransport(this.player, "move");
    this.timeline = new Timeline(this.games, this.look, this.player, this.announce);
    this.hand = new Hand({
      undo: () => this.takeBack(),
      begin: () => this.begin(),
      peeked: () => this.refresh(),
    });
    this.caption = make("p", { class: "caption" });
    this.result = new Result(this.announce);
    this.keysHint = make("p", { class: "keys" });
    this.peeked = null; // the action whose bar is pointed at
    this.thinking = new Thinking(
      () => this.write(),
      (action, isByKey) => this.peek(action, isByKey),
    );
    this.lens = new Lens(this.look, () => this.refresh());
    this.weights = new Weights({
      lens: this.lens,
      asker: this.asker,
      pageAnswers: this.pageAnswers,
      subject: () => this.subject(),
    });
    this.ageButtons = this.games.map((game, n) => {
      const button = makeButton("age", game.name, () => this.pick(n));
      button.append(make("small", {}, ` ${rounded(game.finalScore)}`));
      return button;
    });
    this.watchButton = makeButton("watch", "Watch", () => this.watch());
    this.playButton = makeButton("mine", "Play yourself", () => this.playOneself());
  }

  layOut() {
    const ages = { class: "ages", role: "group", "aria-label": "Network" };
    if (this.games.length < 2) ages.hidden = "";
    const modes = { class: "modes", role: "group", "aria-label": "Mode" };
    const controls = [this.transport.node, this.hand.node, this.caption, this.result.node];
    const frame = {
      class: "v2048",
      role: "group",
      "aria-label": "2048 board viewer",
      keydown: makeKeyListener(() => this.keys),
    };
    return make(
      "div",
      frame,
      make("div", ages, ...this.ageButtons),
      make(
        "div",
        { class: "top" },
        this.facts.node,
        make("div", modes, this.watchButton, this.playButton),
      ),
      make(
        "div",
        { class: "desk" },
        this.stage.node,
        make("div", { class: "controls" }, ...controls),
        this.timeline.node,
        make("div", { class: "side" }, ...this.thinking.parts, this.lens.node),
      ),
      this.keysHint,
      this.heard,
    );
  }

  // What the texts say

  write() {
    const { mode, recording } = this;
    this.facts.write(mode.facts);
    this.thinking.write(mode, recording, this.hasTimeToRead);
    this.transport.write();
    this.timeline.write();
    this.hand.undo.disabled = !this.own?.canTakeBack;
    this.hand.think.hidden = !recording.learned || !this.hasPython;
    say(this.caption, this.captionText());
    this.writeLens();
    if (!this.replay.playing) this.stage.describe(this.cells);
  }

  get hasTimeToRead() {
    return !this.replay.playing || this.replay.period >= READABLE;
  }

  captionText() {
    const { mode } = this;
    const ghost = this.peekedAfterstate();
    if (ghost) return `After ${ACTIONS[this.peeked]}, before the new tile.`;
    if (mode.isOver) return mode.ending;
    if (this.isLooking) return `Shown: ${this.subject().words}.`;
    const { chosen } = mode.thoughts();
    return chosen === null ? "Your move." : mode.foretell(chosen);
  }

  /** A person's own board stays in sight; what the lens looks at is drawn in the lens then. */
  writeLens() {
    const { isOwn } = this.mode;
    this.stage.outline(isOwn ? [] : this.lens.outlined());
    const isDrawn = isOwn && this.lens.isOpen && Boolean(this.recording.learned);
    this.lens.drawBoard(isDrawn ? this.subject().cells : null);
  }

  /** Whether the board shows what the lens looks at. */
  get isLooking() {
    if (this.mode.isOwn || this.replay.playing) return false;
    return this.lens.isOpen && Boolean(this.recording.learned);
  }

  /** What the lens looks at. */
  subject() {
    const { cells, recording, gameNumber: number } = this;
    const { isOwn } = this.mode;
    const { chosen } = this.mode.thoughts();
    if (!this.lens.ofAfterstate || chosen === null) {
      return { cells, words: "the board s", number, recording, isOwn };
    }
    const { after } = slide(cells, chosen);
    const words = `the afterstate s' (${ACTIONS[chosen]}, no new tile yet)`;
    return { cells: after, words, number, recording, isOwn };
  }

  // The afterstate of a bar that is pointed at

  /** Show what an action leads to, before the new tile; null shows the board again. */
  peek(action, isByKey) {
    this.peeked = action;
    if (this.replay.playing) return;
    this.player.redraw();
    const ghost = isByKey ? this.peekedAfterstate() : null;
    if (!ghost) return;
    const { after, p4 } = ghost;
    this.announce(`After ${ACTIONS[action]}: ${describe(after)}; ${spawnsInWords(after, p4)}`);
  }

  /** What is to be shown of the bar that is pointed at, null where there is nothing. */
  peekedAfterstate() {
    if (this.peeked === null || this.replay.playing) return null;
    const { after, moved } = slide(this.cells, this.peeked);
    return moved ? { after, p4: this.recording.fours / 2 ** 32 } : null;
  }

  // What the board shows: see Player, which calls these

  paint(now) {
    const { replay, recording } = this;
    if (replay.playing) return this.stage.paintPlaying(now, replay, recording);
    const ghost = this.peekedAfterstate();
    if (ghost) return this.stage.paintGhost(ghost.after, ghost.p4);
    const cells = this.isLooking ? this.subject().cells : this.cells;
    return this.stage.paintBoard(now, cells);
  }

  animate(from) {
    this.stage.animateRecorded(this.recording, from);
  }

  /** The same board, told anew: something else is asked about it. */
  refresh() {
    this.player.settle();
    this.player.redraw();
  }

  started() {
    this.stage.halt();
    this.weights.suspend();
    this.thinking.hideOthers();
  }

  moved() {
    this.stage.halt();
    this.weights.moved();
  }

  stayed() {
    if (!this.mode.isOwn) this.timeline.surprises.see(this.replay.index);
    if (!this.recording.learned) return;
    this.askOpinions();
    this.weights.ask();
  }

  tell() {
    if (!this.hasPython || this.player.stopped) return;
    const { index: move, playing, speed } = this.replay;
    const own_moves = this.own?.record ?? {};
    tell(this.model, { game: this.gameNumber, move, playing, speed, own_moves });
  }

  describe() {
    if (this.result.isShown) return this.result.text;
    const { score } = this.mode;
    const largest = largestTile(this.cells);
    const surprise = this.mode.isOwn ? "" : this.timeline.surprises.textOf(this.replay.index);
    return `${this.mode.describe()}, score ${rounded(score)}, largest ${largest}. ${surprise}`;
  }

  /** Ask what the networks think, where that is not recorded or there are several to compare. */
  askOpinions() {
    const { cells } = this;
    const several = this.games.filter((game) => game.learned).length > 1;
    const isWanted = this.hasPython && (this.mode.needsOpinion || several) && !isDead(cells);
    this.thinking.hideOthers();
    if (!isWanted) return;
    this.opinions.ask(cells, (reply) => {
      const isLate = this.player.stopped || this.replay.playing;
      if (isLate || !this.opinions.isAbout(this.cells)) return;
      const isSecret = this.mode.isOwn && !this.hand.isPeeking;
      if (several && reply.values && !isSecret) this.thinking.showOthers(reply.values, this.games);
      this.write();
      if (this.mode.isOwn) this.weights.ask(); // which looks at the network's choice
    });
  }

  // Another game

  pick(n) {
    this.gameNumber = n;
    this.replay.change(this.recording.moves);
    this.facts.reserve(this.watching.longestFacts);
    this.ageButtons.forEach((button, m) => setPressed(button, m === n));
    this.lens.setGame(this.recording);
    this.timeline.pick(n);
    this.refresh();
    if (this.mode.isOwn && this.mode.isOver) this.finish(); // compared with this network
  }

  // A person plays

  /** The game that was played in a view of this widget before, perhaps before a reload. */
  ownFromPython() {
    const record = this.model.get("own_moves");
    return record?.seed ? OwnGame.fromRecord(record) : null;
  }

  playOneself() {
    if (this.mode.isOwn) return;
    this.player.pause();
    if (!this.own) this.own = new OwnGame(BigInt(this.recording.seed ?? 0), this.recording.fours);
    if (!this.hand.seed.value) this.hand.seed.value = this.own.seed;
    this.arrange();
  }

  /** A new game from the seed that was typed; the old one goes on where that is no seed. */
  begin() {
    const seed = this.hand.readSeed();
    if (seed === null) {
      this.announce(this.hand.problem.textContent);
      return;
    }
    this.player.pause();
    this.own = new OwnGame(seed, this.recording.fours);
    this.arrange();
  }

  watch() {
    this.show(this.watching);
  }

  /** The person's game comes on the board. */
  arrange() {
    this.show(new Playing(this, this.own));
    if (this.mode.isOver) this.finish();
    this.stage.focus();
  }

  show(mode) {
    const { isOwn } = mode;
    this.mode = mode;
    this.stage.halt();
    this.transport.node.hidden = isOwn;
    this.timeline.node.hidden = isOwn;
    this.hand.node.hidden = !isOwn;
    this.result.hide();
    setPressed(this.watchButton, !isOwn);
    setPressed(this.playButton, isOwn);
    this.stage.takeSwipes(isOwn);
    say(this.keysHint, isOwn ? PLAY_KEYS : WATCH_KEYS);
    this.refresh();
  }

  move(action) {
    const plan = this.own.move(action);
    if (!plan) {
      this.announce(`${ACTIONS[action]} is not possible`);
      return;
    }
    this.player.settle();
    this.stage.animate(plan);
    this.player.redraw();
    if (this.own.isOver) this.finish();
  }

  takeBack() {
    if (!this.mode.isOwn || !this.own.canTakeBack) return;
    this.own.takeBack();
    this.result.hide();
    this.refresh();
  }

  finish() {
    const asker = this.hasPython ? this.asker : null;
    this.result.show(this.own, this.recording, this.gameNumber, asker);
  }

  get keys() {
    if (!this.mode.isOwn) return { ...this.player.keys, ...this.timeline.keys };
    const takeBack = () => this.takeBack();
    return {
      ArrowUp: () => this.move(0),
      ArrowRight: () => this.move(1),
      ArrowDown: () => this.move(2),
      ArrowLeft: () => this.move(3),
      u: takeBack,
      U: takeBack,
      Backspace: takeBack,
    };
  }

  // Beginning and end

  start() {
    const handlers = replayHandlers(this.player, "move");
    const whileWatching = (handle) => (value) => this.mode.isOwn || handle(value);
    this.unfollow = follow(this.model, {
      ...handlers,
      move: whileWatching(handlers.move),
      playing: whileWatching(handlers.playing),
      game: (n) => n !== this.gameNumber && this.pick(n),
    });
    this.pick(this.gameNumber);
    this.show(this.watching);
    if (this.model.get("playing")) this.player.play();
  }

  stop() {
    this.player.stop();
    this.weights.stop();
    this.asker.stop();
    this.timeline.stop();
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
