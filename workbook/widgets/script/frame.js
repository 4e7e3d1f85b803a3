// The frame of a widget: its name, its keys, and what is said aloud.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { makeKeyListener } from "../../../lib2048/viewer/script/keyboard.js";

/**
 * Put a widget into an element.
 *   label  what a screen reader calls it     keys   a function that gives handlers by key
 *   hint   the keys in a line                parts  what it consists of
 * Returns `announce`, which says a text to a screen reader.
 */
export function showFrame(el, { label, keys, hint, parts }) {
  const heard = make("div", { class: "heard", role: "status", "aria-live": "polite" });
  const frame = {
    class: "w2048",
    role: "group",
    "aria-label": label,
    keydown: makeKeyListener(keys),
  };
  const help = make("p", { class: "keys" }, hint);
  el.append(make("div", frame, ...parts, help, heard));
  return (text) => say(heard, text);
}

/** Two columns, one below the other where it is narrow. */
export function makeColumns(left, side) {
  return make(
    "div",
    { class: "columns" },
    make("div", { class: "left" }, ...left),
    make("div", { class: "side" }, ...side),
  );
}

/**
 * Buttons of which one is pressed: options are [value, text, label or nothing]. Returns its node
 * and `press(value)`, which shows a choice without telling `changed`.
 */
export function makeChoice(label, options, changed) {
  const buttons = options.map(([value, text, spoken]) => {
    const click = () => {
      press(value);
      changed(value);
    };
    return [value, make("button", { type: "button", "aria-label": spoken ?? null, click }, text)];
  });
  const parts = buttons.map(([, button]) => button);
  const node = make("div", { class: "group", role: "group", "aria-label": label }, ...parts);

  function press(chosen) {
    for (const [value, button] of buttons) {
      button.setAttribute("aria-pressed", String(value === chosen));
    }
  }
  return { node, press };
}
