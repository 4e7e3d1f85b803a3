// The row of numbers above the board, each with its name.

import { make, say } from "./dom.js";

const PUNCTUATION = 0.55; // the width of a comma, a space or a slash, in digits

function widthOf(text) {
  const digits = text.replace(/\D/g, "").length;
  return digits + PUNCTUATION * (text.length - digits);
}

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
      values[fact].style.minWidth = `${widthOf(text)}ch`;
    }
  }
  return { node, write, reserve };
}
