// What lies over the board when a person's game is over.

import { make, makeButton, say } from "./dom.js";
import { largestTile } from "./game.js";
import { rounded } from "./words.js";

export class Overlay {
  constructor({ begin, again, review, undo }) {
    this.score = make("strong");
    this.about = make("span");
    this.review = makeButton("review", "Review", review);
    this.node = make(
      "div",
      { class: "over", role: "group", "aria-label": "The game is over", hidden: "" },
      make("span", {}, "The game is over."),
      this.score,
      this.about,
      make(
        "div",
        { class: "choices" },
        makeButton("next", "New game", begin),
        makeButton("again", "Same game again", again),
        this.review,
        makeButton("retract", "Undo", undo),
      ),
    );
  }

  /** `best` is the best score of all games, this one included. */
  show(game, best) {
    const { score } = game.now;
    const isBest = !game.isFromBoard && score >= best;
    const record = isBest ? "your best score" : `your best: ${rounded(best)}`;
    say(this.score, `${rounded(score)} points`);
    say(this.about, `largest tile ${largestTile(game.cells)}, ${record}`);
    this.node.hidden = false;
  }

  hide() {
    this.node.hidden = true;
  }
}
