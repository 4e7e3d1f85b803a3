// What is said of the surprises: the button to the next one, and a list of the largest.

import { make, makeButton, say } from "./dom.js";
import { reasonFor } from "./reasons.js";
import { LISTED, Surprises } from "./surprises.js";
import { rounded, signed } from "./words.js";

const NEXT = "Next surprise";
const ALL_SEEN = "You have seen all surprises of this game.";
const NONE = "This game was recorded without values, so nothing is known of surprises.";
const NOTE =
  "A surprise is a large TD error: what the best action is worth after the new tile, less what " +
  "had been expected before it came.";

export class SurpriseList {
  /** `seek(at)` shows a board; `announce` tells a screen reader. */
  constructor(games, seek, announce) {
    this.all = new Map(); // of each game, so that what was seen stays seen
    this.setGames(games);
    this.seek = seek;
    this.announce = announce;
    this.trail = []; // the surprises that were shown, for the way back
    this.rows = [];
    this.build();
  }

  build() {
    this.button = makeButton("surprise", NEXT, () => this.goOn());
    this.button.title = `${NEXT} (n)`;
    this.button.setAttribute("aria-keyshortcuts", "n");
    this.toggle = makeButton("more", "The ten largest", () => this.open(this.panel.hidden));
    this.toggle.setAttribute("aria-expanded", "false");
    this.list = make("ol", { class: "surprises" });
    this.panel = make("div", { class: "panel", hidden: "" }, make("p", {}, NOTE), this.list);
    this.about = make("p", { class: "about" });
  }

  /** Other games can be shown now. */
  setGames(games) {
    this.games = games;
    const known = this.all;
    this.all = new Map();
    for (const game of games) {
      this.all.set(game, known.get(game) ?? new Surprises(game.curves.errors));
    }
  }

  open(flag) {
    this.panel.hidden = !flag;
    this.toggle.setAttribute("aria-expanded", String(flag));
  }

  /** Another game is chosen. */
  pick(n) {
    this.recording = this.games[n];
    this.surprises = this.all.get(this.recording);
    this.trail = [];
    this.rows = this.surprises.largest.map((k) => this.makeRow(k));
    this.list.replaceChildren(...this.rows.map(({ node }) => node));
    const isEmpty = !this.rows.length;
    this.button.disabled = isEmpty;
    this.toggle.disabled = isEmpty;
    if (isEmpty) this.open(false);
  }

  makeRow(k) {
    const error = this.surprises.errors[k];
    const button = makeButton("line", "", () => this.seek(k));
    button.append(
      make("span", { class: "at" }, `move ${rounded(k)}`),
      make("span", { class: "error" }, signed(error)),
      make("span", { class: "why" }, reasonFor(this.recording, k)),
    );
    return { k, button, node: make("li", {}, button) };
  }

  get largest() {
    return this.surprises.largest;
  }

  // Going from one to the next, and back

  /** Show the largest one that was not seen yet. */
  goOn() {
    const k = this.surprises.next();
    if (k === null) {
      const text = this.rows.length ? ALL_SEEN : NONE;
      say(this.about, text);
      this.announce(text);
      return;
    }
    this.trail.push(k);
    this.surprises.see(k);
    this.seek(k);
  }

  /** Show the one before. */
  goBack() {
    if (this.trail.length < 2) return;
    this.trail.pop();
    this.seek(this.trail.at(-1));
  }

  /** A board stays: it counts as seen. */
  see(k) {
    this.surprises.see(k);
    this.writeRows(k);
  }

  // What is said of the board that is shown

  write(k, playing) {
    say(this.about, playing ? "" : this.textOf(k));
    if (!playing) this.writeRows(k);
  }

  writeRows(k) {
    for (const { k: at, button } of this.rows) {
      const isHere = at === k;
      button.classList.toggle("seen", this.surprises.seen.has(at));
      if (isHere) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Which surprise a board is and why, "" for a board that was hardly one. */
  textOf(k) {
    const rank = this.surprises.rank(k);
    const isWorthIt = rank !== null && (rank <= LISTED || this.trail.includes(k));
    if (!isWorthIt) return "";
    const error = this.surprises.errors[k];
    const which = rank === 1 ? "The largest surprise" : `Surprise number ${rank}`;
    return `${which}, ${signed(error)}: ${reasonFor(this.recording, k)}`;
  }
}
