// How much of the notebook around is seen at a time: the board must leave room for its controls.

const PANEL = ".jp-WindowedPanel-outer"; // in which JupyterLab and Notebook 7 scroll the cells

/**
 * Keep a node's style variable --frame at the height of the panel that scrolls it. On a page of its
 * own there is none, and the style sheet takes the window. Returns how to end that.
 */
export function watchRoom(node) {
  let panel = null;
  const watcher = new ResizeObserver(() => {
    if (!panel) {
      panel = node.closest(PANEL); // not before it is on the page
      if (panel) watcher.observe(panel);
    }
    if (panel?.clientHeight) node.style.setProperty("--frame", `${panel.clientHeight}px`);
  });
  watcher.observe(node);
  return () => watcher.disconnect();
}
