// What every page of the site loads. Widgets' scripts, which come later, enter themselves into
// `site2048.kinds`, and the index of the search into `site2048.searchIndex`.

import { followReader } from "./contents.js";
import { addCopyButtons } from "./copying.js";
import { unfoldForPaper } from "./predictions.js";
import { startSearch } from "./searching.js";
import { startTheme } from "./theme.js";
import { bringBookToLife } from "./widgets.js";

window.site2048 = { kinds: {}, searchIndex: null };

document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  followReader();
  addCopyButtons();
  startSearch();
  unfoldForPaper();
  bringBookToLife(window.site2048.kinds);
});
