// Times as a person types and reads them: seconds, numbers of frames, and timecode.
import { store } from "./store.js";

export const timeForms = ["seconds", "frames", "timecode"];

function rate() { return store.state?.rate ?? 24; }
export function firstFrame() { return store.state?.first ?? 0; }
function startTime() { return store.state?.start ?? 0; }

export function timeOfFrame(frame) { return startTime() + (frame - firstFrame()) / rate(); }
export function frameAt(time) { return firstFrame() + Math.round((time - startTime()) * rate()); }

/** The last frame of the shot; null where it has no end. */
export function lastFrame() { return store.state?.frames ? firstFrame() + store.state.frames - 1 : null; }

/** A frame in one of the forms. */
export function timeText(frame, form) {
  const time = timeOfFrame(frame);
  if (form === "frames") return `${frame}f`;
  if (form === "timecode") return timecode(frame - firstFrame());
  return `${time.toFixed(3)}s`;
}

/** Hours, minutes, seconds and frames; rates that are no whole number count as editors do, by the next one and without leaving numbers out. */
function timecode(frame) {
  const base = Math.max(1, Math.round(rate())), sign = frame < 0 ? "-" : "", whole = Math.abs(frame);
  const seconds = Math.floor(whole / base), two = number => String(number).padStart(2, "0");
  return `${sign}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}:${two(whole % base)}`;
}

/**
 * The frame that a text names: `1.5`, `1.5s`, `250ms`, `36f`, `1:30`, `00:00:01:12`; null where it names none.
 *
 * A number alone is in the form that the field shows; `+` and `-` in front count from the frame on the page.
 */
export function parseTime(text, form) {
  const trimmed = text.trim().toLowerCase(), relative = /^[+-]/.test(trimmed);
  const body = relative ? trimmed.slice(1).trim() : trimmed, here = store.clock.frame;
  const frames = framesIn(body, form);
  if (frames === null) return null;
  if (relative) return here + (trimmed[0] === "-" ? -1 : 1) * frames.span;
  return frames.isNumber ? frames.span : firstFrame() + frames.span - Math.round(startTime() * rate()) * (frames.isTime ? 1 : 0);
}

function framesIn(text, form) {
  let found = /^(\d+)\s*f$/.exec(text);
  if (found) return { span: +found[1], isNumber: true };
  found = /^(\d*\.?\d+|\d+\.)\s*(ms|s)?$/.exec(text);
  if (found) {
    if (!found[2] && form === "frames") return { span: Math.round(+found[1]), isNumber: true };
    return { span: Math.round(+found[1] * (found[2] === "ms" ? .001 : 1) * rate()), isTime: true };
  }
  const parts = text.split(":");
  if (parts.length < 2 || parts.length > 4 || !parts.every(part => /^\d*\.?\d+$/.test(part))) return null;
  const base = Math.max(1, Math.round(rate()));
  // Four parts, or any in a field that shows timecode, end with frames.
  if (parts.length === 4 || (form === "timecode" && !text.includes("."))) {
    const frames = +parts.pop();
    return { span: parts.reduce((sum, part) => sum * 60 + +part, 0) * base + frames };
  }
  return { span: Math.round(parts.reduce((sum, part) => sum * 60 + +part, 0) * rate()), isTime: true };
}

/** A duration for people: "0:42", "1:02:03". */
export function spanText(seconds) {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds), two = number => String(number).padStart(2, "0");
  return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
