// Widgets come to life when the reader comes near them, so that a page with many opens quickly.

import { bytesOf, pageModel } from "../../lib2048/viewer/script/page.js";

const NEAR = "900px"; // so far below the window a widget is made already
const NO_PYTHON =
  "This page has no Python to ask. In the notebook (make lab) you get the answer.";

/** The model that a widget gets: what Jupyter would hold is in the page, and nobody is asked. */
export function makeModel(state, told = () => {}) {
  const fields = { ...state };
  if (typeof fields.data === "string") fields.data = bytesOf(fields.data);
  const answer = ({ id }) => ({ id, error: NO_PYTHON });
  return pageModel(fields, { answer, told });
}

/** Make the widget of a place; where that fails, the picture stays, with a word about it. */
function make(place, kinds, { modelOf, made }) {
  const kind = kinds[place.dataset.kind];
  const state = JSON.parse(place.querySelector("script").textContent);
  const model = modelOf(state, place);
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
  made(model, place);
}

/**
 * Bring the widgets of a page to life. `modelOf` makes the model of one from its state and its
 * place, and `made` hears of each that lives.
 */
export function bringToLife(kinds, { modelOf = (state) => makeModel(state), made = () => {} } = {}) {
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        make(target, kinds, { modelOf, made });
      }
    },
    { rootMargin: `${NEAR} 0px` },
  );
  for (const place of document.querySelectorAll(".site-live")) watcher.observe(place);
}
