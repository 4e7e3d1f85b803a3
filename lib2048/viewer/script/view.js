// The board viewer: watch a game, look up what the network looks up, play against it.

import { Asker } from "./asker.js";
import { askBranches } from "./branches.js";
import { make, makeButton, say, setPressed } from "./dom.js";
import { Editing, Editor } from "./editing.js";
import { makeFacts } from "./facts.js";
import { Floats } from "./floats.js";
import { FromHere } from "./fromhere.js";
import { ACTIONS, LARGEST_SEED, describe, isDead, largestTile, slide, toHex } from "./game.js";
import { spawnsInWords } from "./ghost.js";
import { makeKeyListener } from "./keyboard.js";
import { Lens } from "./lens.js";
import { follow, replayHandlers, tell } from "./link.js";
import { Watching } from "./modes.js";
import { Opinions } from "./opinions.js";
import { Person } from "./person.js";
import { Player } from "./player.js";
import { listenForEdits } from "./pointing.js";
import { readGames } from "./recording.js";
import { Replay } from "./replay.js";
import { watchRoom } from "./room.js";
import { Shelf } from "./shelf.js";
import { Stage } from "./stage.js";
import { listenForSwipes } from "./swipe.js";
import { Thinking } from "./thinking.js";
import { Timeline } from "./timeline.js";
import { makeTransport } from "./transport.js";
import { Waiting } from "./waiting.js";
import { Weights } from "./weights.js";
import { rounded } from "./words.js";

const READABLE = 250; // milliseconds for which a position is shown, so that a sentence can be read
const PACE = 2.5; // moves a second at speed 1
const FACTS = { score: "score", move: "move", largest: "largest", seed: "seed" };
const WATCH_KEYS =
  "Click the board, then: Space plays, ← → step, Page ↑ ↓ leap, Home End, + − speed, " +
  "n next surprise.";
const PLAY_KEYS = "Click the board, then: arrow keys or W A S D move (or swipe), U undoes.";
const EDIT_KEYS =
  "Click or wheel up raises a tile, Shift and click or wheel down lowers it. Keys: arrows, + −, " +
  "Delete; a board can be pasted.";

class View {
  constructor(model) {
    this.model = model;
    this.look = model.get("look");
    this.shelf = new Shelf(readGames(model), (n) => this.pickByHand(n));
    this.pageAnswers = model.get("answers"); // only a page has them
    this.hasPython = !this.pageAnswers;
    this.gameNumber = model.get("game");
    this.asker = new Asker(model, () => this.node);
    this.opinions = new Opinions(this.asker, () => this.wait());
    this.watching = new Watching(this);
    this.mode = this.watching;
    this.makeReplay();
    this.makeParts();
    this.node = this.layOut();
  }

  /** All games that can be shown, those that Python sent first. */
  get games() {
    return this.shelf.games;
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
    listenForSwipes(this.stage.node, () => this.mode.isOwn, (action) => this.person.move(action));
    this.floats = new Floats(this.look);
    this.facts = makeFacts(FACTS);
    this.transport = makeTransport(this.player, "move");
    this.timeline = new Timeline(this.games, this.look, this.player, this.announce);
    this.person = new Person(this);
    this.editor = new Editor({
      mode: () => (this.isEditing ? this.mode : null),
      changed: () => this.refresh(),
      moved: () => this.pointed(),
    });
    listenForEdits(this.stage, this.editor);
    this.patience = new Waiting(this.asker, (words) => this.fromHere.complain(words));
    this.futures = new Map(); // how often networks played on from a board
    this.fromHere = new FromHere({
      play: () => this.person.playOn(),
      letPlay: () => this.letNetworksPlay(),
    });
    this.caption = make("p", { class: "caption" });
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
    this.watchButton = makeButton("watch", "Watch", () => this.watch());
    this.playButton = makeButton("mine", "Play yourself", () => this.person.sitDown());
    this.editButton = makeButton("edit", "Edit the board", () => this.edit());
  }

  layOut() {
    const { person } = this;
    const modes = { class: "modes", role: "group", "aria-label": "Mode" };
    const onBoard = [this.stage.node, this.floats.node, person.overlay.node];
    const side = [person.reviewed.node, ...this.thinking.parts, this.fromHere.node];
    side.push(this.lens.node);
    const controls = [this.transport.node, person.hand.node, this.editor.node, this.caption];
    controls.push(person.result.node);
    const frame = {
      class: "v2048",
      role: "group",
      "aria-label": "2048 board viewer",
      keydown: makeKeyListener(() => this.keys),
    };
    return make(
      "div",
      frame,
      this.shelf.node,
      make(
        "div",
        { class: "top" },
        this.facts.node,
        make("div", modes, this.watchButton, this.playButton, this.editButton),
      ),
      make(
        "div",
        { class: "desk" },
        make("div", { class: "onboard" }, ...onBoard),
        make("div", { class: "controls" }, ...controls),
        this.timeline.node,
        make("div", { class: "side" }, ...side),
      ),
      this.keysHint,
      this.heard,
    );
  }

