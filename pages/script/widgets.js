// The widgets of the site: a prediction remembers what was entered, and unfolds what it was about.

import { bringToLife, makeModel } from "../../report/script/widgets.js";
import { keepEntry, keptEntry, unfoldBelow } from "./predictions.js";

function isPrediction({ about }) {
  return Boolean(about?.kind && about.text);
}

function modelOfPrediction(state, place) {
  const entry = keptEntry(state.about);
  const told = (fields) => {
    keepEntry(state.about, fields.entry);
    if (fields.entry !== null) unfoldBelow(place);
  };
  return makeModel({ ...state, entry }, told);
}

function modelOf(state, place) {
  return isPrediction(state) ? modelOfPrediction(state, place) : makeModel(state);
}

function made(model, place) {
  const wasEntered = isPrediction({ about: model.get("about") }) && model.get("entry") !== null;
  if (wasEntered) unfoldBelow(place);
}

export function bringBookToLife(kinds) {
  bringToLife(kinds, { modelOf, made });
}
