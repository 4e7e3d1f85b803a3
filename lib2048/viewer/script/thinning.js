// Fewer points for the same picture: a curve of 20,000 points on 900 pixels.

/**
 * Of the numbers that fall into one column of pixels, keep the lowest and the highest, in the order
 * in which they come: no peak is lost. Returns runs of points [place, number]; a number that is not
 * known (NaN) ends a run.
 */
export function thinned(numbers, columns) {
  const perColumn = Math.max(1, numbers.length / Math.max(1, columns));
  if (perColumn <= 2) return runsOf(numbers, everyPlace(numbers.length));
  const places = [];
  for (let start = 0; start < numbers.length; start += perColumn) {
    const end = Math.min(numbers.length, Math.floor(start + perColumn));
    places.push(...extremes(numbers, Math.floor(start), end));
  }
  return runsOf(numbers, places);
}

function everyPlace(count) {
  return Array.from({ length: count }, (_, place) => place);
}

/** The places of the lowest and the highest number from `start` on and before `end`. */
export function extremes(numbers, start, end) {
  let low = -1;
  let high = -1;
  for (let place = start; place < end; place++) {
    if (Number.isNaN(numbers[place])) continue;
    if (low < 0 || numbers[place] < numbers[low]) low = place;
    if (high < 0 || numbers[place] > numbers[high]) high = place;
  }
  if (low < 0) return [start]; // all unknown: a gap
  if (low === high) return [low];
  return [Math.min(low, high), Math.max(low, high)];
}

function runsOf(numbers, places) {
  const runs = [];
  let run = [];
  for (const place of places) {
    if (Number.isNaN(numbers[place])) {
      if (run.length) runs.push(run);
      run = [];
    } else {
      run.push([place, numbers[place]]);
    }
  }
  if (run.length) runs.push(run);
  return runs;
}
