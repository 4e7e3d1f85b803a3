// What is read off the walk of a value: where it is, and how far it wandered.

/** The visits of a walk up to so many games: [games, V], beginning with V = 0. */
export function walkedUpTo(visits, values, games) {
  const points = [[0, 0]];
  for (let n = 0; n < visits.length && visits[n] <= games; n += 1) {
    points.push([visits[n], values[n]]);
  }
  return points;
}

/** The same as steps: a value stays until the next visit. */
export function stairs(points, games) {
  const path = [];
  points.forEach(([at, value], n) => {
    if (n) path.push([at, points[n - 1][1]]);
    path.push([at, value]);
  });
  path.push([games, points.at(-1)[1]]);
  return path;
}

/** The lowest and highest value over the second half of the games; null where it was not met. */
export function wanderedOver(points, games) {
  const late = points.filter(([at]) => at > games / 2).map(([, value]) => value);
  return late.length > 1 ? { low: Math.min(...late), high: Math.max(...late) } : null;
}
