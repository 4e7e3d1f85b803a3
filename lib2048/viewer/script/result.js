// The line at the end of a person's game, and how far greedy play got from the same seed.

import { make, say } from "./dom.js";
import { largestTile } from "./game.js";
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
  show(game, recording, number, asker) {
    this.game = game;
    const isGreedy = recording.plies === 1 && (recording.learned || !asker);
    if (recording.seed === String(game.seed) && isGreedy) {
      this.compare(game, outcome(recording));
    } else if (recording.learned && asker) {
      this.write(game, WAITING);
      const question = { topic: "greedy", game: number, seed: String(game.seed) };
      asker.ask(question, (reply) => {
        if (reply.error) this.write(game, reply.error);
        else this.compare(game, reply);
      });
    } else {
      this.write(game, "");
    }
  }

  compare(game, greedy) {
    this.write(game, `Greedy play from the same seed: ${inWords(greedy)}.`);
  }

  write(game, comparison) {
    if (this.game !== game) return; // the answer came too late
    const own = inWords({ ...game.now, largest: largestTile(game.cells) });
    say(this.node, `You: ${own}. ${comparison}`);
    this.node.hidden = false;
    this.announce(this.text);
  }
}
