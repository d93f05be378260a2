// Play, pause, steps, rate, loop and the time: the server keeps the clock, the page asks it and shows it.
import { newestNumber, send, sendLatest } from "./connection.js";
import { byId, clamp, make, setPressed, setText } from "./dom.js";
import { iconButton, setIcon } from "./icons.js";
import { on, preferences, store, tell } from "./store.js";
import { firstFrame, frameAt, lastFrame, parseTime, timeForms, timeOfFrame, timeText } from "./times.js";

const rates = [.1, .25, .5, 1, 2, 4];
let playButton, loopButton, timeField, formButton, rateMenu, facts;
let form = preferences.get("time-form", "seconds");
/** Marks that are set but not looped between. */
export const marks = { in: null, out: null, isOn: false };

export function startTransport() {
  playButton = iconButton("play", "Play", togglePlay, { key: "Space", id: "play" });
  loopButton = iconButton("loop", "Loop between the marks", toggleLoop, { key: "L" });
  timeField = make("input", { type: "text", id: "time", spellcheck: false, autocomplete: "off", "aria-label": "Time",
    title: "Type a time: 1.5, 36f, 1:30, 00:00:01:12, +10f" });
  timeField.addEventListener("focus", () => timeField.select());
  timeField.addEventListener("keydown", event => {
    if (event.key === "Enter") { if (enterTime()) byId("stage").focus(); }
    if (event.key === "Escape") { showTime(true); timeField.select(); event.stopPropagation(); }
  });
  timeField.addEventListener("blur", () => { timeField.classList.remove("wrong"); showTime(true); });
  formButton = make("button", { type: "button", className: "form-button", onclick: nextForm });
  rateMenu = make("select", { id: "rate", "aria-label": "Rate of playing", onchange: () => setRate(+rateMenu.value) },
    ...rates.map(rate => make("option", { value: String(rate) }, `${rate}×`)));
  rateMenu.value = "1";
  facts = make("span", { className: "facts", id: "play-facts" });
  byId("transport-buttons").replaceChildren(
    make("div", { className: "cluster" }, iconButton("start", "To the start", () => seek(marks.isOn ? marks.in : firstFrame()), { key: "Home" }),
      iconButton("back", "One frame back", () => step(-1), { key: "←" }), playButton, iconButton("forward", "One frame on", () => step(1), { key: "→" }),
      iconButton("end", "To the end", () => seek(marks.isOn ? marks.out : lastFrame() ?? store.clock.frame), { key: "End" })),
    make("div", { className: "cluster" }, timeField, formButton),
    make("div", { className: "cluster" }, loopButton, make("button",
      { type: "button", title: "Mark the start of the loop (I)", "aria-label": "Mark the start of the loop", onclick: () => setMark("in") }, "In"),
      make("button", { type: "button", title: "Mark the end of the loop (O)", "aria-label": "Mark the end of the loop", onclick: () => setMark("out") }, "Out"),
        rateMenu),
    facts);
  on("clock", takeClock);
  on("subject", () => { showForm(); showTime(true); });
  on("frame", frame => {
    // A frame that was on its way when a hand moved the play head does not move it back.
    if (frame.number >= newestNumber("seek")) Object.assign(store.clock, { time: frame.time, frame: frame.frame });
    showTime();
    showFacts(frame);
  });
  showForm();
}

function takeClock(clock) {
  const { is, time, frame, ...rest } = clock;
  Object.assign(store.clock, rest);
  if (newestNumber("seek") <= (store.frame?.number ?? Infinity) || !store.frame) Object.assign(store.clock, { time, frame });
  if (clock.loop) Object.assign(marks, { in: frameAt(clock.loop[0]), out: frameAt(clock.loop[1]), isOn: true });
  else if (clock.playing) marks.isOn = false;
  if (!rates.includes(clock.rate) && clock.rate) rateMenu.append(make("option", { value: String(clock.rate) }, `${clock.rate}×`));
  rateMenu.value = String(clock.rate ?? 1);
  showPlaying();
  showTime();
  tell("time");
}

// What can be asked

export function togglePlay() {
  const playing = !store.clock.playing;
  store.clock.playing = playing;
  if (playing) sendPlay(); else send({ do: "pause" });
  showPlaying();
  tell("playing", playing);
}

function sendPlay() {
  send({ do: "play", rate: store.clock.rate ?? 1, loop: marks.isOn ? [timeOfFrame(marks.in), timeOfFrame(marks.out)] : null });
}

