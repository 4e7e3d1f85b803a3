// What a page of its own loads.

import { showPage } from "../../../lib2048/viewer/script/page.js";
import { render } from "./search.js";

showPage(render);
