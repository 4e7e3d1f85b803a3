// A page of its own: there is no Python, only what was written into the page.

/** A model as a widget has it, with what the page holds, and nobody to answer questions. */
function pageModel(state) {
  const nothing = () => {};
  const fields = { ...state, playing: false };
  return {
    get: (name) => fields[name],
    set: nothing,
    save_changes: nothing,
    send: nothing,
    on: nothing,
    off: nothing,
  };
}

/** Show the page's game; `revive` turns what JSON could not hold back into what it was. */
export function showPage(render, revive = (state) => state) {
  const state = revive(JSON.parse(document.getElementById("state").textContent));
  render({ model: pageModel(state), el: document.getElementById("viewer") });
}

/** Bytes that were written in base 64, as a widget gets them. */
export function bytesOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
