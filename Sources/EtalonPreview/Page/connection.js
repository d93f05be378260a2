// The line to the server. Messages are numbered, so that a frame can say which of them it shows.
import { store, tell } from "./store.js";

let socket = null, number = 0, attempts = 0;
/** Messages that wait for the next animation frame, by what they are about; a later one replaces an earlier one. */
const waiting = new Map(), newest = new Map();
let isResting = true;
/** When each message left, until a frame shows it: what it takes from a hand to a picture. */
const departures = new Map();

export function connect() {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => {
    number = attempts = 0;
    departures.clear();
    refusals.clear();
    newest.clear();
    document.documentElement.dataset.shown = "0";
    store.isConnected = true;
    tell("connected");
  });
  socket.addEventListener("message", event => {
    if (typeof event.data !== "string") { tell("frame-data", event.data); return; }
    const message = JSON.parse(event.data);
    tell(message.is, message);
  });
  socket.addEventListener("close", () => {
    const wasConnected = store.isConnected;
    store.isConnected = false;
    waiting.clear();
    if (wasConnected) tell("disconnected");
    // Slower from try to try, up to four seconds: a server that is gone for good is not asked all day.
    setTimeout(connect, Math.min(4000, 400 * 2 ** attempts++));
  });
}

/** Sends a message after all that wait; answers its number, or 0 where there is no server. */
export function send(message) {
  flush();
  return post(message);
}

/**
 * Sends the newest of many messages about the same thing: the first at once, then at most one for each animation frame.
 *
 * The first does not wait, because half a frame is a good part of what a hand feels. `refused` is as in `whenRefused`.
 */
export function sendLatest(about, message, refused) {
  if (isResting) {
    isResting = false;
    nextFrame(release);
    postLatest(about, message, refused);
    return;
  }
  waiting.delete(about);
  waiting.set(about, { message, refused });
}

/** The number of the newest message about something; infinite while it waits, so that whatever the server says is older. */
export function newestNumber(about) { return waiting.has(about) ? Infinity : newest.get(about) ?? 0; }

function release() {
  if (waiting.size === 0) { isResting = true; return; }
  flush();
  nextFrame(release);
}

function flush() {
  const messages = [...waiting];
  waiting.clear();
  for (const [about, { message, refused }] of messages) postLatest(about, message, refused);
}

function postLatest(about, message, refused) {
  const sent = post(message);
  newest.set(about, sent);
  if (refused) whenRefused(sent, refused);
}

function post(message) {
  if (socket?.readyState !== WebSocket.OPEN) return 0;
  number += 1;
  socket.send(JSON.stringify({ ...message, number }));
  document.documentElement.dataset.sent = String(number);
  departures.set(number, performance.now());
  if (departures.size > 500) departures.delete(departures.keys().next().value);
  return number;
}

/** What to do where a message is refused, by its number; without it the refusal is a notice. */
const refusals = new Map();
export function whenRefused(refused, action) {
  if (refused) refusals.set(refused, action);
  // Most are never refused.
  if (refusals.size > 500) refusals.delete(refusals.keys().next().value);
}
export function takeRefusal(refused) {
  const action = refusals.get(refused);
  refusals.delete(refused);
  return action;
}

/** Says that a frame is on the page: only then does the server send the one after the next. */
export function acknowledge(shown) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: "shown", number: shown }));
}

/** Milliseconds between a message and now, once for each message. */
export function delayOf(shown) {
  const departure = departures.get(shown);
  for (const older of departures.keys()) { if (older <= shown) departures.delete(older); else break; }
  return departure === undefined ? null : performance.now() - departure;
}

/** Pages in the background get no animation frames, but their messages have to leave. */
function nextFrame(action) { if (document.hidden) setTimeout(action, 100); else requestAnimationFrame(action); }
