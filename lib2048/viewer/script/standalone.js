// What a page of its own loads.

import { bytesOf, showPage } from "./page.js";
import { render } from "./view.js";

showPage(render, (state) => ({ ...state, data: bytesOf(state.data) }));
