// Buttons that show a drawing, and say in words what they do.

import { make } from "./dom.js";

const PATHS = {
  first: "M4 4h2v12H4zM16 4v12l-9-6z",
  back: "M14 4v12l-9-6z",
  play: "M5 3v14l12-7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  step: "M6 4v12l9-6z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
};

function makeIcon(name) {
  const frame = { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" };
  return make("svg", frame, make("path", { d: PATHS[name], fill: "currentColor" }));
}

export function makeIconButton(name, label, click) {
  const button = make("button", { type: "button", class: name, click });
  setIcon(button, name, label);
  return button;
}

/** Another drawing on a button; nothing is touched where it is the same. */
export function setIcon(button, name, label) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.replaceChildren(makeIcon(name));
}
