// The bar of time: dragged to scrub, with the loop's marks, keys of the selected parameter, and ticks in round numbers.
import { byId, clamp, draw } from "./dom.js";
import { kindOf } from "./value-text.js";
import { keyFrame, parseKeyframes } from "./keyframes.js";
import { on, parameter, store } from "./store.js";
import { firstFrame, lastFrame, timeOfFrame, timeText } from "./times.js";
import { marks, seek, setMark, step, timeForm } from "./transport.js";

let bar, ticks, head, band, keys, held = null, isWaiting = false;

export function startScrubber() {
  bar = byId("scrubber");
  band = draw("rect", { class: "band", y: 0, height: 30 });
  ticks = draw("g", { class: "ticks" });
  keys = draw("g", { class: "keys" });
  head = draw("g", { class: "head" }, draw("path", { d: "M0 0V30", class: "line" }), draw("path", { d: "M-5 0H5V5L0 11L-5 5Z", class: "cap" }));
  const mark = which => draw("path", { class: `mark ${which}`, d: which === "in" ? "M6 1H0V29H6V26H3V4H6Z" : "M-6 1H0V29H-6V26H-3V4H-6Z" });
  band.marks = { in: mark("in"), out: mark("out") };
  bar.replaceChildren(band, ticks, keys, band.marks.in, band.marks.out, head);
  bar.addEventListener("pointerdown", press);
  bar.addEventListener("pointermove", move);
  bar.addEventListener("pointerup", () => held = null);
  bar.addEventListener("pointercancel", () => held = null);
  bar.addEventListener("keydown", keyDown);
  new ResizeObserver(later).observe(bar);
  for (const name of ["time", "subject", "selected", "value", "frame"]) on(name, later);
}

/** What the bar shows, in frames; shots without an end get room for ten seconds, and more as they go on. */
export function span() {
  const first = firstFrame(), last = lastFrame(), rate = store.state?.rate ?? 24;
  if (last !== null) return { first, last: Math.max(last, first + 1) };
  const needed = Math.max(store.clock.frame - first, (marks.out ?? first) - first);
  let seconds = 10;
  while (seconds * rate < needed * 1.02) seconds *= 2;
  return { first, last: first + Math.round(seconds * rate) };
}

const margin = 10;
export function xOf(frame, width) { const { first, last } = span(); return margin + (frame - first) / (last - first) * (width - 2 * margin); }
export function frameOf(x, width) { const { first, last } = span(); return clamp(Math.round(first + (x - margin) / (width - 2 * margin) * (last - first)), first, last); }

function press(event) {
  if (event.button !== 0) return;
  event.preventDefault();
  bar.focus();
  bar.setPointerCapture(event.pointerId);
  const x = event.clientX - bar.getBoundingClientRect().left, width = bar.clientWidth;
  const near = which => marks[which] !== null && Math.abs(xOf(marks[which], width) - x + (which === "in" ? -2 : 2)) < 6;
  const isHead = Math.abs(xOf(store.clock.frame, width) - x) < 5 && event.offsetY < 14;
  held = isHead ? "head" : near("in") ? "in" : near("out") ? "out" : "head";
  if (held === "head") move(event);
}

function move(event) {
  if (!held) return;
  const frame = frameOf(event.clientX - bar.getBoundingClientRect().left, bar.clientWidth);
  if (held === "head") { if (frame !== store.clock.frame) seek(frame); return; }
  const other = held === "in" ? marks.out : marks.in;
  if (held === "in" ? frame < other : frame > other) setMark(held, frame);
}

function keyDown(event) {
  const size = event.shiftKey ? 10 : 1;
  const action = { ArrowLeft: () => step(-size), ArrowRight: () => step(size), ArrowDown: () => step(-size), ArrowUp: () => step(size), PageDown: () => step(-10),
    PageUp: () => step(10),
    Home: () => seek(firstFrame()), End: () => seek(span().last) }[event.key];
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function later() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; show(); });
}

let shownTicks = "";
function show() {
  if (!store.state) return;
  const width = bar.clientWidth, { first, last } = span();
  const scale = `${width} ${first} ${last} ${timeForm()} ${store.state.rate}`;
  if (scale !== shownTicks) { shownTicks = scale; showTicks(width, first, last); }
  const now = clamp(store.clock.frame, first, last);
  head.setAttribute("transform", `translate(${xOf(now, width).toFixed(2)} 0)`);
  for (const which of ["in", "out"]) {
    band.marks[which].style.display = marks[which] === null ? "none" : "";
    if (marks[which] !== null) band.marks[which].setAttribute("transform", `translate(${xOf(marks[which], width)} 0)`);
  }
  const hasBand = marks.in !== null && marks.out !== null;
  band.style.display = hasBand ? "" : "none";
  bar.classList.toggle("looping", marks.isOn);
  if (hasBand) { band.setAttribute("x", xOf(marks.in, width)); band.setAttribute("width", Math.max(0, xOf(marks.out, width) - xOf(marks.in, width))); }
  showKeys(width);
  bar.setAttribute("aria-valuemin", String(first));
  bar.setAttribute("aria-valuemax", String(last));
  bar.setAttribute("aria-valuenow", String(now));
  bar.setAttribute("aria-valuetext", `${timeText(now, timeForm())}, frame ${now}`);
}

function showTicks(width, first, last) {
  const rate = store.state.rate ?? 24, isFrames = timeForm() === "frames";
  // Round numbers of frames or seconds, at least 70 pixels apart.
  const least = (last - first) * 70 / Math.max(1, width - 2 * margin);
  const steps = isFrames ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000]
    : [1, 2].concat([.1, .2, .25, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].map(seconds => seconds * rate).filter(frames => frames > 2));
  const size = steps.find(step => step >= least) ?? steps.at(-1), parts = [];
  const minor = size / 5 >= 1 ? size / 5 : size;
  for (let i = 0; first + i * minor <= last + 1e-6; i++) {
    const frame = first + i * minor, x = xOf(frame, width), isMajor = i % Math.round(size / minor) === 0;
    parts.push(draw("path", { d: `M${x.toFixed(1)} 30v${isMajor ? -9 : -4}` }));
    if (!isMajor || x > width - 34) continue;
    const label = draw("text", { x: (x + 3).toFixed(1), y: 27 });
    label.textContent = isFrames ? String(Math.round(frame)) : timeForm() === "timecode" ? timeText(Math.round(frame),
      "timecode") : `${+timeOfFrame(frame).toFixed(2)} s`;
    parts.push(label);
  }
  ticks.replaceChildren(...parts);
}

function showKeys(width) {
  const each = parameter(store.selected), text = each && store.values.get(each.name), found = each && kindOf(text, each) === "keyframes" ? parseKeyframes(text, each) : null;
  const frames = found?.map(keyFrame) ?? [], wanted = frames.join();
  if (keys.dataset.shown === `${wanted} ${width} ${shownTicks}`) return;
  keys.dataset.shown = `${wanted} ${width} ${shownTicks}`;
  keys.replaceChildren(...frames.map(frame => draw("path", { d: "M0-4L4 0L0 4L-4 0Z", transform: `translate(${xOf(frame, width).toFixed(1)} 7)` })));
}
