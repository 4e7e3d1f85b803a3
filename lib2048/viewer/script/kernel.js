// Why Python does not answer: a busy kernel will, a stopped one never will.

const BUSY = "Python is busy; the answer comes when it is free.";
const SILENT = "Python has not answered yet.";
const STOPPED = "Python does not answer, because the kernel was stopped. Run the cell again.";
const RESTARTED =
  "Python does not answer, because the kernel was started anew since. Run the cell again.";

const ENDED = ["dead", "terminating"];
const ANEW = ["restarting", "autorestarting", "starting", "unknown"];

/** JupyterLab marks the views of widgets that a kernel has forgotten with a class. */
const FORGOTTEN = ".jupyter-widgets-disconnected";

/** The notebook's connection to its kernel; undefined where the notebook does not show it. */
function connection(model) {
  try {
    return model.widget_manager?.kernel;
  } catch {
    return undefined;
  }
}

/**
 * In words, why the model of a widget, whose view is `node`, gets no answer. A kernel that has been
 * idle for a while, `isLong`, does not know the widget: it was started anew behind our back.
 */
export function whyNoAnswer(model, node, isLong) {
  const kernel = connection(model);
  if (kernel === null || kernel?.isDisposed || ENDED.includes(kernel?.status)) return STOPPED;
  if (ANEW.includes(kernel?.status) || node?.closest(FORGOTTEN)) return RESTARTED;
  if (kernel?.status !== "idle") return BUSY;
  return isLong ? RESTARTED : SILENT;
}

/** In words, why nothing can be sent at all. */
export function whyNothingSent(model, node) {
  const words = whyNoAnswer(model, node, false);
  return words === STOPPED ? STOPPED : RESTARTED;
}
