// Keys act on the viewer only while the focus is in it.

/** Controls that need the plain keys themselves: text to type into, lists to select from. */
function typesInto(element) {
  return element.matches("select, input:not([type=range], [type=checkbox])");
}

function pressesButton(key, element) {
  return (key === " " || key === "Enter") && element.matches("button, [type=checkbox]");
}

/** What belongs to the notebook around: its commands, and Shift+Enter, which runs the cell. */
function isForNotebook({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  return ctrlKey || metaKey || altKey || key === "Escape" || (shiftKey && key === "Enter");
}

/** Give the focus back to the cell that shows the viewer, so that the notebook's plain keys act. */
function leave(element) {
  element.closest(".jp-Cell")?.focus();
}

// Jupyter Notebook 7 looks at keys before the page does, but leaves alone those that are pressed in
// an element with this mark. Nothing but a listener at the window comes before it.
const MARK = "data-lm-suppress-shortcuts";
const MARKING = Symbol.for("lib2048.keyboard");
const ROOTS = ".v2048, .vewn, .w2048";

function markKeys() {
  if (window[MARKING]) return;
  window[MARKING] = true;
  const mark = (event) => {
    const { target } = event;
    if (target.closest?.(ROOTS)) target.toggleAttribute(MARK, !isForNotebook(event));
  };
  window.addEventListener("keydown", mark, { capture: true });
}

/**
 * A listener for `keydown`: `handlers()` gives, by key, what is to be done now. Which keys do what
 * is said in player.js (watching) and view.js (playing oneself).
 *
 * Other plain keys stay here as well: "d d" would delete the cell that shows the viewer. JupyterLab
 * listens further out, so it is enough to let an event go no further.
 */
export function makeKeyListener(handlers) {
  markKeys();
  return (event) => {
    const { target, key } = event;
    if (isForNotebook(event)) {
      if (key === "Escape") leave(target);
      return;
    }
    event.stopPropagation();
    if (typesInto(target) || pressesButton(key, target)) return;
    const known = handlers();
    if (!Object.hasOwn(known, key)) return;
    event.preventDefault();
    known[key]();
  };
}
