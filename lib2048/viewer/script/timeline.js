// The recorded games in a graph: what each network expected, the score, and the surprises.

import { Board } from "./board.js";
import { worstMoves } from "./curves.js";
import { make } from "./dom.js";
import { largestTile } from "./game.js";
import { Glance, Graph } from "./graph.js";
import { SurpriseList } from "./surpriselist.js";
import { rounded } from "./words.js";

const KEYS = [
  ["worth", "expected to come"],
  ["score", "score"],
  ["other", "others"],
  ["errors", "TD error"],
  ["losses", "lost by your moves"],
];

export class Timeline {
  constructor(games, look, player, announce) {
    this.games = games;
    this.player = player;
    this.recording = games[0];
    this.board = new Board(look);
    this.graph = new Graph({
      name: "Move",
      seek: (at) => player.seek(at),
      inWords: (at) => this.inWords(at),
      glance: new Glance(this.board.node, (at) => this.glimpse(at)),
      keys: KEYS,
    });
    this.surprises = new SurpriseList(games, (at) => player.seek(at), announce);
    const { button, toggle, about, panel } = this.surprises;
    this.graph.head.append(make("span", { class: "surprising" }, button, toggle));
    this.node = make("div", { class: "timeline" }, this.graph.node, about, panel);
  }

  /** Other games can be shown now; one of them has to be picked. */
  setGames(games) {
    this.games = games;
    this.surprises.setGames(games);
  }

  /** Another game is chosen. */
  pick(n) {
    this.recording = this.games[n];
    this.surprises.pick(n);
    // a reader's game has the graph for itself: it is short beside those of networks
    const shown = this.recording.own ? [this.recording] : this.games.filter(({ own }) => !own);
    const plotted = shown.map((game) => this.plotted(game));
    this.graph.show(plotted, shown.indexOf(this.recording));
  }

  /** A game as drawPlot in plot.js takes it; below the curves its surprises, or what was lost. */
  plotted({ name, own, curves }) {
    const { worths, scores, growths } = curves;
    const marks = growths.map(({ at, tile }) => ({ at, text: String(tile) }));
    const below = own
      ? { errors: curves.losses, areLosses: true, dots: worstMoves(curves.losses) }
      : { errors: curves.errors, dots: this.surprises.largest };
    return { name, worths, scores, marks, ...below };
  }

  write() {
    const { index, playing } = this.player.replay;
    this.graph.write(index, !playing);
    this.surprises.write(index, playing);
  }

  /** A position in words, for a screen reader. */
  inWords(at) {
    const { moves, scores } = this.recording;
    const largest = largestTile(this.recording.cells(at));
    return `move ${at} of ${moves}, score ${rounded(scores[at])}, largest tile ${largest}`;
  }

  /** Draw a position small, and say what it is. */
  glimpse(at) {
    this.board.rest(this.recording.cells(at));
    return `move ${rounded(at)} · ${rounded(this.recording.scores[at])}`;
  }

  /** What the keys do besides those of the player. */
  get keys() {
    return {
      n: () => this.surprises.goOn(),
      N: () => this.surprises.goBack(),
    };
  }

  stop() {
    this.graph.stop();
  }
}
