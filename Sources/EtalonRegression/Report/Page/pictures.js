// Pictures travel as PNG text in base64 and are decoded here, not by the browser: a canvas would multiply by alpha and drop 16 bits to 8.
const pictures = new Map();

/**
 * The picture of a path: {width, height, scale, values, isSmall}; values are r, g, b, a for each pixel, the top row first; `scale` is what 1.0 is.
 * Small pictures stand for larger ones for which there was no room.
 */
function picture(path) {
  if (!pictures.has(path)) pictures.set(path, decodePicture(document.getElementById(`picture ${path}`)));
  return pictures.get(path);
}

async function decodePicture(element) {
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent.trim()), c => c.charCodeAt(0));
  const image = await decodePNG(bytes);
  image.isSmall = element.dataset.scaled !== undefined;
  switch (element.dataset.format) {
    case "rgba16f": return floatPicture(image, 2, halves);
    case "rgba32f": return floatPicture(image, 4, bytes => new Float32Array(bytes.buffer));
    default: return image;
  }
}

/** Numbers whose bytes were packed into an 8-bit picture, `ratio` of its pixels for each of theirs. */
function floatPicture(image, ratio, read) {
  return { width: image.width / ratio, height: image.height, scale: 1, values: read(image.values) };
}

function halves(bytes) {
  const words = new Uint16Array(bytes.buffer), values = new Float32Array(words.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i], sign = word >> 15 ? -1 : 1, exponent = word >> 10 & 31, fraction = word & 1023;
    values[i] = exponent === 31 ? (fraction ? NaN : sign * Infinity)
      : sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
  }
  return values;
}

async function decodePNG(bytes) {
  const view = new DataView(bytes.buffer), packed = [];
  let width = 0, height = 0, depth = 8, kind = 6;
  for (let at = 8; at < bytes.length;) {
    const length = view.getUint32(at), name = String.fromCharCode(...bytes.subarray(at + 4, at + 8)), start = at + 8;
    if (name === "IHDR") {
      width = view.getUint32(start), height = view.getUint32(start + 4), depth = bytes[start + 8], kind = bytes[start + 9];
    } else if (name === "IDAT") packed.push(bytes.subarray(start, start + length));
    at = start + length + 4;
  }
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[kind], step = channels * depth / 8;
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream("deflate"));
  const rows = unfilter(new Uint8Array(await new Response(stream).arrayBuffer()), width * step, height, step);
  return { width, height, scale: depth === 16 ? 65535 : 255, values: toRGBA(rows, width * height, channels, depth) };
}

/** Undoes the filters of PNG, section 9 of its specification. */
function unfilter(data, stride, height, step) {
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)], from = y * (stride + 1) + 1, to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? rows[to + x - step] : 0, up = y ? rows[to + x - stride] : 0;
      const corner = x >= step && y ? rows[to + x - stride - step] : 0;
      const guess = filter === 0 ? 0 : filter === 1 ? left : filter === 2 ? up : filter === 3 ? left + up >> 1 : paeth(left, up, corner);
      rows[to + x] = data[from + x] + guess;
    }
  }
  return rows;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left), byUp = Math.abs(guess - up), byCorner = Math.abs(guess - corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

function toRGBA(rows, count, channels, depth) {
  const full = depth === 16 ? 65535 : 255, values = depth === 16 ? new Uint16Array(count * 4) : new Uint8Array(count * 4);
  const at = depth === 16 ? i => rows[2 * i] << 8 | rows[2 * i + 1] : i => rows[i];
  for (let i = 0; i < count; i++) {
    const gray = channels < 3, from = i * channels, to = i * 4;
    for (let c = 0; c < 3; c++) values[to + c] = at(from + (gray ? 0 : c));
    values[to + 3] = channels === 4 ? at(from + 3) : channels === 2 ? at(from + 1) : full;
  }
  return values;
}
