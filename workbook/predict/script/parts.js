// Small things that the forms of predictions share.

/** The nodes of a piece of HTML that the notebook's author wrote. */
export function html(text) {
  const template = document.createElement("template");
  template.innerHTML = text;
  return [...template.content.childNodes];
}

/** A number for a reader: separators, three digits where it is no whole number, a true minus. */
export function told(value, unit = "") {
  const size = Math.abs(value);
  const isWhole = Number.isInteger(value);
  const before = size > 0 ? Math.floor(Math.log10(size)) + 1 : 1;
  const digits = isWhole ? 0 : Math.max(0, 3 - before);
  const options = { minimumFractionDigits: 0, maximumFractionDigits: digits };
  const text = value.toLocaleString("en", options).replace("-", "−");
  return unit ? `${text}\u00a0${unit}` : text;
}

/** Where a value lies between two ends, from 0 to 1, and back. */
export function makeScale(low, high, isLog) {
  if (!isLog) {
    return {
      share: (value) => (value - low) / (high - low),
      value: (share) => low + share * (high - low),
    };
  }
  const ratio = Math.log(high / low);
  return {
    share: (value) => Math.log(value / low) / ratio,
    value: (share) => low * Math.exp(share * ratio),
  };
}

/** Round to three digits, so that a slider gives numbers that one would say. */
export function rounded(value, step) {
  if (step) return Math.round(value / step) * step;
  return Number(value.toPrecision(2));
}
