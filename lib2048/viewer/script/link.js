// The link to the widget in Python: what it is told, and what it may change.

/** Tell Python. It is no fault when nobody is there to be told. */
export function tell(model, fields) {
  model.set(fields);
  try {
    model.save_changes();
  } catch {
    // the kernel was shut down
  }
}

/** Call these functions when Python sets the field they are named by; returns how to end that. */
export function follow(model, handlers) {
  const listeners = Object.entries(handlers).map(([field, handle]) => {
    return [`change:${field}`, () => handle(model.get(field))];
  });
  for (const [name, listener] of listeners) model.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) model.off(name, listener);
  };
}

/** The fields that every replay has in common with Python, for `follow`. */
export function replayHandlers(player, position) {
  const { replay } = player;
  return {
    [position](index) {
      if (!replay.playing && index !== replay.index) player.seek(index);
    },
    speed(speed) {
      if (speed !== replay.speed) player.setSpeed(speed);
    },
    playing(playing) {
      if (playing !== replay.playing) player.toggle();
    },
  };
}
