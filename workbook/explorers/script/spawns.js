// The boards that may follow an action: a new tile in each empty cell.

import { make, say } from "../../../lib2048/viewer/script/dom.js";
import { ACTIONS, isDead, slide } from "../../../lib2048/viewer/script/game.js";
import { Gallery } from "./gallery.js";
import { points } from "./symbols.js";

const MOST = 30; // boards after an action: 15 empty cells, a 2 or a 4 in each

/** All boards after a slide, with the cell and exponent of the new tile and its probability. */
export function boardsAfter(cells, action, p4) {
  const { after } = slide(cells, action);
  const empty = [...after.keys()].filter((cell) => !after[cell]);
  return empty.flatMap((cell) => {
    return [1, 2].map((exponent) => {
      const board = Uint8Array.from(after);
      board[cell] = exponent;
      const share = exponent === 1 ? 1 - p4 : p4;
      return { board, cell, exponent, probability: share / empty.length };
    });
  });
}

/** Probabilities in percent. */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export class Spawns {
  constructor(look, p4) {
    this.p4 = p4;
    this.said = make("p", { class: "saying" });
    const nothing = () => {};
    const label = "The boards that may follow";
    this.gallery = new Gallery(look, { label, count: MOST, pick: nothing, isPlain: true });
    this.boards = make("div", { class: "unfolded", tabindex: 0 }, this.gallery.node);
    this.boards.setAttribute("aria-label", label);
    this.boards.setAttribute("role", "region");
    this.node = make("div", { hidden: "" }, this.said, this.boards);
  }

  /** Show what may follow an action; `about` is the opinion of a network of states, or null. */
  show(cells, action, about) {
    this.node.hidden = action === null;
    if (action === null) return;
    const following = boardsAfter(cells, action, this.p4);
    const values = about?.spawns.flatMap(([, withTwo, withFour]) => [withTwo, withFour]);
    following.forEach(({ board, cell, exponent, probability }, number) => {
      const value = values ? `\nV ${points(values[number])}` : "";
      const end = isDead(board) ? "\ndead, 0" : value;
      const words = `${percent(probability)}${end}`;
      const spoken = `a ${2 ** exponent} in cell ${cell}: ${words}`;
      this.gallery.draw(number, { cells: board, outlined: [cell], words, spoken });
    });
    this.gallery.limit(following.length);
    say(this.said, this.sentence(action, following.length, about));
  }

  sentence(action, count, about) {
    const boards = `${count} boards may follow ${ACTIONS[action]}`;
    if (!about) return `${boards}. V(s′) has learned what they bring on average; nothing is added.`;
    return (
      `${boards}, each with its probability and V, 0 where it is dead. ` +
      `Their mean is ${points(about.future)}, and r = ${about.reward} comes on top.`
    );
  }
}
