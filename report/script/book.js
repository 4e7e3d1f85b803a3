// What the report as a page runs: widgets' scripts, which come later, enter themselves into
// `site2048.kinds`, and come to life.

import { bringToLife } from "./widgets.js";

window.site2048 = { kinds: {} };

document.addEventListener("DOMContentLoaded", () => bringToLife(window.site2048.kinds));
