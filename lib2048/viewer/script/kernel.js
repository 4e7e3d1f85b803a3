// Why Python does not answer: a busy kernel will, a stopped one never will.

const BUSY = "Python is busy; the answer comes when it is free.";
const SILENT = "Python has not answered yet.";
const STOPPED = "Python does not answer, because the kernel was stopped. Run the cell again.";
const RESTARTED =
  "Python does not answer, because the kernel was started anew since. Run the cell again.";

const ENDED = ["dead", "terminating", "unknown"];
const ANEW = ["restarting", "autorestarting", "starting"];

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

/** In words, why the model of a widget, whose view is `node`, gets no answer. */
export function whyNoAnswer(model, node) {
  const kernel = connection(model);
  if (kernel === null || kernel?.isDisposed || ENDED.includes(kernel?.status)) return STOPPED;
  if (ANEW.includes(kernel?.status) || node?.closest(FORGOTTEN)) return RESTARTED;
  return kernel?.status === "idle" ? SILENT : BUSY;
}

/** In words, why nothing can be sent at all. */
export function whyNothingSent(model, node) {
  const words = whyNoAnswer(model, node);
  return words === STOPPED ? STOPPED : RESTARTED;
}
