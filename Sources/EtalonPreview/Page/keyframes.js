// Keyframes: read from the text that the command takes, changed, and written again; and what they give at a time.
import { frameAt, timeOfFrame } from "./times.js";
import { isWhole, numbersOf, plainNumber } from "./value-text.js";

export const easings = ["linear", "hold", ...["sine", "quad", "cubic", "quart", "quint", "expo", "circ", "back", "elastic", "bounce"]
  .flatMap(curve => ["in", "out", "in-out"].map(direction => `${curve}-${direction}`))];

/** Types that have nothing in between. */
export function holds(type) { return isWhole({ type }) || type === "bool" || type === "choice" || type === "text"; }

/**
 * The keys of `{0s: 1, 24f: {value: 2, ease: hold}}`: `time` in seconds, `frame` where one was named, `values` by component, `ease`; and `written`,
 * the words for time and value, so that keys that are not changed are written again as they were.
 *
 * Null where the text is no keyframes, or has keys for each component by itself: that is left to the text.
 */
export function parseKeyframes(text, { components = 1, type }) {
  const map = readMap(text.trim());
  if (!map) return null;
  const keys = [];
  for (const [name, body, nameText] of map) {
    const when = keyTime(name);
    if (!when) return null;
    let value = body, ease = holds(type) ? "hold" : "linear";
    if (body.startsWith("{")) {
      const members = new Map(readMap(body) ?? []);
      if (!members.has("value")) return null;
      value = members.get("value");
      ease = unquoted(members.get("ease") ?? ease);
    }
    const plain = unquoted(value), values = type === "text" || type === "choice" ? [plain] : numbersOf(plain, components, type === "color");
    if (!values) return null;
    keys.push({ ...when, values, ease, written: { ...when, values, when: nameText, value } });
  }
  return keys.sort((a, b) => a.time - b.time);
}

