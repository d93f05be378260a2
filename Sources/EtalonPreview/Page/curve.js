// The curve of the selected parameter: its keys over the time of the bar below, dragged in time and value, with the way between them.
import { byId, clamp, draw, make, setText } from "./dom.js";
import { endGesture, setValue } from "./history.js";
import { iconButton } from "./icons.js";
import { easings, keyFrame, keyframesText, parseKeyframes, valuesAt, withKey } from "./keyframes.js";
import { on, parameter, preferences, store, tell } from "./store.js";
import { frameAt, timeOfFrame, timeText } from "./times.js";
import { frameOf, span, xOf } from "./scrubber.js";
import { seek, timeForm } from "./transport.js";
import { toggleKey } from "./parameters.js";
import { digitsFor, isWhole, kindOf, limitOf, plainNumber } from "./value-text.js";

const height = 168, top = 14, bottom = 14;
const names = { point: ["x", "y"], color: ["r", "g", "b", "a"] };
let panel, title, drawing, menu, exact, hint, empty, chosen = null, held = null, range = null, isWaiting = false;

export function startCurve() {
  panel = byId("curve");
  title = make("b", {});
  hint = make("span", { className: "hint" }, "Drag keys · double click adds one · Delete takes one away");
  menu = make("select", { "aria-label": "How the chosen key is reached", onchange: () => change(key => ({ ...key, ease: menu.value })) },
    ...easings.map(name => make("option", { value: name }, name)));
  exact = make("input", { type: "text", className: "number-field", "aria-label": "Value of the chosen key", spellcheck: false, onchange: () => setExact(exact.value) });
  drawing = draw("svg", { class: "curve-drawing", role: "application", "aria-label": "Curve of keys. Tab goes from key to key, arrow keys move one." });
  empty = make("p", { className: "nothing" });
  panel.replaceChildren(make("div", { className: "curve-bar" }, title, menu, exact, hint,
    iconButton("close", "Close the curve", () => showCurve(false), { key: "U" })), drawing, empty);
  drawing.addEventListener("dblclick", addAt);
  drawing.addEventListener("pointerdown", press);
  drawing.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) drawing.addEventListener(name, () => { held = null; range = null; endGesture(); later(); });
  new ResizeObserver(later).observe(panel);
  for (const name of ["time", "subject", "value", "frame"]) on(name, later);
  on("selected", () => { chosen = null; later(); });
  on("value", ({ name, isFromServer }) => { if (!isFromServer && name === store.selected && panel.hidden && keysOf()?.keys?.length === 2 &&
    !preferences.get("curve-closed", false)) showCurve(true); });
}

export function showCurve(isShown = panel.hidden) {
  panel.hidden = !isShown;
  preferences.set("curve-closed", !isShown);
  tell("panels");
  later();
}

function keysOf() {
  const each = parameter(store.selected), text = each && store.values.get(each.name);
  if (!each || kindOf(text, each) !== "keyframes") return null;
  const keys = parseKeyframes(text, each);
  return keys?.length ? { each, keys } : null;
}

// Changing keys

function write(each, keys, isMoving = false) { setValue(each.name, keyframesText([...keys].sort((a, b) => a.time - b.time), each), { isMoving }); }

function change(map) {
  const found = keysOf();
  if (found && chosen !== null && found.keys[chosen]) write(found.each, found.keys.map((key, i) => i === chosen ? map(key) : key));
}

function setExact(text) {
  const numbers = text.split(",").map(Number);
  if (numbers.every(Number.isFinite)) change(key => ({ ...key, values: key.values.map((value, i) => numbers[i] ?? numbers[0] ?? value) }));
}

function addAt(event) {
  const found = keysOf();
  if (!found || event.target.closest?.(".key")) return;
  const frame = frameOf(event.clientX - drawing.getBoundingClientRect().left, drawing.clientWidth);
  write(found.each, withKey(found.keys, frame, valuesAt(found.keys, timeOfFrame(frame)), found.each));
}

function press(event) {
  const key = event.target.closest?.(".key"), found = keysOf();
  if (!found || event.button !== 0) return;
  event.preventDefault();
  drawing.setPointerCapture(event.pointerId);
  if (!key) { held = { isHead: true }; move(event); return; }
  chosen = +key.dataset.key;
  range = rangeOf(found.each, found.keys);
  held = { key: chosen, component: +key.dataset.component, x: event.clientX, y: event.clientY, start: found.keys[chosen], isMoved: false };
  drawing.querySelector(`[data-key="${chosen}"][data-component="${held.component}"]`)?.focus();
  later();
}

