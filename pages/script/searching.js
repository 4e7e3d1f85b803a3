// The search box. "/" leads to it, the arrow keys through what was found, Enter goes there.

import { find } from "./finding.js";

const MOST = 12;
const AROUND = 60; // letters of text on each side of a word that was found

/** Load the index when it is first needed: it is as long as the book. */
function loadIndex(then) {
  if (window.site2048.searchIndex) {
    then();
    return;
  }
  const script = document.createElement("script");
  script.src = "search-index.js";
  script.addEventListener("load", then);
  document.head.append(script);
}

/** Some text around the first of the words, with the word marked. */
function excerpt(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((word) => [lower.indexOf(word), word]).filter(([at]) => at >= 0);
  const node = document.createElement("small");
  if (!places.length) {
    node.textContent = text.slice(0, 2 * AROUND);
    return node;
  }
  const [at, word] = places.sort(([a], [b]) => a - b)[0];
  const mark = document.createElement("mark");
  mark.textContent = text.slice(at, at + word.length);
  const end = at + word.length;
  // whole words, as far as they are not cut by the one that was found
  const before = text.slice(Math.max(0, at - AROUND), at).replace(at > AROUND ? /^\S*\s/ : "", "");
  const after = text.slice(end, end + AROUND).replace(/\s\S*$/, "");
  node.append(at > AROUND ? `… ${before}` : before, mark, `${after} …`);
  return node;
}

class SearchBox {
  constructor(box) {
    this.input = box.querySelector("input");
    this.list = box.querySelector("ul");
    this.told = box.querySelector("[role=status]");
    this.input.addEventListener("focus", () => loadIndex(() => this.search()));
    this.input.addEventListener("input", () => this.search());
    box.addEventListener("keydown", (event) => this.press(event));
    box.addEventListener("focusout", (event) => {
      if (!box.contains(event.relatedTarget)) this.close();
    });
    document.addEventListener("keydown", (event) => this.pressElsewhere(event));
  }

  search() {
    const index = window.site2048.searchIndex;
    if (!index) return;
    const { found, words } = find(index, this.input.value);
    this.list.replaceChildren(...found.slice(0, MOST).map((entry) => this.item(entry, words)));
    this.list.hidden = !found.length;
    const many = found.length === 1 ? "1 section" : `${found.length} sections`;
    const none = `Nothing holds “${this.input.value.trim()}”.`;
    this.told.textContent = words.length ? (found.length ? many : none) : "";
  }

  item(entry, words) {
    const link = document.createElement("a");
    link.href = entry.id ? `${entry.page}#${entry.id}` : entry.page;
    const title = document.createElement("b");
    const isTitle = entry.heading === entry.title;
    title.textContent = isTitle ? entry.title : `${entry.title}: ${entry.heading}`;
    link.append(title, excerpt(entry.text, words));
    link.addEventListener("click", () => this.close());
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  press(event) {
    const stops = [this.input, ...this.list.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && at >= 0) {
      event.preventDefault();
      stops[Math.max(0, Math.min(stops.length - 1, at + step))].focus();
    } else if (event.key === "Enter" && at === 0) {
      stops[1]?.click();
    } else if (event.key === "Escape") {
      this.close();
      this.input.blur();
    }
  }

  pressElsewhere(event) {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "/" || !isPlain || isTyping) return;
    event.preventDefault();
    this.input.focus();
    this.input.select();
  }

  close() {
    this.list.hidden = true;
    this.told.textContent = "";
  }
}

export function startSearch() {
  return new SearchBox(document.querySelector(".site-search"));
}
