// Points of parameters on the picture: dragged with the pointer, moved with the arrow keys.
import { byId, draw } from "./dom.js";
import { picture } from "./frames.js";
import { endGesture, endKeyGesture, setValue } from "./history.js";
import { parseKeyframes, withKey, keyframesText } from "./keyframes.js";
import { on, parameter, select, store } from "./store.js";
import { placement, placeOf, renderSize } from "./stage.js";
import { kindOf, limitOf, numbersOf, plainNumber } from "./value-text.js";
import { currentNumbers } from "./parameters.js";

let layer;
const handles = new Map();

export function startHandles() {
  layer = byId("handles");
  on("subject", build);
  on("layout", place);
  on("selected", place);
  on("value", ({ name }) => { if (handles.has(name)) place(); });
  on("frame", () => { if ([...handles.keys()].some(name => kindOf(store.values.get(name)) !== "plain")) place(); });
}

function build() {
  handles.clear();
  // A constant of two numbers may be anything, and is compiled anew for each place.
  for (const each of store.state.parameters.filter(each => each.type === "point" && !each.constant)) handles.set(each.name, makeHandle(each));
  layer.replaceChildren(...handles.values());
  place();
}

function makeHandle(each) {
  const handle = draw("g", { class: "handle", tabindex: "0", role: "slider", "aria-label": `${each.label || each.name}, a point on the picture; arrow keys move it` },
    draw("circle", { r: 16, class: "reach" }), draw("circle", { r: 7, class: "ring" }), draw("path", { d: "M-11 0H-4M4 0H11M0-11V-4M0 4V11", class: "cross" }),
    draw("text", { x: 12, y: -10 }, ""));
  handle.querySelector("text").textContent = each.label || each.name;
  handle.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("held");
    select(each.name);
  });
  handle.addEventListener("pointermove", event => {
    if (!handle.classList.contains("held")) return;
    event.stopPropagation();
    const { x, y } = placeOf(event);
    moveTo(each, fromPicture(each, x, y), true);
  });
  const end = () => { handle.classList.remove("held"); endGesture(); };
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
  handle.addEventListener("focus", () => select(each.name));
  handle.addEventListener("keydown", event => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key], at = currentNumbers(each);
    if (!step || !at) return;
    event.preventDefault();
    event.stopPropagation();
    const size = (event.shiftKey ? 10 : 1) * (isNormalized(each) ? 1 / Math.max(renderSize()[0], 100) : 1);
    moveTo(each, [at[0] + step[0] * size, at[1] + step[1] * size], true);
  });
  handle.addEventListener("keyup", endKeyGesture);
  return handle;
}

function isNormalized({ unit }) { return unit === "normalized" || unit === "fraction"; }

/** What the parameter counts in: parts of the picture, or pixels of a render, however small the picture here is. */
function unitsOf(each) { return isNormalized(each) ? [1, 1] : renderSize(); }

/** From pixels of the picture on the page from its top left to what the parameter counts in, from the bottom left. */
function fromPicture(each, x, y) {
  const [width, height] = unitsOf(each);
  return [x / picture.width * width, (1 - y / picture.height) * height];
}

function moveTo(each, numbers, isMoving) {
  const digits = isNormalized(each) ? 4 : 1;
  const bounded = numbers.map((number, i) => {
    const low = limitOf(each.minimum, i), high = limitOf(each.maximum, i);
    return +plainNumber(Math.min(high ?? Infinity, Math.max(low ?? -Infinity, number)), digits);
  });
  const text = store.values.get(each.name), kind = kindOf(text);
  if (kind === "keyframes") {
    const keys = parseKeyframes(text, each);
    if (keys) setValue(each.name, keyframesText(withKey(keys, store.clock.frame, bounded, each), each), { isMoving });
  } else if (kind === "plain") setValue(each.name, bounded.join(","), { isMoving });
}

function place() {
  const { scale, left, top } = placement();
  for (const [name, handle] of handles) {
    const each = parameter(name), at = each && currentNumbers(each);
    handle.toggleAttribute("hidden", !at);
    handle.style.display = at ? "" : "none";
    if (!at) continue;
    const [width, height] = unitsOf(each), x = at[0] / width * picture.width, y = (1 - at[1] / height) * picture.height;
    handle.setAttribute("transform", `translate(${left + x * scale} ${top + y * scale})`);
    handle.setAttribute("aria-valuetext", at.map(number => plainNumber(number, 3)).join(", "));
    handle.setAttribute("aria-valuenow", String(at[0]));
    handle.classList.toggle("selected", store.selected === name);
    handle.classList.toggle("fixed", ["expression", "track"].includes(kindOf(store.values.get(name))));
  }
}