  // What the texts say

  write() {
    const { mode, recording } = this;
    this.person.write(mode, recording);
    if (this.isEditing) this.editor.write(mode);
    this.writeFromHere();
    this.facts.write(mode.facts);
    this.thinking.write(mode, recording, this.hasTimeToRead);
    this.transport.write();
    this.timeline.write();
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
    return chosen === null ? mode.unforetold : mode.foretell(chosen);
  }

  writeFromHere() {
    const networks = this.hasPython ? this.networks.length : 0;
    const { isOwn } = this.mode;
    const isOff = this.replay.playing || isDead(this.cells);
    this.fromHere.write({ isOff, isOwn, networks });
  }

  /** A person's own board stays in sight; what the lens looks at is drawn in the lens then. */
  writeLens() {
    const { isReplay } = this.mode;
    this.stage.outline(isReplay ? this.lens.outlined() : this.cursor);
    const isDrawn = !isReplay && this.lens.isOpen && Boolean(this.recording.learned);
    this.lens.drawBoard(isDrawn ? this.subject().cells : null);
  }

  /** Whether the board shows what the lens looks at. */
  get isLooking() {
    if (!this.mode.isReplay || this.replay.playing) return false;
    return this.lens.isOpen && Boolean(this.recording.learned);
  }

  /** What the lens looks at. */
  subject() {
    const { cells, recording } = this;
    const { number } = recording;
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
    this.thinking.others.outdate();
    this.weights.moved();
  }

  stayed() {
    if (this.mode.isReplay) this.timeline.surprises.see(this.replay.index);
    if (!this.recording.learned) return;
    this.askOpinions();
    this.weights.ask();
  }

  tell() {
    if (!this.hasPython || this.player.stopped) return;
    const { index: move, playing, speed } = this.replay;
    const own_moves = this.person.record;
    if (this.recording.isOurs) tell(this.model, { own_moves });
    else tell(this.model, { game: this.gameNumber, move, playing, speed, own_moves });
  }

  describe() {
    const { result } = this.person;
    if (result.isShown) return result.text;
    const { score } = this.mode;
    const largest = largestTile(this.cells);
    const { surprises } = this.timeline;
    const surprise = this.mode.isReplay ? surprises.textOf(this.replay.index) : "";
    return `${this.mode.describe()}, score ${rounded(score)}, largest ${largest}. ${surprise}`;
  }

  /** Ask what the networks think, where that is not recorded or there are several to compare. */
  askOpinions() {
    const { cells } = this;
    const several = this.networks.length > 1;
    const isWanted = this.hasPython && (this.mode.needsOpinion || several) && !isDead(cells);
    if (!isWanted || !several) this.thinking.hideOthers();
    if (!isWanted) return;
    this.opinions.ask(cells, (reply) => {
      const isLate = this.player.stopped || this.replay.playing;
      if (isLate || !this.opinions.isAbout(this.cells)) return;
      const isSecret = this.mode.isOwn && !this.person.hand.isPeeking;
      if (several && reply.values && !isSecret) this.thinking.showOthers(reply.values, this.games);
      else this.thinking.hideOthers();
      this.write();
      if (!this.mode.isReplay) this.weights.ask(); // which looks at the network's choice
    });
  }

  /** An answer does not come: the texts say why, and what is known is of another board. */
  wait() {
    this.thinking.hideOthers();
    this.write();
  }

  // Another game

  /** The games that came with a network. */
  get networks() {
    return this.shelf.given.filter((game) => game.learned);
  }

  pick(n) {
    this.gameNumber = n;
    this.replay.change(this.recording.moves);
    this.facts.reserve(this.watching.longestFacts);
    this.shelf.press(n);
    this.lens.setGame(this.recording);
    this.timeline.pick(n);
    this.refresh();
    if (this.mode.isOwn && this.mode.isOver) this.person.finish(); // compared with this network
  }

  /** A game that was played on here is there to be watched; others may comment on one's own. */
  pickByHand(n) {
    if (this.games[n].isOurs) this.watch();
    this.pick(n);
  }

