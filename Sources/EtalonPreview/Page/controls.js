// A control for each type of parameter. Each is an element with `show(numbers, text)`, and calls `set(numbers or text, isMoving)` when a hand moves it.
import { angleControl } from "./angle-control.js";
import { colorControl } from "./color-control.js";
import { iconButton } from "./icons.js";
import { clamp, make } from "./dom.js";
import { endGesture, endKeyGesture } from "./history.js";
import { scaleOf, wideDigits, wideStep } from "./slider-scale.js";
import { digitsFor, isWhole, kindOf, limitOf, numbersOf, plainNumber } from "./value-text.js";

const componentNames = ["x", "y", "z", "w"];

/** Vectors that are colors by their name: ShaderToys have no other way to say it. */
function isColor({ type, name }) { return type === "color" || /^vec[34]$/.test(type) && /colou?r|tint|rgb/i.test(name); }

export function makeControl(each, set) {
  if (isColor(each)) return colorControl(each, set);
  switch (each.type) {
    case "float": case "int": case "uint": return numberControl(each, set);
    case "angle": return angleControl(each, set);
    case "bool": return switchControl(each, set);
    case "event": return eventControl(each, set);
    case "choice": return menuControl(each, set);
    case "text": return charactersControl(each, set);
    default: return /^[iu]?vec[234]$|^point$/.test(each.type) ? vectorControl(each, set) : textControl(each, set);
  }
}

function numberControl(each, set) {
  const low = limitOf(each.minimum, 0), high = limitOf(each.maximum, 0);
  const field = numberField(each, 0, (number, isMoving) => set([number], isMoving), text => set(text, false));
  if (low === null || high === null) return single(make("div", { className: "control number" }, field), numbers => field.show(numbers[0]));
  const slider = makeSlider(each, low, high, number => set([number], true));
  return single(make("div", { className: "control number" }, slider, field), numbers => { slider.show(numbers[0]); field.show(numbers[0]); });
}

function vectorControl(each, set) {
  const box = make("div", { className: `control vector of-${each.components}` }), current = Array(each.components).fill(0);
  const fields = current.map((_, i) => numberField(each, i, (number, isMoving) => { current[i] = number; set([...current], isMoving); }, text => {
    // A whole vector may be typed into any of its fields.
    if (numbersOf(text, each.components) && text.includes(",") || kindOf(text) !== "plain") set(text, false);
    else set(current.map((number, j) => j === i ? text : String(number)).join(","), false);
  }, componentNames[i]));
  box.append(...fields.map((field, i) => make("label", { className: "component" }, make("span", { "aria-hidden": "true" }, componentNames[i]), field)));
  return single(box, numbers => numbers.forEach((number, i) => { current[i] = number; fields[i].show(number); }));
}

function switchControl(each, set) {
  const input = make("input", { type: "checkbox", role: "switch", className: "switch", "aria-label": each.label || each.name,
    onchange: () => set(input.checked ? "true" : "false", false) });
  return single(make("div", { className: "control" }, input), numbers => { input.checked = numbers[0] !== 0; });
}

/** Something that happens: true while the button is held. */
function eventControl(each, set) {
  let isHeld = false;
  const hold = isDown => { if (isDown !== isHeld) { isHeld = isDown; set(String(isDown), false); } };
  // The pointer may be let go elsewhere, and the focus may go away under a key.
  const button = make("button", { type: "button", onpointerdown: event => { if (event.button === 0) { button.setPointerCapture(event.pointerId); hold(true); } },
    onlostpointercapture: () => hold(false), onblur: () => hold(false),
    onkeydown: event => { if (event.key === "Enter" || event.key === " ") hold(true); },
    onkeyup: event => { if (event.key === "Enter" || event.key === " ") hold(false); } }, "Trigger");
  return single(make("div", { className: "control" }, button), numbers => button.classList.toggle("active", numbers[0] !== 0));
}

function menuControl(each, set) {
  const menu = make("select", { "aria-label": each.label || each.name, onchange: () => set(menu.value, false) },
    ...(each.choices ?? []).map(({ value, label }) => make("option", { value: String(value) }, label ?? String(value))));
  return { element: make("div", { className: "control" }, menu), show(_, text) {
    const wanted = String(text ?? ""), found = (each.choices ?? []).find(({ value, label }) => String(value) === wanted || label === wanted || +value === +wanted &&
      wanted !== "");
    if (found) menu.value = String(found.value); else menu.selectedIndex = -1;
  } };
}

function textControl(each, set) {
  const field = make("input", { type: "text", spellcheck: false, "aria-label": each.label || each.name, onchange: () => set(field.value, false) });
  return { element: make("div", { className: "control" }, field), show(_, text) { if (document.activeElement !== field) field.value = text ?? ""; } };
}