/** Writes keys as the command reads them; times and values that were not changed keep their words. */
export function keyframesText(keys, { components = 1, type }) {
  const usual = holds(type) ? "hold" : "linear";
  const word = value => typeof value === "number" ? plainNumber(value, 6) : /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
  const entries = keys.map(key => {
    const { written } = key, isSameTime = written?.time === key.time && written.frame === key.frame;
    const when = isSameTime ? written.when : key.frame !== undefined ? `${key.frame}f` : `${plainNumber(key.time, 6)}s`;
    const isSameValue = written?.values.every((number, i) => number === key.values[i]);
    const value = isSameValue ? written.value : components > 1 ? `[${key.values.map(word).join(", ")}]` : word(key.values[0]);
    const ease = /[(,]/.test(key.ease) ? JSON.stringify(key.ease) : key.ease;
    return key.ease === usual ? `${when}: ${value}` : `${when}: {value: ${value}, ease: ${ease}}`;
  });
  return `{${entries.join(", ")}}`;
}

/** Keys with one at a frame: a new one, or the old one with other values. */
export function withKey(keys, frame, values, { type }) {
  const at = keys.findIndex(key => keyFrame(key) === frame);
  if (at >= 0) return keys.map((key, i) => i === at ? { ...key, values } : key);
  const before = [...keys].reverse().find(key => key.time < timeOfFrame(frame));
  const ease = before?.ease ?? keys[0]?.ease ?? (holds(type) ? "hold" : "linear");
  return [...keys, { frame, time: timeOfFrame(frame), values, ease }].sort((a, b) => a.time - b.time);
}

/** The frame at which a key lies, or the nearest one. */
export function keyFrame(key) { return key.frame ?? frameAt(key.time); }

/** What keys give at a time, by component. */
export function valuesAt(keys, time) {
  if (time <= keys[0].time) return keys[0].values;
  const next = keys.findIndex(key => key.time > time);
  if (next < 0) return keys[keys.length - 1].values;
  const a = keys[next - 1], b = keys[next], part = (time - a.time) / (b.time - a.time);
  if (b.ease === "hold" || typeof a.values[0] !== "number") return a.values;
  const done = ease(b.ease, part);
  return a.values.map((value, i) => value + (b.values[i] - value) * done);
}

// Reading

/** The members of a map in braces, in order: name, text of the value, and the name as it is written; null where it is none. */
function readMap(text) {
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const members = [];
  let depth = 0, quote = null, start = 1, colon = -1;
  const finish = end => {
    const entry = text.slice(start, end).trim();
    if (entry !== "" || colon >= 0) {
      if (colon < 0) return false;
      const name = text.slice(start, colon).trim();
      members.push([unquoted(name), text.slice(colon + 1, end).trim(), name]);
    }
    start = end + 1;
    colon = -1;
    return true;
  };
  for (let i = 1; i < text.length; i++) {
    const c = text[i];
    if (quote) { if (c === quote && text[i - 1] !== "\\") quote = null; continue; }
    if (c === "\"" || c === "'") quote = c;
    else if (c === "{" || c === "[" || c === "(") depth += 1;
    else if (depth > 0 && (c === "]" || c === ")" || c === "}")) depth -= 1;
    else if (c === "}" && i === text.length - 1) { if (!finish(i)) return null; }
    // A colon in front of a blank ends a name; the one in 1:30 does not.
    else if (c === ":" && depth === 0 && colon < 0 && /[\s{["'#(]/.test(text[i + 1] ?? "")) colon = i;
    else if (c === "," && depth === 0) { if (!finish(i)) return null; }
  }
  return depth === 0 && !quote ? members : null;
}

function unquoted(text) {
  if (/^".*"$/s.test(text)) { try { return JSON.parse(text); } catch { return text.slice(1, -1); } }
  return /^'.*'$/s.test(text) ? text.slice(1, -1) : text;
}

function keyTime(text) {
  let found = /^(-?\d+)f$/.exec(text);
  if (found) return { frame: +found[1], time: timeOfFrame(+found[1]) };
  found = /^(-?[\d.]+)(?:\/([\d.]+))?(ms|s)$/.exec(text);
  if (found) return { time: +found[1] / +(found[2] ?? 1) * (found[3] === "ms" ? .001 : 1) };
  if (!/^-?\d+(:\d+)+(\.\d+)?$/.test(text)) return null;
  const sign = text.startsWith("-") ? -1 : 1;
  return { time: sign * text.replace("-", "").split(":").reduce((sum, part) => sum * 60 + +part, 0) };
}

// Easing: the closed forms that the renderer uses

const overshoot = 1.70158;
const begun = {
  sine: t => 1 - Math.cos(t * Math.PI / 2), quad: t => t * t, cubic: t => t ** 3, quart: t => t ** 4, quint: t => t ** 5,
  expo: t => 2 ** (10 * t - 10), circ: t => 1 - Math.sqrt(1 - t * t), back: t => t * t * ((overshoot + 1) * t - overshoot),
  elastic: t => -(2 ** (10 * t - 10)) * Math.sin((10 * t - 10.75) / 3 * 2 * Math.PI), bounce: t => 1 - fallen(1 - t),
};

/** How much of the way is done at a part of the time. */
export function ease(name, part) {
  if (part <= 0) return 0;
  if (part >= 1) return 1;
  if (name === "linear") return part;
  if (name === "hold") return 0;
  const handles = /^(?:cubic-bezier\()?([^()]+)\)?$/.exec(name)?.[1].split(",").map(Number);
  if (handles?.length === 4 && handles.every(Number.isFinite)) return bezier(handles, part);
  const [, curve, direction] = /^([a-z]+)-(in-out|in|out)$/.exec(name) ?? [];
  if (!begun[curve]) return part;
  if (direction === "in") return begun[curve](part);
  if (direction === "out") return 1 - begun[curve](1 - part);
  return part < .5 ? firstHalf(curve, part) : 1 - firstHalf(curve, 1 - part);
}

function firstHalf(curve, t) {
  const halved = overshoot * 1.525;
  if (curve === "back") return 2 * t * t * ((halved + 1) * 2 * t - halved);
  if (curve === "elastic") return -(2 ** (20 * t - 10)) * Math.sin((20 * t - 11.125) / 4.5 * 2 * Math.PI) / 2;
  return begun[curve](2 * t) / 2;
}

function fallen(t) {
  const [center, rest] = t * 2.75 < 1 ? [0, 0] : t * 2.75 < 2 ? [1.5, .75] : t * 2.75 < 2.5 ? [2.25, .9375] : [2.625, .984375];
  return 7.5625 * (t - center / 2.75) ** 2 + rest;
}

function bezier([x1, y1, x2, y2], x) {
  const curve = (first, second, t) => 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t ** 3;
  let low = 0, high = 1;
  for (let i = 0; i < 40; i++) { const middle = (low + high) / 2; if (curve(x1, x2, middle) < x) low = middle; else high = middle; }
  return curve(y1, y2, (low + high) / 2);
}
