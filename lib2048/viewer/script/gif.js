// Pictures that move: a GIF of 256 colours, of which each frame holds only what changed.

const MOST_COLOURS = 256;
const MOST_CODES = 4096;
const KEEP = 1 << 2; // the next frame is drawn over this one
const FOREVER = 0;

/** Bytes, written one after the other. */
class Bytes {
  constructor() {
    this.all = [];
  }

  text(letters) {
    for (const letter of letters) this.all.push(letter.charCodeAt(0));
  }

  byte(...numbers) {
    this.all.push(...numbers);
  }

  short(...numbers) {
    for (const number of numbers) this.all.push(number & 255, number >> 8);
  }

  /** Data as the format has it: in blocks of up to 255 bytes, each after its length. */
  blocks(data) {
    for (let start = 0; start < data.length; start += 255) {
      const block = data.slice(start, start + 255);
      this.all.push(block.length, ...block);
    }
    this.all.push(0);
  }
}

/** Numbers of growing length, packed into bytes, the lowest bit first. */
class Bits {
  constructor() {
    this.bytes = [];
    this.held = 0;
    this.count = 0;
  }

  push(number, length) {
    this.held |= number << this.count;
    this.count += length;
    while (this.count >= 8) {
      this.bytes.push(this.held & 255);
      this.held >>>= 8;
      this.count -= 8;
    }
  }

  finish() {
    if (this.count) this.bytes.push(this.held & 255);
    return this.bytes;
  }
}

/** LZW as GIF has it (Welch 1984): pixels are bytes, codes grow from 9 bits to 12. */
function packPixels(pixels) {
  const clear = MOST_COLOURS;
  const bits = new Bits();
  let known = new Map();
  let next = clear + 2;
  let length = 9;
  bits.push(clear, length);
  let code = pixels[0];
  for (let k = 1; k < pixels.length; k++) {
    const longer = (code << 8) | pixels[k];
    const found = known.get(longer);
    if (found !== undefined) {
      code = found;
      continue;
    }
    bits.push(code, length);
    code = pixels[k];
    if (next === MOST_CODES) {
      bits.push(clear, length);
      known = new Map();
      next = clear + 2;
      length = 9;
      continue;
    }
    known.set(longer, next);
    if (next === 1 << length) length += 1;
    next += 1;
  }
  bits.push(code, length);
  bits.push(clear + 1, length); // the end
  return bits.finish();
}

/** The colours of some pictures (pixels as 0xbbggrr), the most frequent ones first. */
function palette(pictures) {
  const counts = new Map();
  for (const pixels of pictures) {
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const ranked = [...counts].sort((one, other) => other[1] - one[1]);
  return ranked.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

function distance(one, other) {
  const apart = (shift) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return apart(0) ** 2 + apart(8) ** 2 + apart(16) ** 2;
}

/** Finds the place of a colour in a palette, or of the one that is nearest to it. */
class Finder {
  constructor(colours) {
    this.colours = colours;
    this.known = new Map(colours.map((colour, place) => [colour, place]));
  }

  place(colour) {
    const known = this.known.get(colour);
    if (known !== undefined) return known;
    let nearest = 0;
    this.colours.forEach((other, place) => {
      if (distance(colour, other) < distance(colour, this.colours[nearest])) nearest = place;
    });
    this.known.set(colour, nearest);
    return nearest;
  }
}

/** The smallest rectangle in which two pictures differ; a single pixel where they do not. */
function changed(before, after, width) {
  let [left, top, right, bottom] = [width, Infinity, -1, -1];
  for (let k = 0; k < after.length; k++) {
    if (before && before[k] === after[k]) continue;
    const column = k % width;
    const row = (k - column) / width;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = row;
  }
  if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function cutOut(places, width, area) {
  const cut = new Uint8Array(area.width * area.height);
  for (let row = 0; row < area.height; row++) {
    const start = (area.top + row) * width + area.left;
    cut.set(places.subarray(start, start + area.width), row * area.width);
  }
  return cut;
}

/** Pixels of a canvas as numbers 0xbbggrr. */
export function pixelsOf(context) {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(width * height);
  for (let k = 0; k < pixels.length; k++) {
    pixels[k] = data[4 * k] | (data[4 * k + 1] << 8) | (data[4 * k + 2] << 16);
  }
  return pixels;
}

function writeHead(out, width, height, colours) {
  out.text("GIF89a");
  out.short(width, height);
  out.byte(0xf7, 0, 0); // 256 colours of 8 bits for all frames
  for (let k = 0; k < MOST_COLOURS; k++) {
    const colour = colours[k] ?? 0;
    out.byte(colour & 255, (colour >> 8) & 255, (colour >> 16) & 255);
  }
  out.byte(0x21, 0xff, 11);
  out.text("NETSCAPE2.0");
  out.byte(3, 1);
  out.short(FOREVER);
  out.byte(0);
}

function writeFrame(out, area, pixels, hundredths) {
  out.byte(0x21, 0xf9, 4, KEEP);
  out.short(hundredths);
  out.byte(0, 0);
  out.byte(0x2c);
  out.short(area.left, area.top, area.width, area.height);
  out.byte(0, 8);
  out.blocks(packPixels(pixels));
}

/** A GIF of frames {pixels, hundredths}: what is shown, and for how many hundredths of a second. */
export function makeGif(frames, width, height) {
  const out = new Bytes();
  const finder = new Finder(palette(frames.map((frame) => frame.pixels)));
  writeHead(out, width, height, finder.colours);
  let before = null;
  for (const { pixels, hundredths } of frames) {
    const places = Uint8Array.from(pixels, (pixel) => finder.place(pixel));
    const area = changed(before, places, width);
    writeFrame(out, area, cutOut(places, width, area), hundredths);
    before = places;
  }
  out.byte(0x3b);
  return Uint8Array.from(out.all);
}