/** A text of several lines: Enter begins a new one, and what was typed counts a moment after the last key. */
function charactersControl(each, set) {
  let waiting = null;
  const say = () => { clearTimeout(waiting); waiting = null; set(field.value, false); };
  const field = make("textarea", { rows: 1, spellcheck: false, className: "characters", "aria-label": each.label || each.name,
    oninput: () => { fit(); clearTimeout(waiting); waiting = setTimeout(say, 250); }, onchange: () => { if (waiting !== null) say(); } });
  const fit = () => { field.rows = Math.min(6, field.value.split("\n").length); };
  return { element: make("div", { className: "control" }, field), show(_, text) {
    if (document.activeElement !== field) { field.value = text ?? ""; fit(); }
  } };
}

/** A control that cannot show what is no numbers. */
function single(element, show) { return { element, show(numbers) { if (numbers) show(numbers); } }; }

// Parts that controls share

/** What the arrow keys add to a value: its step, a hundredth of its range, or a tenth to a hundredth of what it usually is. */
function stepOf(each, event, number = 0) {
  const usual = each.step || usualStep(each, number);
  if (event.shiftKey) return usual * 10;
  return event.altKey && !each.step && !isWhole(each) ? usual / 10 : usual;
}

/** What three pixels of dragging add to a value: a step, or a tenth of it with Shift, where a value may lie between steps. */
function dragStepOf(each, event, number) {
  const usual = each.step || usualStep(each, number);
  return event.shiftKey && !each.step && !isWhole(each) ? usual / 10 : usual;
}

function usualStep(each, number) {
  const low = limitOf(each.minimum, 0), high = limitOf(each.maximum, 0), size = Math.max(...(numbersOf(each.default, each.components ?? 1) ?? [0]).map(Math.abs));
  if (isWhole(each)) return 1;
  const scale = scaleOf(each);
  if (scale.isWide) return wideStep(scale, number);
  if (each.unit === "px" || each.unit === "deg" || each.type === "angle") return 1;
  if (each.unit === "normalized") return .01;
  if (low !== null && high !== null) return (high - low) / 100;
  return size > 0 ? 10 ** Math.max(-4, Math.floor(Math.log10(size)) - 1) : .01;
}

export function bounded(each, component, number) {
  const low = limitOf(each.minimum, component), high = limitOf(each.maximum, component);
  let value = number;
  if (each.step) value = (low ?? 0) + Math.round((value - (low ?? 0)) / each.step) * each.step;
  if (isWhole(each)) value = Math.round(value);
  return +plainNumber(clamp(value, low ?? -Infinity, high ?? Infinity), 7);
}

/** How wide the thumb of a slider is, in pixels, as the style says. */
const thumb = 13;

/** How many digits a value is shown with. */
function digitsAt(each, scale, number) { return scale.isWide && !each.step ? wideDigits(each, scale, number) : digitsFor(each); }

/**
 * A slider whose arrow keys go by the steps of the parameter; the mark is its default.
 *
 * The thumb lies at the part of the way that the scale of the range gives, so that wide ranges are fine where values usually lie. While it is
 * dragged with Shift it moves a tenth as far as the pointer.
 */
function makeSlider(each, low, high, set) {
  const scale = scaleOf(each), slider = make("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": each.label || each.name });
  let number = low, drag = null;
  const place = part => {
    slider.value = part;
    // Parts of the way of the thumb's middle, which the style turns into lengths.
    slider.style.setProperty("--fill", String(part));
  };
  slider.show = shown => {
    number = shown;
    const unit = each.unit === "px" || each.unit === "deg" || each.unit === "s" ? ` ${each.unit}` : "";
    slider.setAttribute("aria-valuetext", `${plainNumber(number, digitsAt(each, scale, number))}${unit}`);
    // The thumb stays under a hand that moves it between two values.
    if (!drag) place(scale.toPart(number));
  };
  const usual = numbersOf(each.default, each.components ?? 1);
  if (usual) slider.style.setProperty("--default", String(scale.toPart(usual[0])));
  const moveTo = (part, isFine) => {
    place(part);
    const value = scale.fromPart(part), digits = digitsAt(each, scale, value) + (isFine && !isWhole(each) ? 1 : 0);
    set(bounded(each, 0, +plainNumber(value, Math.min(digits, 6))));
  };
  slider.addEventListener("input", () => moveTo(+slider.value, false));
  slider.addEventListener("change", endGesture);
  slider.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    event.preventDefault();
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    // The middle of the thumb goes from half its width to half its width before the end.
    const box = slider.getBoundingClientRect(), way = Math.max(1, box.width - thumb), pressed = (event.clientX - box.left - thumb / 2) / way;
    // A thumb that is taken stays where it is; a press beside it, without Shift, brings it there.
    const isTaken = Math.abs(pressed - +slider.value) * way <= thumb / 2 || event.shiftKey;
    drag = { x: event.clientX, way, part: isTaken ? +slider.value : clamp(pressed, 0, 1) };
    if (!isTaken) moveTo(drag.part, false);
  });
  slider.addEventListener("pointermove", event => {
    if (!drag) return;
    const part = drag.part + (event.clientX - drag.x) / drag.way * (event.shiftKey ? .1 : 1);
    Object.assign(drag, { x: event.clientX, part });
    moveTo(clamp(part, 0, 1), event.shiftKey);
  });
  const letGo = () => {
    if (!drag) return;
    drag = null;
    place(scale.toPart(number));
    endGesture();
  };
  slider.addEventListener("pointerup", letGo);
  slider.addEventListener("pointercancel", letGo);
  slider.addEventListener("keydown", event => {
    const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key], end = { Home: low, End: high }[event.key];
    if (!sign && end === undefined) return;
    event.preventDefault();
    const next = end ?? bounded(each, 0, number + sign * stepOf(each, event, number));
    slider.show(next);
    set(next);
  });
  slider.addEventListener("keyup", endKeyGesture);
  return slider;
}

