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
  return { node, write };
}
