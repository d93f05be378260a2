// Where the picture lies: fit into its room, pixel for pixel, or zoomed and moved. The canvas has the size of the picture and is scaled by its
// style, so that neither zooming nor moving draws anything again.
import { sendLatest } from "./connection.js";
import { byId, clamp } from "./dom.js";
import { picture, setExposure } from "./frames.js";
import { on, preferences, store, tell } from "./store.js";

export const view = {
  /** Fits as long as nothing else was asked for. */
  isFit: true,
  /** Pixels of the screen for one of a render, whatever the size of the picture that is here. */
  scale: 1,
  /** The point of the picture in the middle, from 0 to 1. */
  x: .5, y: .5,
  exposure: 0,
  showsGrid: preferences.get("grid", true),
  showsCheckers: preferences.get("checkers", true),
  proxy: 1,
};
const smallest = 1 / 64, largest = 256;
/** How far the exposure goes, in stops. */
export const mostStops = 8;
/** From here on pixels are looked at one by one: they are asked for as they are, not as JPEG. */
const exactScale = 4;
/** Larger pictures come as JPEG all the same, and the numbers of a pixel are asked for. */
const mostBytes = 1 << 26;
/** The longest side that the server renders. */
const longest = 16_384;
let stage, canvas;

export function startStage() {
  stage = byId("stage");
  canvas = byId("picture");
  new ResizeObserver(() => { layOut(); requestView(); }).observe(stage);
  on("picture-size", layOut);
  on("connected", () => requestView(true));
  on("subject", () => { layOut(); requestView(); });
  stage.addEventListener("wheel", wheel, { passive: false });
  stage.classList.toggle("plain", !view.showsCheckers);
}

export function pixelRatio() { return devicePixelRatio || 1; }

/** The room for the picture, in pixels of the screen. */
function room() {
  const margin = document.fullscreenElement ? 0 : 12;
  return { width: Math.max(16, Math.floor((stage.clientWidth - 2 * margin) * pixelRatio())),
    height: Math.max(16, Math.floor((stage.clientHeight - 2 * margin) * pixelRatio())) };
}

/** The size of a render in pixels. The picture on the page may be smaller: as large as it is seen. */
export function renderSize() { return store.state?.size ?? [picture.width, picture.height]; }

/** Pixels of the picture on the page for one of a render: 1, or less. */
export function detail() { return picture.width / renderSize()[0] || 1; }

function fitScale() {
  const { width, height } = room(), [renderWidth, renderHeight] = renderSize();
  return renderWidth ? Math.min(width / renderWidth, height / renderHeight) : 1;
}

/** Pixels of the screen for one of a render. */
export function currentScale() { return view.isFit ? fitScale() : view.scale; }

/** Pixels of the screen for one of the picture on the page. */
export function pictureScale() {
  const scale = currentScale() / detail(), width = picture.width * scale;
  // A picture that was made for this scale is shown as it is, not stretched by a rounded pixel.
  return Math.abs(width - picture.width) <= 1 || (view.isFit && Math.abs(scale - 1) < .01) ? 1 : scale;
}

/** The point of the picture in the middle of the stage. */
function middle() { return view.isFit ? [.5, .5] : [view.x, view.y]; }

/** Where the top left corner of the picture lies on the stage, and the size of one of its pixels, in CSS pixels. */
export function placement() {
  const ratio = pixelRatio(), scale = pictureScale() / ratio;
  const [x, y] = middle();
  const snap = value => Math.round(value * ratio) / ratio;
  return { scale, left: snap(stage.clientWidth / 2 - x * picture.width * scale), top: snap(stage.clientHeight / 2 - y * picture.height * scale) };
}

function layOut() {
  const { scale, left, top } = placement();
  canvas.style.width = `${picture.width * scale}px`;
  canvas.style.height = `${picture.height * scale}px`;
  canvas.style.transform = `translate(${left}px, ${top}px)`;
  // Between one and two, single pixels would be of different sizes.
  canvas.classList.toggle("pixels", pictureScale() >= 2);
  tell("layout");
}

/**
 * How large a picture is wanted, as a part of a render: what the room takes, or what the zoom shows.
 *
 * In between there are few steps, because each size is prepared by itself; the page makes a picture smaller at no cost.
 */
