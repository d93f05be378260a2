// Undo, redo, reset, A and B: all are sets of values that are sent again.
import { newestNumber, send, sendLatest, takeRefusal } from "./connection.js";
import { on, parameter, store, tell } from "./store.js";
import { isSameValue } from "./value-text.js";

const past = [], future = [];
const deepest = 200;
/** The change that goes on while a slider is held: however many moves it takes, it is undone as one. */
let gesture = null;
const sides = { a: null, b: null };
export let side = "a";
/** The numbers of the newest messages about each parameter: answers about older ones are out of date. */
const newest = new Map();

export function startHistory() {
  on("values", takeOver);
  on("refused", refuse);
  on("state", takeState);
}

/** Sets a parameter. `isMoving` is for moves of a gesture, which are thrown together in one message for each picture of the screen. */
export function setValue(name, text, { isMoving = false } = {}) {
  remember(name, text, isMoving);
  store.refusals.delete(name);
  store.values.set(name, text);
  const message = { do: "set", name, value: text };
  if (isMoving) sendLatest(`set ${name}`, message); else newest.set(name, send(message));
  tell("value", { name, isMoving });
}

export function endGesture() { gesture = null; }

/** Taps of a key that follow each other closely are one gesture. */
export function endKeyGesture() { if (gesture) gesture.end = performance.now() + 900; }

export function resetValue(name) { setValues(new Map([[name, parameter(name).default]])); }

export function resetAll() {
  const changed = (store.state?.parameters ?? []).filter(each => !isSameValue(store.values.get(each.name), each.default, each));
  if (changed.length) setValues(new Map(changed.map(each => [each.name, each.default])));
}

/** Sets several at once: one message, one step to undo. */
export function setValues(texts) {
  gesture = null;
  const before = new Map([...texts.keys()].map(name => [name, store.values.get(name)]));
  push({ before, after: new Map(texts) });
  apply(texts);
}

export function undo() { step(past, future, "before"); }
export function redo() { step(future, past, "after"); }
export function canUndo() { return past.length > 0; }
export function canRedo() { return future.length > 0; }

/** Shows the other of two sets; the first time both are the same, so that B begins where A is. */
export function switchSide() {
  const current = new Map(store.values);
  sides[side] = current;
  side = side === "a" ? "b" : "a";
  const other = sides[side] ?? current, changed = new Map([...other].filter(([name, text]) => store.values.get(name) !== text));
  if (changed.size) setValues(changed);
  tell("side", side);
}

/** Makes the side that is not shown like the one that is. */
export function copySide() {
  sides[side === "a" ? "b" : "a"] = new Map(store.values);
  tell("side", side);
}

/** How many values differ between both sides. */
export function sideDifferences() {
  const other = sides[side === "a" ? "b" : "a"];
  return other ? [...store.values].filter(([name, text]) => other.get(name) !== text).length : 0;
}

function remember(name, text, isMoving) {
  if (isMoving && gesture?.name === name && !(gesture.end < performance.now())) { gesture.entry.after.set(name, text); gesture.end = undefined; return; }
  const entry = { before: new Map([[name, store.values.get(name)]]), after: new Map([[name, text]]) };
  push(entry);
  gesture = isMoving ? { name, entry } : null;
}

function push(entry) {
  past.push(entry);
  if (past.length > deepest) past.shift();
  future.length = 0;
  tell("history");
}

function step(from, to, which) {
  gesture = null;
  const entry = from.pop();
  if (!entry) return;
  to.push(entry);
  apply(entry[which]);
  tell("history");
}

function apply(texts) {
  const values = {};
  for (const [name, text] of texts) {
    const known = parameter(name);
    if (!known) continue;
    // The default is asked for by taking the value away, so that it stays the default when the file changes.
    values[name] = isSameValue(text, known.default, known) ? null : text;
    store.values.set(name, text);
    store.refusals.delete(name);
  }
  const number = send({ do: "values", values });
  for (const name of Object.keys(values)) { newest.set(name, number); tell("value", { name, isMoving: false }); }
}

/** Whether the server spoke before it heard of the newest change of a parameter. */
function isOlder(number, name) { return Math.max(newest.get(name) ?? 0, newestNumber(`set ${name}`)) > (number ?? Infinity); }

/** Values as the server has them; those that this page has changed since are left alone. */
function takeOver({ values, number }) {
  for (const [name, text] of Object.entries(values)) {
    if (isOlder(number, name)) continue;
    // What was refused stays in its field, to be mended there.
    if (text === null || store.values.get(name) === text || store.refusals.has(name)) continue;
    store.values.set(name, text);
    tell("value", { name, isMoving: false, isFromServer: true });
  }
}

function refuse({ number, name, text, help, code }) {
  const action = takeRefusal(number);
  if (action) { action({ text, help, code }); return; }
  if (name === null || name === undefined || !parameter(name)) {
    // What the diagnostics say already is not said again.
    if (!store.diagnostics.some(({ message }) => text.includes(message))) tell("notice", { text, help, tone: "bad" });
    return;
  }
  if (isOlder(number, name)) return;
  store.refusals.set(name, { text, help, value: store.values.get(name) });
  tell("value", { name, isMoving: false, isFromServer: true });
}

function takeState(state) {
  store.state = state;
  newest.clear();
  store.refusals.clear();
  const held = gesture && store.values.get(gesture.name);
  store.values = new Map(state.parameters.map(each => [each.name, each.value ?? each.default]));
  // What a hand holds stays in it.
  if (gesture && parameter(gesture.name)) store.values.set(gesture.name, held);
  if (!parameter(store.selected)) store.selected = null;
  tell("subject", state);
}
