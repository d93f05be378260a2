// Frames arrive as bytes: a header, and pixels as JPEG, as bytes or as floats. The newest one is drawn; those that came too late are let go.
import { acknowledge, delayOf } from "./connection.js";
import { on, store, tell } from "./store.js";

/** The picture on the page: its size, and its pixels where they came as numbers (rows from the top, straight alpha). */
export const picture = { width: 0, height: 0, encoding: null, bytes: null, floats: null };

let canvas, context, received = 0, drawn = 0, exposure = 0, tooLarge = "";
/** Kept from frame to frame: a new one of this size each time would keep the garbage collector busy. */
let floatImage = null;

export function startFrames(target) {
  canvas = target;
  context = canvas.getContext("2d");
  on("frame-data", receive);
}

/** Draws floats with another exposure; pictures of bytes are made brighter by the style of their canvas. */
export function setExposure(stops) {
  exposure = stops;
  if (picture.floats) drawFloats();
  setFilter();
}

async function receive(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const serial = ++received, start = 4 + length;
  let bitmap = null;
  if (header.encoding === "jpeg") {
    try {
      bitmap = await createImageBitmap(new Blob([new Uint8Array(buffer, start)], { type: "image/jpeg" }));
    } catch { acknowledge(header.number); return; }
  }
  // JPEGs are decoded beside each other: one that is done after a newer one is old.
  if (serial < drawn) { bitmap?.close(); acknowledge(header.number); return; }
  drawn = serial;
  try { show(header, buffer, start, bitmap); } catch (error) {
    // A picture that the browser cannot draw, as one that is too large for it, does not hold up the next one.
    acknowledge(header.number);
    const size = `${header.width}×${header.height}`;
    if (size !== tooLarge) tell("notice", { text: `The browser cannot draw a picture of ${size}: ${error.message}`, tone: "bad" });
    tooLarge = size;
    return;
  }
  // What is shown by now: messages that this frame does not know of count with a later one.
  const shown = Math.max(+document.documentElement.dataset.shown || 0, header.number);
  document.documentElement.dataset.shown = String(shown);
  acknowledge(header.number);
  header.delay = delayOf(header.number);
  store.frame = header;
  tell("frame", header);
}

function show(header, buffer, start, bitmap) {
  const { width, height, encoding } = header, isNewSize = canvas.width !== width || canvas.height !== height;
  if (isNewSize) { canvas.width = width; canvas.height = height; }
  Object.assign(picture, { width, height, encoding, bytes: null, floats: null });
  if (bitmap) {
    context.clearRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
  } else if (encoding === "rgba32f") {
    // Floats have to lie at a multiple of four bytes.
    picture.floats = start % 4 === 0 ? new Float32Array(buffer, start, width * height * 4) : new Float32Array(buffer.slice(start));
    drawFloats();
  } else {
    picture.bytes = new Uint8ClampedArray(buffer, start, width * height * 4);
    context.putImageData(new ImageData(picture.bytes, width, height), 0, 0);
  }
  setFilter();
  if (isNewSize) tell("picture-size", picture);
}

function setFilter() {
  const filter = exposure !== 0 && !picture.floats ? `brightness(${2 ** exposure})` : "";
  if (canvas.style.filter !== filter) canvas.style.filter = filter;
}

/** Floats become bytes here; pixels that are no numbers are magenta, because black would hide them. */
function drawFloats() {
  const { width, height, floats } = picture, gain = 255 * 2 ** exposure;
  if (floatImage?.width !== width || floatImage.height !== height) floatImage = new ImageData(width, height);
  const out = floatImage.data;
  for (let i = 0; i < out.length; i += 4) {
    const r = floats[i] * gain, g = floats[i + 1] * gain, b = floats[i + 2] * gain;
    if (r + g + b === r + g + b) {
      out[i] = r; out[i + 1] = g; out[i + 2] = b; out[i + 3] = floats[i + 3] * 255;
    } else {
      out[i] = 255; out[i + 1] = 0; out[i + 2] = 255; out[i + 3] = 255;
    }
  }
  context.putImageData(floatImage, 0, 0);
}

/** The four numbers of a pixel counted from the top left, where the page has them. */
export function pixelAt(x, y) {
  const values = picture.floats ?? picture.bytes;
  if (!values || x < 0 || y < 0 || x >= picture.width || y >= picture.height) return null;
  const at = 4 * (y * picture.width + x);
  return Array.from(values.subarray(at, at + 4), value => picture.floats ? value : value / 255);
}
