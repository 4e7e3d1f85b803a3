// The line at the end of a person's game, and how far greedy play got from the same seed.

import { askBranches } from "./branches.js";
import { make, say } from "./dom.js";
import { largestTile, toHex } from "./game.js";
import { rounded } from "./words.js";

const WAITING = "Waiting for greedy play from the same seed …";

function inWords({ score, moves, largest }) {
  return `${rounded(score)} points in ${rounded(moves)} moves, largest ${largest}`;
}

/** What greedy play reached in a recorded game. */
function outcome(recording) {
  const { moves, finalScore } = recording;
  return { score: finalScore, moves, largest: largestTile(recording.cells(moves)) };
}

/** Whether a recording is greedy play with the tiles, and from the board, of a person's game. */
function isGreedyTwin(recording, game, hasAsker) {
  if (recording.plies !== 1 || recording.own || !(recording.learned || !hasAsker)) return false;
  const isSameLuck = recording.seed === String(game.seed) && recording.first === game.first;
  return isSameLuck && toHex(recording.cells(0)) === toHex(game.boards[0]);
}

export class Result {
  constructor(announce) {
    this.announce = announce;
    this.game = null; // the game it is about, null when it says nothing
    this.node = make("p", { class: "result", hidden: "" });
  }

  get isShown() {
    return !this.node.hidden;
  }

  get text() {
    return this.node.textContent;
  }

  hide() {
    this.game = null;
    this.node.hidden = true;
  }

  /** Show the end of a game; the asker is null where there is no Python. */
  show(game, recording, asker) {
    this.game = game;
    if (isGreedyTwin(recording, game, asker !== null)) {
      this.compare(game, outcome(recording));
    } else if (recording.learned && asker) {
      this.write(game, WAITING);
      this.ask(game, recording, asker);
    } else {
      this.write(game, "");
    }
  }

  ask(game, recording, asker) {
    const answered = (error, greedy) => {
      if (error) this.write(game, error);
      else this.compare(game, greedy);
    };
    const { number } = recording;
    const seed = String(game.seed);
    if (!game.isFromBoard) {
      asker.ask({ topic: "greedy", game: number, seed }, (reply) => answered(reply.error, reply));
      return;
    }
    const spot = { cells: game.start, seed: game.seed, first: game.first, words: "" };
    askBranches(asker, [recording], spot, ({ games, error }) => {
      answered(error, games && outcome(games[0]));
    });
  }

  compare(game, greedy) {
    const same = game.isFromBoard ? "board" : "seed";
    this.write(game, `Greedy play from the same ${same}: ${inWords(greedy)}.`);
  }

  write(game, comparison) {
    if (this.game !== game) return; // the answer came too late
    const own = inWords({ ...game.now, largest: largestTile(game.cells) });
    say(this.node, `You: ${own}. ${comparison}`);
    this.node.hidden = false;
    this.announce(this.text);
  }
}