function move(event) {
  const found = keysOf();
  if (!held || !found) return;
  const left = drawing.getBoundingClientRect().left;
  if (held.isHead) { seek(frameOf(event.clientX - left, drawing.clientWidth)); return; }
  if (!held.isMoved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 3) return;
  held.isMoved = true;
  const key = found.keys[held.key], { low, high } = range;
  // Shift keeps to the direction in which the hand went first.
  const isSideways = Math.abs(event.clientX - held.x) > Math.abs(event.clientY - held.y);
  const frame = event.shiftKey && !isSideways ? keyFrame(held.start) : frameOf(xOf(keyFrame(held.start), drawing.clientWidth) + event.clientX - held.x,
    drawing.clientWidth);
  const value = event.shiftKey && isSideways ? held.start.values[held.component] : held.start.values[held.component] - (event.clientY - held.y) / (height - top - bottom) * (high - low);
  moveKey(found, held.key, frame, held.component, value, key);
}

/** A key stays between its neighbors, and its value inside of the range. */
function moveKey({ each, keys }, index, frame, component, value, key) {
  const least = index > 0 ? keyFrame(keys[index - 1]) + 1 : span().first, most = index < keys.length - 1 ? keyFrame(keys[index + 1]) - 1 : span().last;
  const at = clamp(frame, Math.min(least, most), Math.max(least, most)), digits = digitsFor(each);
  const number = +plainNumber(clamp(value, limitOf(each.minimum, component) ?? (each.type === "color" ? 0 : -Infinity), limitOf(each.maximum, component) ?? Infinity),
    digits);
  const values = key.values.map((old, i) => i === component && typeof old === "number" ? number : old);
  write(each, keys.map((old, i) => i === index ? { ...old, frame: at, time: timeOfFrame(at), values } : old), true);
}

function keyDown(event, index, component) {
  const found = keysOf(), key = found?.keys[index];
  if (!key) return;
  if (event.key === "Delete" || event.key === "Backspace") {
    event.preventDefault();
    event.stopPropagation();
    if (found.keys.length > 1) { chosen = null; write(found.each, found.keys.filter((_, i) => i !== index)); } else { seek(keyFrame(key)); toggleKey(found.each.name); }
    return;
  }
  const { low, high } = rangeOf(found.each, found.keys), size = (event.shiftKey ? 10 : 1) * (found.each.step || (isWhole(found.each) ? 1 : (high - low) / 100));
  const moved = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (!moved) return;
  event.preventDefault();
  event.stopPropagation();
  moveKey(found, index, keyFrame(key) + moved[0] * (event.shiftKey ? 10 : 1), component, key.values[component] + moved[1] * size, key);
}

/** Goes to the next or previous key of the selected parameter. */
export function seekKey(direction) {
  const frames = keysOf()?.keys.map(keyFrame) ?? [];
  const next = direction > 0 ? frames.find(frame => frame > store.clock.frame) : frames.findLast(frame => frame < store.clock.frame);
  if (next !== undefined) seek(next);
}

// Drawing

function later() {
  if (isWaiting || panel.hidden) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; show(); });
}

/** The values that the drawing spans: the range of the parameter, or that of its keys with some air where they use little of it. */
function rangeOf(each, keys) {
  const all = keys.flatMap(key => key.values).filter(value => typeof value === "number"), least = Math.min(...all), most = Math.max(...all);
  const minimum = limitOf(each.minimum, 0) ?? (each.type === "color" ? 0 : null), maximum = limitOf(each.maximum, 0) ?? (each.type === "color" ? 1 : null);
  if (minimum !== null && maximum !== null && maximum - minimum <= 3 * (most - least)) return { low: Math.min(minimum, least), high: Math.max(maximum, most) };
  const air = (most - least || Math.abs(most) || 1) * .35;
  return { low: Math.max(minimum ?? -Infinity, least - air), high: Math.max(Math.min(maximum ?? Infinity, most + air), least + 1e-6) };
}

