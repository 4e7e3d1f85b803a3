// What the reader predicted stays in this browser, and nowhere else.

const KEY = "predictions of the 2048 workbook";

function readAll() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // no memory, or nothing of ours in it
  }
}

/** A prediction belongs to its page, and to the question as it was asked. */
function nameOf(about) {
  const page = location.pathname.split("/").at(-1);
  return `${page} ${about.name}`;
}

export function keptEntry(about) {
  const kept = readAll()[nameOf(about)];
  return kept?.question === about.text[0] ? kept.entry : null;
}

export function keepEntry(about, entry) {
  const all = readAll();
  if (entry === null) delete all[nameOf(about)];
  else all[nameOf(about)] = { question: about.text[0], entry };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // a browser without memory: the entry lasts as long as the page
  }
}

/** On paper stands what was to be told after predictions; afterwards it is folded as before. */
export function unfoldForPaper() {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.site-reveal:not([open])")];
    for (const folded of opened) folded.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const folded of opened) folded.open = false;
  });
}

/** Unfold what was to be told after a prediction: down to the next prediction or heading. */
export function unfoldBelow(place) {
  let cell = place.closest(".site-cell")?.nextElementSibling;
  while (cell && !cell.matches(".site-asks")) {
    if (cell.matches("details.site-reveal")) cell.open = true;
    else if (cell.querySelector(":is(h1, h2, h3, h4)[id]")) return;
    cell = cell.nextElementSibling;
  }
}
