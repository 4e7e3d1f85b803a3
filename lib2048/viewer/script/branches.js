// Games that go on from a board that is shown: the networks play on from it, or the reader's own
// game is gone through with what a network says of every move.

import { gameFrom, nextGame, toHex } from "./game.js";
import { makeRecording } from "./recording.js";

/** The boards of a game that begins at a spot, see `spot` in modes.js. */
function boardsFrom({ cells, seed, first }, actions, fours) {
  let game = gameFrom(cells, seed, first);
  const boards = [game.cells];
  for (const action of actions) {
    game = nextGame(game, action, fours);
    boards.push(game.cells);
  }
  return boards;
}

function makeBranch(like, spot, { actions, values }) {
  const taken = [...actions].map(Number);
  const how = like.plies > 1 ? ", greedy" : ""; // to look ahead in a whole game takes minutes
  return makeRecording(like, {
    name: `${like.name || "network"}${how}, ${spot.words}`,
    boards: boardsFrom(spot, taken, like.fours),
    actions: taken,
    values,
    seed: String(spot.seed),
    first: spot.first,
  });
}

/** Ask how the networks of these games play on from a spot: `then` gets {games}, or {error}. */
export function askBranches(asker, games, spot, then) {
  const question = {
    topic: "play on",
    games: games.map((game) => game.number),
    board: toHex(spot.cells),
    seed: String(spot.seed),
    first: spot.first,
  };
  asker.ask(question, (reply) => {
    if (reply.error) then(reply);
    else then({ games: reply.played.map((played, n) => makeBranch(games[n], spot, played)) });
  });
}

/** A reader's game as a recording, with what the network of the game `like` says of each move. */
function asRecording(own, like, values) {
  return makeRecording(like, {
    name: "You",
    boards: own.boards,
    actions: own.actions,
    values: values ?? own.actions.map(() => [null, null, null, null]),
    seed: String(own.seed),
    fours: own.fours,
    first: own.first,
    chosenWord: "your move",
    own: own.upTo(own.actions.length), // as it is now, for it may go on in another way
  });
}

/** Have a reader's game judged, all boards at once: `then` gets a recording and what went wrong. */
export function askReview(asker, own, like, then) {
  if (!asker || !like.learned || !own.actions.length) {
    then(asRecording(own, like, null), "");
    return;
  }
  const boards = own.boards.slice(0, -1).map(toHex);
  asker.ask({ topic: "judge", game: like.number, boards }, ({ values, error }) => {
    then(asRecording(own, like, values ?? null), error ?? "");
  });
}
