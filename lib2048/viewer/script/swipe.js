// A finger, or the mouse, that goes one way over the board makes that move.

import { ACTIONS } from "./game.js";

const SHORTEST = 24; // pixels

/** The action of a way over the board, null where it is too short. */
function actionOf(x, y) {
  const across = Math.abs(x);
  const down = Math.abs(y);
  if (Math.max(across, down) < SHORTEST) return null;
  if (across > down) return ACTIONS.indexOf(x > 0 ? "right" : "left");
  return ACTIONS.indexOf(y > 0 ? "down" : "up");
}

/** Call `move` with the action of each swipe over a node, as long as `isWanted()`. */
export function listenForSwipes(node, isWanted, move) {
  let press = null; // where a swipe began, if one is on its way
  node.addEventListener("pointerdown", (event) => {
    press = isWanted() && event.isPrimary ? event : null;
    if (press) node.setPointerCapture(event.pointerId); // it may end beside the board
  });
  node.addEventListener("pointercancel", () => {
    press = null;
  });
  node.addEventListener("pointerup", (event) => {
    if (press?.pointerId !== event.pointerId || !isWanted()) return;
    const action = actionOf(event.clientX - press.clientX, event.clientY - press.clientY);
    press = null;
    if (action !== null) move(action);
  });
}
