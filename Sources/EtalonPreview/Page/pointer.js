// What the pointer and the keys do on the picture: values under the pointer, moving it, and the mouse and keyboard of a shader that listens to them.
import { send, sendLatest } from "./connection.js";
import { byId, make, setText } from "./dom.js";
import { picture, pixelAt } from "./frames.js";
import { on, store, tell } from "./store.js";
import { shortNumber } from "./overlay.js";
import { detail, pan, placeOf, renderSize, view } from "./stage.js";

let stage, readout, swatch, place, numbers;
/** Where the pointer is in the window; null when it is not on the stage. The pixel below it changes with the zoom. */
let pointer = null;
/** What the held button does: it moves the picture, or it is the shader's mouse. */
let drag = null;
/** Whether a drag moves the picture even where the shader has a use for the mouse. */
export const tools = { hand: false };
const heldKeys = new Set();

export function startPointer() {
  stage = byId("stage");
  readout = byId("readout");
  swatch = make("i", { className: "swatch" });
  place = make("span", { className: "place" });
  numbers = make("span", { className: "numbers" });
  readout.replaceChildren(swatch, place, numbers);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerleave", () => { if (!drag) { pointer = null; showPixel(); } });
  stage.addEventListener("pointerdown", press);
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  stage.addEventListener("contextmenu", event => { if (drag) event.preventDefault(); });
  stage.addEventListener("keydown", keyDown);
  stage.addEventListener("keyup", keyUp);
  stage.addEventListener("focus", () => tell("stage-focus", true));
  stage.addEventListener("blur", () => { releaseKeys(); tell("stage-focus", false); });
  on("frame", showPixel);
  on("view", showPixel);
  on("pixel", showAnswer);
  on("subject", () => changeCursor());
}

export function setHand(isHand) { tools.hand = isHand; changeCursor(); tell("view"); }

/** Whether a plain drag is the shader's. */
function usesMouse() { return Boolean(store.state?.mouse) && !tools.hand; }
export function usesKeys() { return Boolean(store.state?.keyboard) && document.activeElement === stage; }

function changeCursor() { stage.dataset.cursor = usesMouse() ? "mouse" : "hand"; }

// The pointer

function press(event) {
  // What lies over the picture has a use of its own for the pointer.
  if (event.target.closest?.(".handle, #diagnostics, #drop-zones")) return;
  if (event.button > 1) return;
  stage.focus({ preventScroll: true });
  event.preventDefault();
  stage.setPointerCapture(event.pointerId);
  const isShaders = event.button === 0 && usesMouse() && !event.altKey;
  drag = { isShaders, x: event.clientX, y: event.clientY };
  stage.classList.toggle("moving", !isShaders);
  if (isShaders) sendMouse(event, true);
}

function move(event) {
  pointer = { clientX: event.clientX, clientY: event.clientY };
  if (drag?.isShaders) sendMouse(event, true);
  else if (drag) {
    pan(event.clientX - drag.x, event.clientY - drag.y);
    Object.assign(drag, { x: event.clientX, y: event.clientY });
  }
  showPixel();
}

function release(event) {
  if (drag?.isShaders) sendMouse(event, false);
  drag = null;
  stage.classList.remove("moving");
}

function sendMouse(event, down) {
  const { x, y } = placeOf(event);
  // ShaderToy counts from the bottom left; the middle of a pixel is at a half.
  const message = { do: "mouse", x: Math.round(x * 100) / 100, y: Math.round((picture.height - y) * 100) / 100, down };
  if (down && drag?.isDown) sendLatest("mouse", message); else send(message);
  if (drag) drag.isDown = down;
}

// Values under the pointer

/** The pixel that was asked for last, and when; answers may fail to come, as when a change makes the picture useless. */
let asked = { question: "", time: 0, isAnswered: true };
const patience = 1000;
/** The pixel of the picture below the pointer, from the top left. */
function pixelBelow() {
  if (!pointer) return { x: -1, y: -1 };
  const { x, y } = placeOf(pointer);
  return { x: Math.floor(x), y: Math.floor(y) };
}

function showPixel() {
  const { x, y } = pixelBelow();
  const isInside = x >= 0 && y >= 0 && x < picture.width && y < picture.height;
  readout.classList.toggle("empty", !isInside);
  if (!isInside) return;
  const [width, height] = renderSize(), isWhole = detail() === 1;
  // Places are those of a render, also where the picture here is smaller.
  const column = isWhole ? x : Math.floor((x + .5) / picture.width * width), row = isWhole ? y : Math.floor((y + .5) / picture.height * height);
  setText(place, `${column}, ${height - 1 - row}`);
  readout.title = `Column ${column}, row ${height - 1 - row} from the bottom, as GLSL counts in a render; row ${row} from the top${
    isWhole ? "" : `. The values are those of a picture of ${picture.width}×${picture.height}; zoom in to 1:1 for those of a render`}`;
  const values = pixelAt(x, y);
  if (picture.floats) { showNumbers(values, true); return; }
  // A JPEG says only about what a pixel is, and bytes end at 0 and 1; the server knows, but while it plays there is no pixel to ask about.
  const question = `${x} ${y} ${store.frame?.number} ${store.frame?.frame}`;
  const isSame = question === asked.question;
  if (isSame && (asked.isAnswered || performance.now() - asked.time < patience)) return;
  if (!isSame) { if (values) showNumbers(values, false); else showNumbers(drawnPixel(x, y), false, "≈ "); }
  if (store.clock.playing) return;
  asked = { question, time: performance.now(), isAnswered: false };
  // A picture of another size may be on its way, in which there is no such pixel.
  sendLatest("pixel", { do: "pixel", x, y }, () => {});
}

function showAnswer({ x, y, values, bytes }) {
  asked.isAnswered = true;
  const below = pixelBelow();
  // Floats that came meanwhile say more.
  if (picture.floats || below.x !== x || below.y !== y) return;
  // What eight bits cannot say is shown as it is.
  showNumbers(values, !bytes || values.some((value, i) => value === null || Math.abs(value * 255 - bytes[i]) > .51));
}

/** A pixel as the canvas has it. */
function drawnPixel(x, y) { return Array.from(byId("picture").getContext("2d").getImageData(x, y, 1, 1).data, value => value / 255); }

function showNumbers(values, isFloat, sign = "") {
  setText(numbers, sign + ["R", "G", "B", "A"].map((name,
    i) => `${name} ${isFloat ? shortNumber(values[i]).padStart(7) : String(Math.round(values[i] * 255)).padStart(3)}`).join("  "));
  const gain = 255 * 2 ** view.exposure;
  swatch.style.background = values.some(value => !Number.isFinite(value)) ? "magenta" : `rgb(${values[0] * gain} ${values[1] * gain} ${values[2] * gain} / ${values[3]})`;
}

// Keys of a shader

function keyDown(event) {
  if (event.key === "Escape" && usesKeys()) { stage.blur(); event.stopPropagation(); return; }
  if (!usesKeys() || event.key === "Escape" || event.key === "Tab" || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat || heldKeys.has(event.keyCode)) return;
  heldKeys.add(event.keyCode);
  send({ do: "key", code: event.keyCode, down: true });
}

function keyUp(event) {
  if (!heldKeys.delete(event.keyCode)) return;
  event.preventDefault();
  send({ do: "key", code: event.keyCode, down: false });
}

/** A key that is let go elsewhere would stay down for the shader. */
function releaseKeys() {
  for (const code of heldKeys) send({ do: "key", code, down: false });
  heldKeys.clear();
}
