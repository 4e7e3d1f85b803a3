// Elements of the page, and texts that are written only when they change.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "rect", "text", "path", "line", "circle"]);

/** An element: attributes by name, functions as listeners, children as nodes or text. */
export function make(tag, attributes = {}, ...children) {
  const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Write a text, but only when it is another one: screen readers and layout notice every write. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function makeButton(name, text, click) {
  return make("button", { type: "button", class: name, click }, text);
}

/** A button that stays down while what it stands for is on. */
export function setPressed(button, pressed) {
  button.setAttribute("aria-pressed", String(pressed));
}

/** A list to select from: options are pairs of a value and its text; `change` gets the value. */
export function makeSelect(label, options, change) {
  const node = make("select", { "aria-label": label, change: () => change(node.value) });
  fillSelect(node, options);
  return node;
}

export function fillSelect(node, options) {
  node.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
}

/** A control with a word before it. */
export function withLabel(text, control, attributes = {}) {
  return make("label", attributes, make("span", {}, text), control);
}