  /** Put games that were played here on the shelf; show the one of this number from its start. */
  addGames(kind, games, number) {
    this.shelf.put(kind, games);
    this.timeline.setGames(this.games);
    const shown = games.find((game) => game.number === number) ?? games[0];
    this.gameNumber = this.games.indexOf(shown);
    this.watch();
    this.pick(this.gameNumber);
    this.player.seek(0);
  }

  /**
   * The networks play on from the board that is shown, each for itself. In a recorded game other
   * tiles come than came there, and whenever this is done again with a board, others still.
   */
  letNetworksPlay() {
    const { number } = this.recording;
    const { spot } = this.mode;
    const board = toHex(spot.cells);
    const before = this.futures.get(board) ?? (this.mode.isReplay ? 1 : 0);
    this.futures.set(board, before + 1);
    const seed = (spot.seed + BigInt(before)) & LARGEST_SEED;
    this.player.pause();
    const receive = this.expect(({ games, error }) => {
      if (error) {
        this.fromHere.complain(error);
        return;
      }
      // the button that was pressed is off while the game plays, and would lose the keys
      if (this.fromHere.node.contains(document.activeElement)) this.stage.focus();
      this.addGames("branch", games, number);
      this.player.play();
    });
    askBranches(this.asker, this.networks, { ...spot, seed }, receive);
  }

  /**
   * What takes the answer to a question about the board that is shown. As long as there is none,
   * the reader is told why; when it comes too late, and another board is shown, it is dropped.
   */
  expect(then) {
    const { mode } = this;
    const board = toHex(this.cells);
    this.fromHere.complain("");
    this.patience.begin();
    return (...answer) => {
      this.patience.end();
      this.fromHere.complain("");
      const isLate = this.player.stopped || this.replay.playing || this.mode !== mode;
      if (!isLate && toHex(this.cells) === board) then(...answer);
    };
  }

  // What the reader does

  watch() {
    this.show(this.watching);
  }

  get isEditing() {
    return this.mode instanceof Editing;
  }

  edit() {
    if (this.isEditing) return;
    this.player.pause();
    this.show(new Editing(this, this.cells));
    this.stage.focus();
  }

  /** The cell that keys act on, to be outlined. */
  get cursor() {
    return this.isEditing ? [this.mode.cursor] : [];
  }

  pointed() {
    this.stage.outline(this.cursor);
    this.announce(this.mode.cursorWords);
  }

  show(mode) {
    const { isOwn, isReplay } = mode;
    this.mode = mode;
    this.thinking.bars.forget();
    this.stage.halt();
    this.floats.clear();
    this.patience.end();
    this.fromHere.complain("");
    this.transport.node.hidden = !isReplay;
    this.timeline.node.hidden = !isReplay;
    this.person.hand.node.hidden = !isOwn;
    this.editor.node.hidden = !this.isEditing;
    this.person.hideEnd();
    setPressed(this.watchButton, isReplay);
    setPressed(this.playButton, isOwn);
    setPressed(this.editButton, this.isEditing);
    this.stage.takeSwipes(isOwn);
    this.stage.node.classList.toggle("editing", this.isEditing);
    say(this.keysHint, this.keyWords);
    this.refresh();
  }

  get keyWords() {
    if (this.isEditing) return EDIT_KEYS;
    return this.mode.isOwn ? PLAY_KEYS : WATCH_KEYS;
  }

  get keys() {
    if (this.isEditing) return this.editor.keys;
    if (this.mode.isOwn) return this.person.keys;
    return { ...this.player.keys, ...this.timeline.keys };
  }

  // Beginning and end

  start() {
    const handlers = replayHandlers(this.player, "move");
    const isFollowing = () => this.mode.isReplay && !this.recording.isOurs;
    const whileWatching = (handle) => (value) => isFollowing() && handle(value);
    this.unfollow = follow(this.model, {
      ...handlers,
      move: whileWatching(handlers.move),
      playing: whileWatching(handlers.playing),
      game: (n) => n !== this.gameNumber && this.pick(n),
    });
    this.leaveRoom = watchRoom(this.node);
    this.pick(this.gameNumber);
    this.show(this.watching);
    if (this.model.get("playing")) this.player.play();
  }

  stop() {
    this.player.stop();
    this.weights.stop();
    this.opinions.stop();
    this.patience.end();
    this.floats.clear();
    this.asker.stop();
    this.timeline.stop();
    this.leaveRoom();
    this.unfollow();
    this.node.remove();
  }
}

/** A view of this model, in an element. */
export function makeView(model, el) {
  const view = new View(model);
  el.append(view.node);
  view.start();
  return view;
}

/** Show the widget of this model in an element; returns how to take it away. */
export function render({ model, el }) {
  const view = makeView(model, el);
  return () => view.stop();
}
