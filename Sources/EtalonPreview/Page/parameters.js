// The panel of values: a row for each parameter with its control, what was refused, and buttons for keys, formulas and the default.
import { byId, make, setPressed, setText } from "./dom.js";
import { formulaField, makeControl } from "./controls.js";
import { resetValue, setValue } from "./history.js";
import { iconButton, setIcon } from "./icons.js";
import { keyFrame, keyframesText, parseKeyframes, valuesAt, withKey } from "./keyframes.js";
import { scaleOf } from "./slider-scale.js";
import { on, parameter, select, store } from "./store.js";
import { colorText, digitsFor, isSameValue, kindOf, numbersOf, vectorText } from "./value-text.js";

let list, search, help;
const rows = new Map();
let builtFrom = "";

export function startParameters() {
  list = byId("parameter-list");
  search = byId("parameter-search");
  help = byId("parameter-help");
  search.addEventListener("input", filter);
  search.addEventListener("keydown", event => { if (event.key === "Escape") { search.value = ""; filter(); list.querySelector("input, button")?.focus(); } });
  on("subject", build);
  on("problem", () => { if (store.state && rows.size === 0) { builtFrom = ""; build(); } });
  on("value", ({ name }) => rows.get(name)?.update());
  on("selected", () => { for (const [name, row] of rows) row.element.classList.toggle("selected", name === store.selected); showHelp(store.selected); });
  // Values that move go with the picture on the page, not with the clock.
  on("frame", () => { for (const row of rows.values()) if (row.isAnimated) row.update(); });
}

/** What a parameter is at the play head, as numbers; null where only the renderer knows. */
export function currentNumbers(each) {
  const text = store.values.get(each.name), kind = kindOf(text, each);
  if (each.type === "text") return null;
  if (kind === "keyframes") {
    const keys = parseKeyframes(text, each);
    const values = keys?.length ? valuesAt(keys, store.clock.time) : null;
    return values && typeof values[0] === "number" ? values : null;
  }
  return kind === "plain" ? numbersOf(text, each.components ?? 1, each.type === "color") : null;
}

/** Numbers of a parameter as its text. */
function textOf(each, numbers) {
  return each.type === "color" ? colorText(numbers) : vectorText(numbers, scaleOf(each).isWide ? 6 : Math.max(4, digitsFor(each)));
}

/** Gives a parameter a value at the play head: a plain one, or a key where it has keys. */
function setNumbers(each, numbers, isMoving) {
  const text = store.values.get(each.name);
  if (kindOf(text) === "keyframes") {
    const keys = parseKeyframes(text, each);
    if (keys) { setValue(each.name, keyframesText(withKey(keys, store.clock.frame, numbers, each), each), { isMoving }); return; }
  }
  setValue(each.name, textOf(each, numbers), { isMoving });
}

/** Gives a parameter a text at the play head: a key where it has keys. */
function setCharacters(each, value) {
  const text = store.values.get(each.name), keys = kindOf(text, each) === "keyframes" && kindOf(value, each) === "plain" ? parseKeyframes(text, each) : null;
  setValue(each.name, keys ? keyframesText(withKey(keys, store.clock.frame, [value], each), each) : value);
}

/** Sets a key at the play head, or takes the one there away. */
export function toggleKey(name) {
  const each = parameter(name), text = store.values.get(name);
  if (!each) return;
  const frame = store.clock.frame, keys = kindOf(text, each) === "keyframes" ? parseKeyframes(text, each) : [];
  if (!keys) return;
  select(name);
  if (keys.some(key => keyFrame(key) === frame)) {
    const rest = keys.filter(key => keyFrame(key) !== frame);
    // The last key leaves its value behind.
    setValue(name, rest.length ? keyframesText(rest, each) : plainText(each, keys[0].values));
    return;
  }
  const values = keys.length ? valuesAt(keys, store.clock.time) : currentNumbers(each) ?? (kindOf(text, each) === "plain" ? [text] : numbersOf(each.default,
    each.components ?? 1, each.type === "color"));
  if (values) setValue(name, keyframesText(withKey(keys, frame, values, each), each));
}