/**
 * A field for one number: typed, stepped with the arrow keys, or dragged to the sides.
 *
 * What is typed goes to the server as it is, so that it answers in its own words; expressions and keyframes can be typed anywhere.
 */
export function numberField(each, component, set, setText, name = "") {
  const scale = scaleOf(each, component), label = `${each.label || each.name}${name ? ` ${name}` : ""}`;
  const field = make("input", { type: "text", className: "number-field", inputMode: "decimal", spellcheck: false, autocomplete: "off", "aria-label": label });
  let shown = 0, scrub = null;
  field.show = number => {
    shown = number;
    if (document.activeElement === field && !scrub && field.value !== field.dataset.shown) return;
    const digits = digitsAt(each, scale, number);
    field.value = field.dataset.shown = plainNumber(number,
      Math.max(digits, Math.min(6, String(number).split(".")[1]?.length ?? 0) > digits ? Math.min(digits + 1, 6) : digits));
  };
  const commit = () => {
    const text = field.value.trim();
    if (text === field.dataset.shown || text === "") { field.value = field.dataset.shown ?? ""; return; }
    field.dataset.shown = text;
    setText(text);
  };
  field.addEventListener("change", commit);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", event => {
    if (event.key === "Enter") { commit(); field.select(); }
    if (event.key === "Escape" && field.value !== field.dataset.shown) { event.stopPropagation(); field.value = field.dataset.shown ?? ""; field.select(); }
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    const typed = Number(field.value), from = Number.isFinite(typed) && field.value.trim() !== "" ? typed : shown;
    const number = bounded(each, component, from + sign * stepOf(each, event, from));
    field.dataset.shown = field.value = plainNumber(number, 6);
    set(number, true);
  });
  field.addEventListener("keyup", event => { if (event.key.startsWith("Arrow")) endKeyGesture(); });
  field.addEventListener("pointerdown", event => {
    if (event.button !== 0 || document.activeElement === field) return;
    event.preventDefault();
    scrub = { x: event.clientX, from: shown, way: 0, isMoving: false };
    field.setPointerCapture(event.pointerId);
  });
  field.addEventListener("pointermove", event => {
    if (!scrub) return;
    const distance = event.clientX - scrub.x;
    if (!scrub.isMoving && Math.abs(distance) < 4) return;
    // Whole steps are added, so that Shift may be pressed and let go on the way; of a wide range they grow with the value.
    const steps = Math.trunc((distance - scrub.way) / 3);
    scrub.isMoving = true;
    if (!steps) return;
    scrub.way += steps * 3;
    for (let i = 0; i < Math.abs(steps); i++) scrub.from = bounded(each, component, scrub.from + Math.sign(steps) * dragStepOf(each, event, scrub.from));
    set(scrub.from, true);
  });
  const letGo = isTap => {
    if (scrub && !scrub.isMoving && isTap) field.focus();
    scrub = null;
    endGesture();
  };
  field.addEventListener("pointerup", () => letGo(true));
  field.addEventListener("pointercancel", () => letGo(false));
  return field;
}

/** A field for a text that is worked out on each frame: an expression, keyframes, a track. */
export function formulaField(each, setText, plain) {
  const field = make("textarea", { className: "formula", rows: 1, spellcheck: false, autocomplete: "off",
    "aria-label": `${each.label || each.name}, worked out on each frame` });
  const grow = () => { field.style.height = "auto"; field.style.height = `${Math.min(120, field.scrollHeight + 2)}px`; };
  const commit = () => { if (field.value.trim() !== field.dataset.shown) { field.dataset.shown = field.value.trim(); setText(field.value.trim()); } };
  field.addEventListener("input", grow);
  field.addEventListener("change", commit);
  field.addEventListener("keydown", event => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); commit(); }
    if (event.key === "Escape" && field.value !== field.dataset.shown) { event.stopPropagation(); field.value = field.dataset.shown ?? ""; grow(); }
  });
  const element = make("div", { className: "control formula-control" }, field, iconButton("close", "Back to a plain value", plain));
  return { element, field, show(text) {
    if (document.activeElement === field && field.value.trim() !== field.dataset.shown) return;
    field.value = field.dataset.shown = text ?? "";
    grow();
  } };
}
