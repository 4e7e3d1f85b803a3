// Numbers as they are read.

/** A number with a minus that is as wide as a plus. */
function withMinus(text) {
  return text.replace("-", "−");
}

/** A whole number with separators, or a dash where there is none. */
export function rounded(value) {
  return Number.isFinite(value) ? withMinus(Math.round(value).toLocaleString("en")) : "–";
}

/** A number with two digits after the point, or a dash where there is none. */
export function precise(value) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return Number.isFinite(value) ? withMinus(value.toLocaleString("en", digits)) : "–";
}

/** A share from 0 to 1 in percent; small ones with a digit after the point. */
export function percent(share) {
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  return `${(100 * share).toFixed(digits)} %`;
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number in few letters: 12.5K. */
export function compact(value) {
  return withMinus(SHORT.format(value));
}

/** A difference with its sign. */
export function signed(value) {
  return `${value < 0 ? "−" : "+"}${rounded(Math.abs(value))}`;
}