function plainText(each, values) { return typeof values[0] === "number" ? textOf(each, values) : String(values[0]); }

// Rows

function build() {
  const description = JSON.stringify(store.state.parameters.map(({ value, isSet, keyframes, animated, ...rest }) => rest));
  search.parentNode.hidden = store.state.parameters.length < 8;
  if (description === builtFrom) { for (const row of rows.values()) row.update(); return; }
  const focused = document.activeElement?.closest?.(".parameter")?.dataset.name;
  builtFrom = description;
  rows.clear();
  const groups = new Map();
  for (const each of store.state.parameters) {
    const row = makeRow(each), group = [each.node, each.group, each.constant ? "constants of the text" : null].filter(Boolean).join(" · ");
    rows.set(each.name, row);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(row.element);
  }
  const nothing = make("p", { className: "nothing" }, ...withoutSubject() ?? ["Nothing to set: this file has no parameters. ",
    /shadertoy/i.test(store.state.dialect) ? "Constants at its top, such as #define SPEED 0.5, appear here." : ""]);
  list.replaceChildren(...(groups.size ? [...groups].map(([name, elements]) => name === "" ? make("div", {}, ...elements)
    : make("details", { open: true, className: "group" }, make("summary", {}, name), ...elements)) : [nothing]));
  filter();
  if (focused) rows.get(focused)?.element.querySelector("input, select, button, textarea")?.focus();
  showHelp(store.selected);
}

/** What is wrong, in the place of what cannot be said about a subject that is not there; null where there is one. */
export function withoutSubject() {
  const { problem } = store;
  return problem && ["Nothing can be rendered yet: ", problem.message, problem.help ? ` (${problem.help.split("\n")[0]})` : "", ". The page goes on as soon as that is mended."];
}

function makeRow(each) {
  const set = (value, isMoving) => {
    if (each.type === "text") { setCharacters(each, value); return; }
    // A plain value that is typed where keys are is one of them, too.
    const numbers = typeof value === "string" && kindOf(value) === "plain" &&
      kindOf(store.values.get(each.name)) === "keyframes" ? numbersOf(value, each.components ?? 1, each.type === "color") : null;
    if (typeof value === "string" && !numbers) setValue(each.name, value, { isMoving }); else setNumbers(each, numbers ?? value, isMoving);
  };
  const control = makeControl(each, set);
  const toPlain = () => {
    if (isTyping) { isTyping = false; row.update(); return; }
    const numbers = currentNumbers(each); setValue(each.name, numbers ? textOf(each, numbers) : each.default);
  };
  const formula = formulaField(each, text => setValue(each.name, text), toPlain);
  let isTyping = false;
  const key = iconButton("key", "Set a key at the play head", () => toggleKey(each.name), { className: "icon-button key-button" });
  const fx = iconButton("formula", "Type an expression", () => {
    select(each.name);
    if (kindOf(store.values.get(each.name), each) !== "plain") { formula.field.focus(); return; }
    isTyping = !isTyping;
    row.update();
    if (isTyping) { formula.field.focus(); formula.field.setSelectionRange(1, formula.field.value.length - 1); }
  });
  const reset = iconButton("reset", "Back to the default", () => { isTyping = false; resetValue(each.name); });
  const label = make("span", { className: "name", title: each.label && each.label !== each.name ? `${each.label} (${each.name})` : each.name,
    ondblclick: () => resetValue(each.name), onclick: () => select(each.name) }, each.label || each.name);
  const refusal = make("p", { className: "refusal", role: "alert" });
  const element = make("div", { className: `parameter type-${each.type}`, role: "group", "aria-label": each.label || each.name, onfocusin: () => select(each.name),
    onpointerenter: () => showHelp(each.name), onpointerleave: () => showHelp(store.selected) },
    label, control.element, formula.element, make("span", { className: "row-buttons" }, key, fx, reset), refusal);
  element.dataset.name = each.name;
  const row = { element, isAnimated: false, update() {
    const text = store.values.get(each.name), kind = kindOf(text, each), refused = store.refusals.get(each.name);
    const keys = kind === "keyframes" ? parseKeyframes(text, each) : null, isFormula = kind === "expression" || kind === "track" || (kind === "keyframes" && !keys);
    if (isFormula) isTyping = false;
    row.isAnimated = Boolean(keys);
    control.element.hidden = isFormula || isTyping;
    formula.element.hidden = !(isFormula || isTyping);
    if (isTyping && document.activeElement !== formula.field) formula.show(`(${text})`); else if (isFormula) formula.show(text);
    else control.show(currentNumbers(each), keys?.length ? String(valuesAt(keys, store.clock.time)[0]) : text);
    const hasKey = Boolean(keys?.some(candidate => keyFrame(candidate) === store.clock.frame));
    element.classList.toggle("animated", Boolean(keys));
    element.classList.toggle("changed", !isSameValue(text, each.default, each));
    element.classList.toggle("refused", Boolean(refused));
    // Constants are compiled in, and cannot change from frame to frame.
    key.disabled = isFormula || each.constant;
    fx.disabled = Boolean(each.constant) || each.type === "text";
    key.classList.toggle("here", hasKey);
    setIcon(key, "key", hasKey ? "Take the key at the play head away" : "Set a key at the play head", "K");
    setPressed(fx, isFormula || isTyping);
    reset.disabled = !element.classList.contains("changed") && !refused;
    showRefusal(refusal, refused);
    for (const field of element.querySelectorAll(".control input, .control textarea, .control select")) field.setAttribute("aria-invalid", String(Boolean(refused)));
  } };
  row.update();
  return row;
}

