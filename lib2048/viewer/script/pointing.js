// Mouse and wheel over a board that is edited.

const NOTCH = 40; // pixels of scrolling that raise or lower a tile by one

/** The cell under the mouse, on the drawing of a board. */
function cellUnder(event, drawing, { cell: size, gap, edge }) {
  const { left, top, width } = drawing.getBoundingClientRect();
  const scale = (4 * size + 3 * gap + 2 * edge) / width;
  const step = (pixels) => {
    const place = Math.floor((pixels * scale - edge + gap / 2) / (size + gap));
    return Math.max(0, Math.min(3, place));
  };
  return 4 * step(event.clientY - top) + step(event.clientX - left);
}

/** Click or wheel raises and lowers tiles as long as `editor.mode()` is there. */
export function listenForEdits(stage, editor) {
  const { node, board } = stage;
  let scrolled = 0;
  function raise(event, by) {
    if (!editor.mode()) return;
    event.preventDefault();
    editor.change((mode) => {
      mode.cursor = cellUnder(event, board.node, board.look);
      mode.raise(by);
    });
  }
  function turn(event) {
    if (!editor.mode()) return;
    event.preventDefault();
    scrolled += event.deltaY;
    if (Math.abs(scrolled) < NOTCH) return;
    raise(event, scrolled < 0 ? 1 : -1);
    scrolled = 0;
  }
  node.addEventListener("click", (event) => raise(event, event.shiftKey ? -1 : 1));
  node.addEventListener("contextmenu", (event) => raise(event, -1));
  node.addEventListener("wheel", turn, { passive: false });
  node.addEventListener("paste", (event) => {
    if (!editor.mode()) return;
    editor.take(event.clipboardData.getData("text"));
    event.preventDefault();
  });
}
