// Colors: a swatch and a text, and a picker with a field of saturation and brightness, hue, alpha, and exact numbers.
import { clamp, make } from "./dom.js";
import { endGesture } from "./history.js";
import { colorText, cssColor, hexText, kindOf, numbersOf, plainNumber } from "./value-text.js";

export function colorControl(each, set) {
  const count = each.components ?? 4;
  let numbers = Array(count).fill(1);
  const inside = make("i", {}), swatch = make("button",
    { type: "button", className: "color-swatch", "aria-label": `${each.label || each.name}: pick a color`, onclick: () => openPicker(swatch, each, numbers, set) },
    inside);
  const field = make("input", { type: "text", className: "number-field color-field", spellcheck: false, autocomplete: "off", "aria-label": each.label || each.name });
  const commit = () => {
    const text = field.value.trim();
    if (text === field.dataset.shown || text === "") { field.value = field.dataset.shown; return; }
    field.dataset.shown = text;
    set(kindOf(text) === "plain" && /^[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text) ? `#${text}` : text, false);
  };
  field.addEventListener("change", commit);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", event => {
    if (event.key === "Enter") { commit(); field.select(); }
    if (event.key === "Escape" && field.value !== field.dataset.shown) { event.stopPropagation(); field.value = field.dataset.shown; field.select(); }
  });
  return { element: make("div", { className: "control color" }, swatch, field), show(shown) {
    if (!shown) return;
    numbers = shown;
    inside.style.background = cssColor(shown);
    if (document.activeElement === field && field.value !== field.dataset.shown) return;
    // Shown as a person knows it; the picker has the exact numbers.
    field.value = field.dataset.shown = shown.every(number => number >= 0 && number <= 1) ? hexText(shown) : colorText(shown);
    if (open?.swatch === swatch) open.show(shown);
  } };
}

/** The picker that is open: there is one at a time. */
let open = null;

function openPicker(swatch, each, initial, set) {
  if (open?.swatch === swatch) { open.box.hidePopover(); return; }
  let [hue, saturation, brightness] = hsvOf(initial), alpha = initial[3] ?? 1;
  const count = initial.length;
  const mark = make("i", { className: "mark" });
  const field = make("div", { className: "color-area", tabIndex: 0, role: "slider", "aria-label": "Saturation and brightness; arrow keys change them" }, mark);
  const hues = make("input", { type: "range", className: "hues", min: 0, max: 360, step: "any", "aria-label": "Hue" });
  const alphas = count === 4 ? make("input", { type: "range", className: "alphas", min: 0, max: 1, step: "any", "aria-label": "Alpha" }) : null;
  const exact = ["R", "G", "B", "A"].slice(0, count).map((name, i) => make("input",
    { type: "text", inputMode: "decimal", className: "number-field", spellcheck: false, "aria-label": name, onchange: event => {
    const number = Number(event.target.value);
    if (!Number.isFinite(number)) { show(numbers()); return; }
    const next = numbers();
    next[i] = number;
    set(next, false);
  } }));
  const box = make("div", { className: "picker", popover: "auto", role: "dialog", "aria-label": `Color of ${each.label || each.name}` }, field,
    make("div", { className: "color-strips" }, hues, alphas),
    make("div", { className: "color-numbers" }, ...exact.map((input, i) => make("label", {}, "RGBA"[i], input))));
  let current = initial;
  const numbers = () => [...current];
  const push = () => { current = [...rgbOf(hue, saturation, brightness), alpha].slice(0, count).map(number => +plainNumber(number, 4)); paint(); set(current, true); };
  const paint = () => {
    field.style.background = `linear-gradient(to top, #000, transparent), linear-gradient(to right, #fff, hsl(${hue} 100% 50%))`;
    mark.style.left = `${saturation * 100}%`;
    mark.style.top = `${100 - clamp(brightness, 0, 1) * 100}%`;
    hues.value = hue;
    if (alphas) { alphas.value = alpha; alphas.style.setProperty("--color", cssColor(current.slice(0, 3))); }
    field.setAttribute("aria-valuetext", `saturation ${Math.round(saturation * 100)} %, brightness ${Math.round(brightness * 100)} %`);
    exact.forEach((input, i) => { if (document.activeElement !== input) input.value = plainNumber(current[i], 3); });
  };
  const show = next => {
    current = next;
    const [h, s, v] = hsvOf(next);
    // Gray has no hue, and black no saturation: the marks stay where the hand left them.
    if (s > 1e-3 && v > 1e-3) hue = h;
    if (v > 1e-3) saturation = s;
    brightness = v;
    alpha = next[3] ?? 1;
    paint();
  };
  const pick = event => {
    const area = field.getBoundingClientRect();
    saturation = clamp((event.clientX - area.left) / area.width, 0, 1);
    brightness = 1 - clamp((event.clientY - area.top) / area.height, 0, 1);
    push();
  };
  field.addEventListener("pointerdown", event => { field.setPointerCapture(event.pointerId); field.focus(); pick(event); });
  field.addEventListener("pointermove", event => { if (field.hasPointerCapture(event.pointerId)) pick(event); });
  field.addEventListener("pointerup", endGesture);
  field.addEventListener("keydown", event => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const size = event.shiftKey ? .1 : .01;
    saturation = clamp(saturation + step[0] * size, 0, 1);
    brightness = clamp(brightness + step[1] * size, 0, 1);
    push();
  });
  hues.addEventListener("input", () => { hue = +hues.value; push(); });
  hues.addEventListener("change", endGesture);
  alphas?.addEventListener("input", () => { alpha = +alphas.value; push(); });
  alphas?.addEventListener("change", endGesture);
  box.addEventListener("toggle", event => {
    if (event.newState !== "closed") return;
    endGesture();
    open = null;
    box.remove();
    if (document.activeElement === document.body) swatch.focus();
  });
  document.body.append(box);
  paint();
  box.showPopover();
  const at = swatch.getBoundingClientRect(), size = box.getBoundingClientRect();
  box.style.left = `${clamp(at.left - 8, 8, innerWidth - size.width - 8)}px`;
  box.style.top = `${at.bottom + 6 + size.height > innerHeight ? Math.max(8, at.top - size.height - 6) : at.bottom + 6}px`;
  open = { swatch, box, show };
  field.focus();
}

function hsvOf([r, g, b]) {
  const high = Math.max(r, g, b), span = high - Math.min(r, g, b);
  let hue = 0;
  if (span > 0) hue = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return [(hue * 60 + 360) % 360, high > 0 ? span / high : 0, high];
}

function rgbOf(hue, saturation, brightness) {
  const channel = n => { const k = (n + hue / 60) % 6; return brightness - brightness * saturation * clamp(Math.min(k, 4 - k), 0, 1); };
  return [channel(5), channel(3), channel(1)];
}
