// A page that plays by itself: it carries a compact network, and needs neither Python nor the net.

import { AddressError, readAddress, writeAddress } from "./address.js";
import { readCompact } from "./compact.js";
import { make, makeButton, withLabel } from "./dom.js";
import { gameFrom, newGame, toHex } from "./game.js";
import { LocalAnswers } from "./local.js";
import { bytesOf, pageModel, pagePlace, pageState } from "./page.js";
import { boardSvg, download, movesGif } from "./pictures.js";
import { describedGame, playOn } from "./playing.js";
import { School } from "./school.js";
import { NO_SEED, readSeed } from "./seed.js";
import { makeView } from "./view.js";
import { percent, rounded } from "./words.js";

const GIF_MOVES = 30;
const MOST_SEEDS = 1_000_000; // among which another game is drawn
const NO_ADDRESS = { seed: null, move: null, board: null };
const PLAYING = "The network plays …";

/** Pieces of bytes, one after the other. */
function joinedBytes(pieces) {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let start = 0;
  for (const piece of pieces) {
    bytes.set(piece, start);
    start += piece.length;
  }
  return new DataView(bytes.buffer);
}

/** What is known of how well a network plays, in a sentence. */
function inWords({ games, strength }) {
  const learned = `This network learned from ${rounded(games)} games.`;
  if (!strength?.mean) return learned;
  const { mean, reached } = strength;
  const share = percent(reached?.[2048]).replace(" ", "\u00a0"); // on one line with its sign
  const wins = reached?.[2048] ? ` and reaches 2048 in ${share} of them` : "";
  return `${learned} It scores ${rounded(mean)} points a game${wins}.`;
}

class PlayPage {
  /** `state` may hold recorded games; the network's own one stands after them. */
  constructor(state, network) {
    // what a page has no network for has no lens either, and nobody plays on
    const games = state.games.map((about) => ({ ...about, learned: null }));
    const own_key = `${location.pathname} ${state.own_key}`; // what a reader's game is kept by
    this.state = { ...state, games, own_key, answers: null };
    this.network = network;
    this.fours = Math.round(network.about.p4 * 2 ** 32);
    this.recorded = new Uint8Array(bytesOf(state.data).buffer);
    this.own = state.games.length; // the number of the network's own game
    this.view = null;
    this.place = make("div");
    this.trouble = make("p", { class: "trouble", role: "alert", hidden: "" });
    const about = make("p", { class: "introduction" }, inWords(network.about));
    this.pupil = null; // a network that learned here
    const parts = [about, this.makeGameBar(), this.trouble, this.place, this.makePictureBar()];
    parts.push(this.makeSchool());
    this.node = make("div", { class: "playpage" }, ...parts);
  }

  makeGameBar() {
    this.seed = make("input", {
      type: "text",
      inputmode: "numeric",
      class: "newseed",
      "aria-label": "Seed of the network's game",
      keydown: (event) => event.key === "Enter" && this.watchTyped(),
      input: () => this.complain(""),
    });
    return make(
      "div",
      { class: "v2048 playbar", role: "group", "aria-label": "The network's game" },
      withLabel("seed", this.seed),
      makeButton("typed", "Go", () => this.watchTyped()),
      makeButton("any", "Another game", () => this.watchAny()),
    );
  }

  makePictureBar() {
    return make(
      "div",
      { class: "v2048 playbar", role: "group", "aria-label": "Pictures to save" },
      makeButton("svg", "Save the board as SVG", () => this.saveSvg()),
      makeButton("gif", `Save ${GIF_MOVES} moves as GIF`, () => this.saveGif()),
      make("span", { class: "hint" }, "The address of this page names the game and the move."),
    );
  }

  makeSchool() {
    const { look, learner, school } = this.state;
    const show = (network) => this.showPupil(network);
    return new School({ look, script: learner, settings: school, show }).node;
  }

  complain(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = !text;
  }

  // Games

  /**
   * Show the game that an address names, or say what is wrong with the address. One that names
   * none is that of the first recorded game, if there is one.
   */
  follow(address) {
    this.complain("");
    const { hash } = new URL(address);
    const first = this.state.games.length && hash.length < 2 ? this.state : {};
    try {
      this.show(readAddress(hash), first);
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      if (!this.view) this.show(NO_ADDRESS);
      this.complain(error.message);
    }
  }

  watchTyped() {
    const seed = readSeed(this.seed.value);
    if (seed === null) this.complain(NO_SEED);
    else this.go(seed);
  }

