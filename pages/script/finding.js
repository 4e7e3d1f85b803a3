// Which sections hold all the words that were typed, the best first.

const WEIGHTS = { heading: 20, title: 6, text: 1 };
const MOST_COUNTED = 5; // times that a word counts in one text

function count(text, word) {
  return Math.min(MOST_COUNTED, text.split(word).length - 1);
}

/** How well a section fits, 0 where one of the words is missing. */
function worth(entry, words) {
  let sum = 0;
  for (const word of words) {
    let ofWord = 0;
    for (const [field, weight] of Object.entries(WEIGHTS)) {
      ofWord += weight * count(entry[field].toLowerCase(), word);
    }
    if (!ofWord) return 0;
    sum += ofWord;
  }
  return sum;
}

export function find(index, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return { found: [], words };
  const valued = index.map((entry) => [worth(entry, words), entry]).filter(([value]) => value);
  valued.sort(([a], [b]) => b - a);
  return { found: valued.map(([, entry]) => entry), words };
}
