// The answers of Python (see `_reply` in viewer.py), given in the page by compact networks.

import { fromHex, gameFrom, largestTile } from "./game.js";
import { playGame, playOn } from "./playing.js";

const UNKNOWN = "The network of this game is not in the page.";

/** Rows of numbers as JSON would bring them: null where an action is not possible. */
function plain(values) {
  return values.map((value) => (Number.isFinite(value) ? value : null));
}

export class LocalAnswers {
  /** `games` says of each game: its network, null where the page has none, and its fours. */
  constructor(games) {
    this.games = games;
    this.replies = {
      opinions: ({ board }) => this.opinions(fromHex(board)),
      lens: ({ game, board }) => this.lens(game, fromHex(board)),
      greedy: ({ game, seed }) => this.greedy(game, BigInt(seed)),
      judge: ({ game, boards }) => this.judge(game, boards.map(fromHex)),
      "play on": (question) => this.playOn(question),
    };
  }

  /** The answer to a question; what goes wrong is an answer as well. */
  reply(question) {
    try {
      return { ...this.replies[question.topic](question), id: question.id };
    } catch (error) {
      return { error: error.message, id: question.id };
    }
  }

  networkOf(game) {
    const { network } = this.games[game];
    if (!network) throw new Error(UNKNOWN);
    return network;
  }

  opinions(cells) {
    const values = this.games.map(({ network }) => network && plain(network.values(cells)));
    return { values };
  }

  lens(game, cells) {
    const network = this.networkOf(game);
    return { value: network.value(cells), rows: network.lookups(cells) };
  }

  /** What greedy play reaches from a seed. */
  greedy(game, seed) {
    const { end } = playGame(this.networkOf(game), seed, this.games[game].fours);
    return { score: end.score, moves: end.moves, largest: largestTile(end.cells) };
  }

  judge(game, boards) {
    const network = this.networkOf(game);
    return { values: boards.map((cells) => plain(network.values(cells))) };
  }

  /** How the networks of some games play on from a board. */
  playOn({ games, board, seed, first }) {
    const played = games.map((game) => {
      const start = gameFrom(fromHex(board), BigInt(seed), first);
      const { tape } = playOn(this.networkOf(game), start, this.games[game].fours);
      const values = tape.actions.map((_, k) => plain(tape.values.slice(4 * k, 4 * k + 4)));
      return { actions: tape.actions.join(""), values };
    });
    return { played };
  }
}
