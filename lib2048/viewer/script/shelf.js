// The games that can be shown: those that came with the viewer, and those that were played on from
// one of their boards since. Each has a button.

import { make, makeButton, setPressed } from "./dom.js";
import { rounded } from "./words.js";

export class Shelf {
  /** `pick` gets the number of the game whose button was clicked. */
  constructor(games, pick) {
    this.given = games;
    this.games = games;
    this.added = new Map(); // by kind of game, such as the reader's own
    this.pick = pick;
    this.node = make("div", { class: "ages", role: "group", "aria-label": "Game" });
    this.build();
  }

  build() {
    this.buttons = this.games.map((game, number) => {
      const button = makeButton("age", game.name, () => this.pick(number));
      button.append(make("small", {}, ` ${rounded(game.finalScore)}`));
      return button;
    });
    this.node.replaceChildren(...this.buttons);
    this.node.hidden = this.games.length < 2;
  }

  /** Put games on the shelf in place of earlier ones of that kind. */
  put(kind, games) {
    this.added.set(kind, games);
    this.games = [...this.given, ...[...this.added.values()].flat()];
    this.build();
  }

  press(number) {
    this.buttons.forEach((button, n) => setPressed(button, n === number));
  }
}
