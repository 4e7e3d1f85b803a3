// Which labels along a line find room: none may touch another.

const APART = 5; // pixels between two labels

/** Whether two labels {x, width}, each centred at its x, would touch. */
function touch(one, other) {
  return Math.abs(one.x - other.x) < (one.width + other.width) / 2 + APART;
}

/** Keep a label inside of a line from `low` to `high`. */
function inside(label, low, high) {
  const half = label.width / 2;
  return { ...label, x: Math.max(low + half, Math.min(high - half, label.x)) };
}

/**
 * Those of the labels that find room between `low` and `high`; the first of the list is the most
 * important one. Labels near an end are moved inwards.
 */
export function withRoom(labels, low, high) {
  const placed = [];
  for (const wanted of labels) {
    const label = inside(wanted, low, high);
    if (!placed.some((other) => touch(label, other))) placed.push(label);
  }
  return placed;
}
