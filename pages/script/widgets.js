// Widgets come to life when the reader comes near them, so that a page with many opens quickly.

import { bytesOf, pageModel } from "../../lib2048/viewer/script/page.js";
import { keepEntry, keptEntry, unfoldBelow } from "./predictions.js";

const NEAR = "900px"; // so far below the window a widget is made already
const NO_PYTHON =
  "This page has no Python to ask. In the notebook (make lab) you get the answer.";

/** The model that a widget gets: what Jupyter would hold is in the page, and nobody is asked. */
export function makeModel(state, told) {
  const fields = { ...state };
  if (typeof fields.data === "string") fields.data = bytesOf(fields.data);
  const answer = ({ id }) => ({ id, error: NO_PYTHON });
  return pageModel(fields, { answer, told });
}

/** A prediction remembers what was entered, and unfolds what it was about. */
function modelOfPrediction(state, place) {
  const entry = keptEntry(state.about);
  const told = (fields) => {
    keepEntry(state.about, fields.entry);
    if (fields.entry !== null) unfoldBelow(place);
  };
  return makeModel({ ...state, entry }, told);
}

/** Make the widget of a place; where that fails, the picture stays, with a word about it. */
function make(place, kinds) {
  const kind = kinds[place.dataset.kind];
  const state = JSON.parse(place.querySelector("script").textContent);
  const isPrediction = Boolean(state.about?.kind && state.about.text);
  const model = isPrediction ? modelOfPrediction(state, place) : makeModel(state, () => {});
  const node = document.createElement("div");
  node.className = "site-alive";
  place.append(node);
  try {
    kind.render({ model, el: node });
  } catch (error) {
    node.remove();
    console.error(error);
    return;
  }
  place.classList.add("site-lives");
  if (isPrediction && model.get("entry") !== null) unfoldBelow(place);
}

export function bringToLife(kinds) {
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        make(target, kinds);
      }
    },
    { rootMargin: `${NEAR} 0px` },
  );
  for (const place of document.querySelectorAll(".site-live")) watcher.observe(place);
}
