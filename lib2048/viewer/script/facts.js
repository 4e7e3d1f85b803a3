// The row of numbers above the board, each with its name.

import { make, say } from "./dom.js";

/** `names`: for each fact its class and what it is called. */
export function makeFacts(names) {
  const values = {};
  const node = make("dl", { class: "facts" });
  for (const [fact, name] of Object.entries(names)) {
    values[fact] = make("dd", { class: fact });
    node.append(make("div", {}, make("dt", {}, name), values[fact]));
  }
  function write(texts) {
    for (const [fact, text] of Object.entries(texts)) say(values[fact], text);
  }
  /** Keep room for texts as long as these, so that what stands beside a number does not jump. */
  function reserve(texts) {
    for (const [fact, text] of Object.entries(texts)) {
      values[fact].style.minWidth = `${text.length}ch`;
    }
  }
  return { node, write, reserve };
}
