// A page of its own: there is no Python, only what was written into the page.

/**
 * A model as a widget has it, with what the page holds. `answer` replies to questions, where the
 * page has something that can; `told` hears of what a widget would tell Python.
 */
export function pageModel(state, { answer = null, told = () => {} } = {}) {
  const fields = { ...state, playing: false };
  const listeners = new Set();
  const hear = (name, listener) => name === "msg:custom" && listeners.add(listener);
  function send(question) {
    if (!answer) return;
    // later, as Python's answers come: whoever asks is done with asking by then
    queueMicrotask(() => {
      const reply = answer(question);
      for (const listener of [...listeners]) listener(reply);
    });
  }
  return {
    get: (name) => fields[name],
    set: (changed) => Object.assign(fields, changed),
    save_changes: () => told(fields),
    send,
    on: hear,
    off: (name, listener) => listeners.delete(listener),
  };
}

/** What was written into the page. */
export function pageState() {
  return JSON.parse(document.getElementById("state").textContent);
}

/** Where the page shows its viewer. */
export function pagePlace() {
  return document.getElementById("viewer");
}

/** Show the page's game; `revive` turns what JSON could not hold back into what it was. */
export function showPage(render, revive = (state) => state) {
  render({ model: pageModel(revive(pageState())), el: pagePlace() });
}

/** Bytes that were written in base 64, as a widget gets them. */
export function bytesOf(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
