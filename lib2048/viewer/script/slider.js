// A plain slider over a whole game.

import { make } from "./dom.js";

/** `unit` is what the game counts: "move" or "ply". */
export function makeSlider(player, unit) {
  const { replay } = player;
  const node = make("input", {
    type: "range",
    class: "seek",
    min: 0,
    step: 1,
    "aria-label": unit[0].toUpperCase() + unit.slice(1),
    input: () => player.seek(Number(node.value)),
  });

  function write() {
    node.max = replay.last; // before the value, which it bounds
    node.value = replay.index;
    node.setAttribute("aria-valuetext", `${unit} ${replay.index} of ${replay.last}`);
  }
  return { node, write };
}
