// The notebook around a widget, where that is JupyterLab: what is folded below a prediction.

const HEADING = ".jp-RenderedMarkdown :is(h1, h2, h3, h4, h5, h6)";

/** Whether a cell asks for another prediction, as a widget or as the text in its place. */
function asks(cell) {
  if (cell.querySelector(".predict")) return true;
  const texts = [...cell.querySelectorAll(".jp-OutputArea-output.jp-RenderedMarkdown strong")];
  return texts.some((text) => text.textContent === "Predict.");
}

/** Unfold the outputs, and the Markdown cells, below the cell of an element: up to the next
    prediction or heading. What shows the sources of code stays folded. */
export function unfoldBelow(element) {
  let cell = element.closest(".jp-Cell")?.nextElementSibling;
  while (cell && !asks(cell) && !cell.querySelector(HEADING)) {
    const isText = cell.classList.contains("jp-MarkdownCell");
    const folded = isText ? ".jp-InputPlaceholder" : ".jp-OutputPlaceholder";
    cell.querySelector(folded)?.click();
    cell = cell.nextElementSibling;
  }
}