function wantedPart() {
  const scale = currentScale();
  if (view.isFit || scale <= fitScale()) return null;
  return scale >= 1 ? 1 : 2 ** Math.ceil(Math.log2(scale));
}

/** Tells the server how large the picture is on the page, and in which form it is wanted. */
let lastView = "";
function requestView(isNew = false) {
  if (!store.isConnected || !store.state) return;
  const part = wantedPart(), [width, height] = part === null ? [room().width, room().height]
    : renderSize().map(length => Math.max(1, Math.min(longest, Math.ceil(length * part))));
  // Whether values beyond 0 and 1 are there, only the floats say.
  const isExact = !view.isFit && currentScale() >= exactScale, pixels = width * height;
  const message = { do: "view", width, height, proxy: view.proxy, floats: (view.exposure !== 0 || isExact) && pixels * 16 <= mostBytes,
    checkers: view.showsCheckers, encoding: isExact && pixels * 4 <= mostBytes ? "raw" : "jpeg" };
  const text = JSON.stringify(message);
  if (text === lastView && !isNew) return;
  lastView = text;
  sendLatest("view", message);
}

// Changing it

export function fit() { view.isFit = true; changed(); }

/** Zooms to a scale about a point of the stage; the middle without one. */
export function zoomTo(scale, point) {
  const [x, y] = middle(), before = placement().scale, at = point ?? { x: stage.clientWidth / 2, y: stage.clientHeight / 2 };
  // From the middle, not from the corner, which lies at a whole pixel: that would move the picture a little with each step.
  const place = { x: x * picture.width + (at.x - stage.clientWidth / 2) / before, y: y * picture.height + (at.y - stage.clientHeight / 2) / before };
  view.isFit = false;
  view.scale = clamp(scale, Math.min(smallest, fitScale()), largest);
  const after = placement().scale;
  view.x = (place.x + (stage.clientWidth / 2 - at.x) / after) / (picture.width || 1);
  view.y = (place.y + (stage.clientHeight / 2 - at.y) / after) / (picture.height || 1);
  changed();
}

/** The next of the usual scales. */
export function zoomStep(direction) {
  const steps = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256], scale = currentScale();
  const next = direction > 0 ? steps.find(step => step > scale * 1.01) : steps.findLast(step => step < scale * .99);
  zoomTo(next ?? scale);
}

export function pan(dx, dy) {
  if (view.isFit) { view.isFit = false; view.scale = fitScale(); view.x = view.y = .5; }
  const { scale } = placement();
  view.x = clamp(view.x - dx / scale / (picture.width || 1), -.2, 1.2);
  view.y = clamp(view.y - dy / scale / (picture.height || 1), -.2, 1.2);
  changed();
}

export function changeExposure(stops) {
  view.exposure = clamp(Math.round(stops * 4) / 4, -mostStops, mostStops);
  setExposure(view.exposure);
  requestView();
  tell("view");
}

export function toggleCheckers() {
  view.showsCheckers = !view.showsCheckers;
  preferences.set("checkers", view.showsCheckers);
  stage.classList.toggle("plain", !view.showsCheckers);
  requestView();
  tell("view");
}

export function toggleGrid() {
  view.showsGrid = !view.showsGrid;
  preferences.set("grid", view.showsGrid);
  tell("view");
  tell("layout");
}

export function setProxy(proxy) { view.proxy = proxy; requestView(); tell("view"); }

export async function toggleFullScreen() {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await byId("viewer").requestFullscreen?.().catch(() => {});
}

function changed() {
  layOut();
  requestView();
  tell("view");
}

function wheel(event) {
  if (event.target.closest?.("#diagnostics")) return;
  event.preventDefault();
  if (event.shiftKey && !event.ctrlKey) { pan(-(event.deltaX || event.deltaY), 0); return; }
  const lines = event.deltaMode === 1 ? 16 : 1, box = stage.getBoundingClientRect();
  const factor = 2 ** clamp(-event.deltaY * lines / (event.ctrlKey ? 60 : 200), -1, 1);
  zoomTo(currentScale() * factor, { x: event.clientX - box.left, y: event.clientY - box.top });
}

/** The place of a pointer on the picture, in its pixels from the top left. */
export function placeOf(event) {
  const box = stage.getBoundingClientRect(), { scale, left, top } = placement();
  return { x: (event.clientX - box.left - left) / scale, y: (event.clientY - box.top - top) / scale };
}
