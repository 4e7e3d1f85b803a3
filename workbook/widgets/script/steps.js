// Round numbers: the steps of an axis or a slider, and where an axis is marked.

const FACTORS = [1, 2, 5, 10];
const SLACK = 1e-9; // of a step, so that 0.30000000000000004 counts as 0.3

/** The smallest step of 1, 2 or 5 times a power of ten that cuts a range into `parts` or fewer. */
export function roundStep(range, parts) {
  const raw = range / parts || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  return FACTORS.find((times) => times * power >= raw * (1 - SLACK)) * power;
}

/** The multiples of a round step from `low` to `high`: about as many as `parts`. */
export function ticks(low, high, parts) {
  const step = roundStep(high - low, parts);
  const first = Math.ceil(low / step - SLACK);
  const last = Math.floor(high / step + SLACK);
  const rounded = (value) => Number(value.toFixed(9));
  return Array.from({ length: last - first + 1 }, (_, n) => rounded((first + n) * step));
}