  watchAny() {
    this.go(BigInt(Math.floor(MOST_SEEDS * Math.random())));
  }

  go(seed) {
    this.complain("");
    this.show({ seed, move: null, board: null });
  }

  /** Who plays in this page: its network, and the one that learns here once it is looked at. */
  get players() {
    const players = [{ name: this.state.name, network: this.network }];
    if (this.pupil) {
      const name = `learned here, ${rounded(this.pupil.about.games)} games`;
      players.push({ name, network: this.pupil });
    }
    return players;
  }

  /** Let the networks play a game, and show that of the page's own, or the one named by `first`. */
  show({ seed, move, board }, first = {}) {
    const chosen = seed ?? BigInt(this.state.seed);
    const start = board ? gameFrom(board, chosen, 0) : newGame(chosen, this.fours);
    const games = this.players.map((player) => this.played(player, start, chosen));
    const { moves } = games[0].about;
    if (move > moves) {
      const length = `this game has ${rounded(moves)} moves`;
      throw new AddressError(`The address says move=${move}, but ${length}.`);
    }
    this.game = { seed: chosen, board };
    this.seed.value = String(chosen);
    const shown = { game: this.own, move: move ?? 0, ...first };
    this.render(games, shown);
    if (shown.game === this.own) this.writeAddress(shown.move);
  }

  /** The game of a player, as a page has it. */
  played({ name, network }, start, seed) {
    const { fours } = this;
    const { tape } = playOn(network, start, fours);
    const about = describedGame(network, { name, seed, fours, moves: tape.actions.length });
    return { about, network, bytes: tape.bytes };
  }

  render(played, { game, move }) {
    this.view?.stop();
    const games = [...this.state.games, ...played.map(({ about }) => about)];
    const networks = [...this.state.games.map(() => null), ...played.map((own) => own.network)];
    const asked = games.map(({ fours }, n) => ({ network: networks[n], fours }));
    const answers = new LocalAnswers(asked);
    const data = joinedBytes([this.recorded, ...played.map(({ bytes }) => bytes)]);
    const state = { ...this.state, games, data, game, move };
    const model = pageModel(state, {
      answer: (question) => answers.reply(question),
      told: (fields) => this.told(fields),
    });
    this.view = makeView(model, this.place);
  }

  /** A network that learns here plays the same game beside the page's own. */
  showPupil(network) {
    this.pupil = network;
    const { seed, board } = this.game;
    this.show({ seed, move: null, board }, { game: this.own + 1 });
  }

  /** The view says where the reader is: the address says it as well. */
  told({ game, move }) {
    if (game === this.own) this.writeAddress(move);
  }

  writeAddress(move) {
    const { seed, board } = this.game;
    const digits = board ? toHex(board) : null;
    history.replaceState(null, "", writeAddress({ seed, board: digits, move }));
  }

  // Pictures

  saveSvg() {
    const { cells } = this.view;
    download("board.svg", "image/svg+xml", boardSvg(cells, this.state.look));
  }

  saveGif() {
    const { boards, actions } = this.movesToSave();
    download("moves.gif", "image/gif", movesGif(boards, actions, this.state.look));
  }

  /** 30 moves from here on, or the last ones where fewer are left; of a reader's game the last. */
  movesToSave() {
    const { mode, person, recording, replay } = this.view;
    if (mode.isOwn) {
      const { boards, actions } = person.game;
      return { boards: boards.slice(-GIF_MOVES - 1), actions: actions.slice(-GIF_MOVES) };
    }
    const first = Math.max(0, Math.min(replay.index, recording.moves - GIF_MOVES));
    const actions = [...recording.actions.slice(first, first + GIF_MOVES)];
    const boards = Array.from({ length: actions.length + 1 }, (_, k) => recording.cells(first + k));
    return { boards, actions };
  }
}

async function start() {
  const state = pageState();
  const place = pagePlace();
  place.textContent = PLAYING;
  try {
    const bytes = new Uint8Array(bytesOf(state.network).buffer);
    const network = await readCompact(bytes, state.look.places);
    const page = new PlayPage(state, network);
    place.replaceChildren(page.node);
    page.follow(location.href);
    // not location.href: the game shown so far may have written its own address there meanwhile
    window.addEventListener("hashchange", (event) => page.follow(event.newURL));
  } catch (error) {
    place.textContent = error.message;
  }
}

start();