function showRefusal(element, refused) {
  element.hidden = !refused;
  const key = refused ? `${refused.text}\n${refused.help}` : "";
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  if (refused) element.replaceChildren(...refusalParts(refused)); else element.replaceChildren();
}

/** The words of the command: its sentence, its excerpt with the caret in place, its help. */
export function refusalParts({ text, help }) {
  const lines = text.replace(/\s+$/, "").split("\n"), rest = lines.slice(1).join("\n");
  return [make("span", {}, lines[0].replace(/^<--set>:\d+:\d+: (error: )?/, "")), rest ? make("code", { tabIndex: 0 }, rest) : null,
    help && !rest.includes(help) ? make("span", {}, `help: ${help}`) : null].filter(Boolean);
}

function filter() {
  const words = search.value.trim().toLowerCase();
  for (const [name, { element }] of rows) {
    const each = parameter(name);
    element.hidden = words !== "" && !`${name} ${each?.label ?? ""} ${each?.node ?? ""}`.toLowerCase().includes(words);
  }
  for (const group of list.querySelectorAll("details.group")) group.hidden = ![...group.querySelectorAll(".parameter")].some(element => !element.hidden);
}

/** One place for what a parameter is about, so that rows stay one line tall. */
function showHelp(name) {
  const each = parameter(name);
  help.classList.toggle("empty", !each);
  if (!each) { help.replaceChildren(make("span", {}, "Choose a parameter to read what it does. ? shows all keys.")); return; }
  const length = each.length ? `at most ${each.length} characters` : null;
  const limits = [each.minimum, each.maximum].map(limit => limit === null || limit === undefined ? null : [limit].flat().join(","));
  const range = limits[0] !== null && limits[1] !== null ? `${limits[0]} to ${limits[1]}` : limits[0] !== null ? `from ${limits[0]}` : limits[1] !== null ? `up to ${limits[1]}` : "any value";
  const facts = [each.type, each.type === "bool" || each.type === "choice" || each.type === "text" ? length : range, each.step ? `in steps of ${each.step}` : null,
    each.unit, each.constant ? "a constant: compiled anew for each value" : null, each.clock ? "follows the clock until it is set" : null, `default ${each.type === "text" ? JSON.stringify(each.default) : each.default}`,
      each.identity !== null && each.identity !== undefined ? `no effect at ${each.identity}` : null].filter(Boolean);
  help.replaceChildren(make("b", {}, each.name), make("span", {}, facts.join(" · ")), each.help ? make("p", {}, each.help) : "");
}

export function focusSearch() { if (search.parentNode.hidden) list.querySelector("input, button")?.focus(); else { search.focus(); search.select(); } }