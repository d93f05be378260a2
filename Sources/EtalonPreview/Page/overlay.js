// What is drawn over the picture at high zoom: a grid between pixels, and their numbers where there is room for them.
import { byId } from "./dom.js";
import { picture, pixelAt } from "./frames.js";
import { on, store } from "./store.js";
import { pictureScale, pixelRatio, placement, view } from "./stage.js";

const gridScale = 8, numberScale = 72;
let canvas, context, isWaiting = false;

export function startOverlay() {
  canvas = byId("overlay");
  context = canvas.getContext("2d");
  on("layout", later);
  on("frame", () => { if (pictureScale() >= gridScale) later(); });
}

function later() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; drawOverlay(); });
}

function drawOverlay() {
  const isShown = pictureScale() >= gridScale && view.showsGrid && picture.width > 0;
  canvas.hidden = !isShown;
  if (!isShown) return;
  // What is hidden has no size: it is measured once it is shown.
  const ratio = pixelRatio(), width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  context.clearRect(0, 0, width, height);
  const { scale: cssScale, left: cssLeft, top: cssTop } = placement(), scale = cssScale * ratio, left = cssLeft * ratio, top = cssTop * ratio;
  const firstX = Math.max(0, Math.floor(-left / scale)), lastX = Math.min(picture.width, Math.ceil((width - left) / scale));
  const firstY = Math.max(0, Math.floor(-top / scale)), lastY = Math.min(picture.height, Math.ceil((height - top) / scale));
  drawGrid({ scale, left, top, firstX, lastX, firstY, lastY });
  if (scale >= numberScale * ratio && (picture.bytes || picture.floats)) drawNumbers({ scale, left, top, firstX, lastX, firstY, lastY }, ratio);
}

function drawGrid({ scale, left, top, firstX, lastX, firstY, lastY }) {
  context.beginPath();
  const x0 = left + firstX * scale, x1 = left + lastX * scale, y0 = top + firstY * scale, y1 = top + lastY * scale;
  for (let x = firstX; x <= lastX; x++) { const at = Math.round(left + x * scale) + .5; context.moveTo(at, y0); context.lineTo(at, y1); }
  for (let y = firstY; y <= lastY; y++) { const at = Math.round(top + y * scale) + .5; context.moveTo(x0, at); context.lineTo(x1, at); }
  context.lineWidth = 1;
  context.strokeStyle = "rgb(128 128 128 / .45)";
  context.stroke();
}

function drawNumbers({ scale, left, top, firstX, lastX, firstY, lastY }, ratio) {
  const size = Math.min(13, scale / ratio / 7.5) * ratio, names = store.state?.alpha ? 4 : 3;
  context.font = `${size}px "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (let y = firstY; y < lastY; y++) for (let x = firstX; x < lastX; x++) {
    const values = pixelAt(x, y), luma = values[0] * .3 + values[1] * .59 + values[2] * .11;
    context.fillStyle = luma * values[3] * 2 ** view.exposure > .55 ? "rgb(0 0 0 / .8)" : "rgb(255 255 255 / .85)";
    for (let i = 0; i < names; i++) {
      const text = picture.floats ? shortNumber(values[i]) : String(Math.round(values[i] * 255));
      context.fillText(text, left + (x + .5) * scale, top + (y + .5) * scale + (i - (names - 1) / 2) * size * 1.25);
    }
  }
}

/** A number in seven characters or less; null is one that JSON has no word for. */
export function shortNumber(value) {
  if (value === null) return "NaN, ∞";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(1);
  return value.toFixed(size < 10 ? 4 : size < 1000 ? 2 : 0);
}
