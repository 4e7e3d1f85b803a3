// The controls of a replay: buttons and speed.

import { make, makeSelect, withLabel } from "./dom.js";
import { makeIconButton, setIcon } from "./icons.js";

/** `unit` is what the game counts: "move" or "ply". */
export function makeTransport(player, unit) {
  const { replay, speeds } = player;
  const toggle = makeIconButton("play", "Play", () => player.toggle());
  const buttons = [
    makeIconButton("first", "To the start", () => player.seek(0)),
    makeIconButton("back", `One ${unit} back`, () => player.step(-1)),
    toggle,
    makeIconButton("step", `One ${unit} on`, () => player.step(1)),
    makeIconButton("last", "To the end", () => player.seek(replay.last)),
  ];
  const names = speeds.map((speed) => [speed, `${speed}x`]);
  const speed = makeSelect("Speed", names, (value) => player.setSpeed(Number(value)));
  const node = make(
    "div",
    { class: "transport" },
    make("div", { class: "buttons", role: "group", "aria-label": "Replay" }, ...buttons),
    withLabel("speed", speed, { class: "speed" }),
  );

  function write() {
    speed.value = replay.speed;
    if (replay.playing) setIcon(toggle, "pause", "Pause");
    else setIcon(toggle, "play", "Play");
  }
  return { node, write };
}
