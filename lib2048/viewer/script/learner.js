// What a worker runs: a network learns from nothing, and tells the page how it gets on.

import { toHex } from "./game.js";
import { Learner } from "./learning.js";

const ROUND = 250; // milliseconds of learning between two words to the page

let learner = null;
let isRunning = false;

/** Learn for a while, then let messages in. */
function goOn() {
  if (!isRunning) return;
  const end = performance.now() + ROUND;
  const games = [];
  let last = null;
  while (performance.now() < end || !last) {
    last = learner.play();
    games.push({ score: last.score, largest: last.largest });
  }
  postMessage({ games, count: learner.games, board: toHex(last.game.cells) });
  setTimeout(goOn, 0);
}

const orders = {
  begin({ settings }) {
    learner = new Learner({ ...settings, seed: BigInt(settings.seed) });
    orders.run();
  },
  run() {
    if (isRunning || !learner) return;
    isRunning = true;
    goOn();
  },
  pause() {
    isRunning = false;
  },
  /** The weights as they are now. */
  show() {
    postMessage({ tables: learner.tables, count: learner.games });
  },
};

self.onmessage = ({ data }) => orders[data.order](data);