export function step(frames) {
  if (store.clock.playing) { store.clock.playing = false; showPlaying(); tell("playing", false); }
  send({ do: "step", frames });
}

/** Goes to a frame; many of these in a row, as in scrubbing, become one for each picture of the screen. */
export function seek(frame) {
  const last = lastFrame(), target = clamp(Math.round(frame), firstFrame(), last ?? Number.MAX_SAFE_INTEGER);
  Object.assign(store.clock, { frame: target, time: timeOfFrame(target) });
  sendLatest("seek", { do: "seek", frame: target });
  showTime(true);
  tell("time");
  tell("sought");
}

function setRate(rate) {
  store.clock.rate = rate;
  rateMenu.value = String(rate);
  if (store.clock.playing) sendPlay();
  tell("playing", store.clock.playing);
}

export function rateStep(direction) {
  const at = rates.findIndex(rate => rate >= (store.clock.rate ?? 1) - 1e-9);
  setRate(rates[clamp((at < 0 ? rates.length - 1 : at) + direction, 0, rates.length - 1)]);
}

export function setMark(which, frame = store.clock.frame) {
  marks[which] = frame;
  if (marks.in === null) marks.in = firstFrame();
  if (marks.out === null) marks.out = lastFrame() ?? Math.max(marks.in + Math.round(store.state?.rate ?? 24), frame);
  // The mark that was set stays; the other one makes room.
  if (marks.out <= marks.in) { if (which === "in") marks.out = Math.min(lastFrame() ?? Infinity, marks.in + Math.round(store.state?.rate ?? 24));
    else marks.in = Math.max(firstFrame(), marks.out - Math.round(store.state?.rate ?? 24)); }
  if (marks.out <= marks.in) { marks.isOn = false; showPlaying(); tell("time"); return; }
  marks.isOn = true;
  loopChanged();
}

export function toggleLoop() {
  if (marks.in === null) { setMark("in", firstFrame()); return; }
  marks.isOn = !marks.isOn;
  loopChanged();
}

function loopChanged() {
  if (store.clock.playing) sendPlay();
  showPlaying();
  tell("time");
}

// What is shown

function nextForm() {
  form = timeForms[(timeForms.indexOf(form) + 1) % timeForms.length];
  preferences.set("time-form", form);
  showForm();
  showTime(true);
}

export function timeForm() { return form; }

function showForm() {
  const short = { seconds: "s", frames: "f", timecode: "tc" }[form];
  setText(formButton, short);
  formButton.title = `Times as ${form}; changes to ${timeForms[(timeForms.indexOf(form) + 1) % timeForms.length]}`;
  formButton.setAttribute("aria-label", formButton.title);
}

function showTime(isForced = false) {
  if (document.activeElement === timeField && !isForced) return;
  const text = timeText(store.clock.frame, form);
  if (timeField.value !== text) timeField.value = text;
}

function enterTime() {
  const frame = parseTime(timeField.value, form);
  timeField.classList.toggle("wrong", frame === null);
  timeField.setAttribute("aria-invalid", String(frame === null));
  if (frame === null) { tell("announce", `${timeField.value} is no time`); return false; }
  seek(frame);
  return true;
}

function showPlaying() {
  setIcon(playButton, store.clock.playing ? "pause" : "play", store.clock.playing ? "Pause" : "Play", "Space");
  setPressed(loopButton, marks.isOn);
}

/** How fast frames come, averaged over a second, so that the number can be read. */
let since = 0, count = 0;
function showFacts(frame) {
  count += 1;
  const now = performance.now(), span = now - since;
  if (span < 500 && store.clock.playing) return;
  const pace = store.clock.playing && span < 3000 && count > 1 ? `${(count / span * 1000).toFixed(span < 2000 ? 1 : 0)} fps` : "";
  const wait = !store.clock.playing && frame.delay !== null ? `${Math.round(frame.delay)} ms to the page` : "";
  setText(facts, [`${frame.width}×${frame.height}`, frame.ms !== undefined ? `${frame.ms < 10 ? frame.ms.toFixed(1) : Math.round(frame.ms)} ms` : "", pace || wait,
    frame.dropped ? `${frame.dropped} dropped` : "", frame.behind != null ? `${Math.round(frame.behind)} ms behind the stream` : "", frame.live ? "live" : ""].filter(Boolean).join(" · "));
  facts.title = frame.live ? "Live: values changed while frames followed each other, so a render of these frames differs" : "Size, time to render, and time from hand to picture";
  since = now;
  count = 0;
}