function show() {
  const each = parameter(store.selected), found = keysOf();
  setText(title, each ? each.label || each.name : "Curve");
  drawing.style.display = found ? "" : "none";
  empty.hidden = Boolean(found);
  hint.hidden = !found;
  menu.hidden = exact.hidden = !found || chosen === null || !found.keys[chosen];
  if (!found) {
    setText(empty, each ? `'${each.label || each.name}' has no keys. K sets one at the play head.` : "Choose a parameter, and set keys with K.");
    drawing.replaceChildren();
    return;
  }
  const { keys } = found;
  if (!menu.hidden) {
    if (document.activeElement !== menu) {
      if (![...menu.options].some(option => option.value === keys[chosen].ease)) menu.append(make("option", { value: keys[chosen].ease }, keys[chosen].ease));
      menu.value = keys[chosen].ease;
    }
    if (document.activeElement !== exact) exact.value = keys[chosen].values.map(value => typeof value === "number" ? plainNumber(value) : value).join(", ");
  }
  paint(found.each, keys);
}

function paint(each, keys) {
  const width = drawing.clientWidth, { low, high } = range ?? rangeOf(each, keys), isNumber = typeof keys[0].values[0] === "number";
  const y = value => isNumber ? top + (high - value) / (high - low) * (height - top - bottom) : height / 2;
  const lines = isNumber ? roundNumbers(low, high, isWhole(each) ? 1 : 0) : [];
  const parts = lines.flatMap(value => {
    const label = draw("text", { x: 4, y: y(value) - 3, class: "label" });
    label.textContent = plainNumber(value, 4);
    return [draw("path", { d: `M0 ${y(value)}H${width}`, class: "rule" }), label];
  });
  const { first, last } = span(), points = Math.max(2, Math.floor(width / 2));
  keys[0].values.forEach((_, component) => {
    if (!isNumber) return;
    let path = "", before = null;
    for (let i = 0; i <= points; i++) {
      const frame = first + (last - first) * i / points, value = valuesAt(keys, timeOfFrame(frame))[component], x = xOf(frame, width);
      if (before !== null && keys.some(key => key.ease === "hold" && key.time > timeOfFrame(first + (last - first) * (i - 1) / points) &&
        key.time <= timeOfFrame(frame))) path += `H${x.toFixed(1)}`;
      path += `${i ? "L" : "M"}${x.toFixed(1)} ${y(value).toFixed(1)}`;
      before = value;
    }
    parts.push(draw("path", { d: path, class: `line of-${componentName(each, component)}` }));
  });
  const headX = xOf(store.clock.frame, width).toFixed(1);
  parts.push(draw("path", { d: `M${headX} 0V${height}`, class: "head" }));
  const focused = drawing.contains(document.activeElement) ? document.activeElement.dataset : null;
  keys.forEach((key, index) => key.values.forEach((value, component) => {
    const x = xOf(keyFrame(key), width);
    const text = `${componentName(each, component)} ${typeof value === "number" ? plainNumber(value) : value} at ${timeText(frameAt(key.time), timeForm())}, ${key.ease}`;
    const element = draw("g", { class: `key of-${componentName(each, component)}${index === chosen ? " chosen" : ""}`, tabindex: "0", role: "button",
      "aria-label": `Key ${text}`, transform: `translate(${x.toFixed(1)} ${y(value).toFixed(1)})`,
      onkeydown: event => keyDown(event, index, component), onfocus: () => { if (chosen !== index) { chosen = index; later(); } } },
      draw("circle", { r: 12, class: "reach" }), draw("path", { d: "M0-5.5L5.5 0L0 5.5L-5.5 0Z" }), draw("title", {}));
    element.querySelector("title").textContent = text;
    element.dataset.key = index;
    element.dataset.component = component;
    parts.push(element);
  }));
  drawing.replaceChildren(...parts);
  if (focused) drawing.querySelector(`[data-key="${focused.key}"][data-component="${focused.component}"]`)?.focus();
}

/** Three to six round numbers of a range. */
function roundNumbers(low, high, least) {
  const rough = (high - low) / 4, size = 10 ** Math.floor(Math.log10(rough)), step = Math.max(least, [1, 2, 5, 10].find(factor => factor * size >= rough) * size);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

function componentName(each, component) {
  if ((each.components ?? 1) < 2) return "value";
  return (names[each.type] ?? ["x", "y", "z", "w"])[component];
}
