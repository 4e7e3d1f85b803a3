// The bars: where the search's playouts went.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { percent, rounded } from "../../../lib2048/viewer/script/words.js";
import { ARROWS, WAYS, named, shares } from "./sides.js";

/** What is known of move number n, in words. */
function facts(ply, n, wasSearched) {
  const words = [];
  const mean = ply.means?.[n] ?? null;
  const proof = ply.proofs?.[n] ?? 0;
  if (wasSearched) words.push(`${rounded(ply.visits[n])} playouts`);
  if (mean !== null) words.push(`mean ${mean.toFixed(3)}`);
  if (proof > 0) words.push("wins for certain");
  if (proof < 0) words.push("loses for certain");
  if (n === ply.move) words.push("played");
  return words.join(" · ");
}

/** The bar of move number n, with its share of the playouts or null. */
function makeBar(ply, n, share) {
  const { cube, way } = named(ply.moves[n]);
  const isChosen = n === ply.move;
  const name = { class: "name", "aria-label": `cube ${cube} ${WAYS[ply.mover][way]}` };
  const length = `left: 0; width: ${100 * (share ?? 0)}%`;
  const value = make("span", { class: "part value", style: length });
  return make(
    "li",
    { class: isChosen ? "bar chosen" : "bar", "data-move": `${cube} ${way}` },
    make("span", { class: "mark", "aria-hidden": "true" }, isChosen ? "▶" : ""),
    make("span", name, `cube ${cube} ${ARROWS[ply.mover][way]}`),
    make("div", { class: "track", "aria-hidden": "true" }, value),
    make("span", { class: "sum" }, share === null ? "" : percent(share)),
    make("div", { class: "words" }, facts(ply, n, share !== null)),
  );
}

export class Bars {
  constructor() {
    this.list = make("ul");
    this.note = make("p", { class: "note" });
    this.node = make("div", { class: "bars" }, this.list, this.note);
  }

  show(ply) {
    const parts = shares(ply);
    const bars = ply.moves.map((_, n) => makeBar(ply, n, parts ? parts[n] : null));
    this.list.replaceChildren(...bars);
    say(this.note, ply.note);
    this.note.hidden = !ply.note;
  }
}
