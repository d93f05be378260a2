// Sound in step with the picture. The clock is the server's; an audio element follows it, and is moved where it has run away.
import { byId } from "./dom.js";
import { iconButton, setIcon } from "./icons.js";
import { on, preferences, store, tell } from "./store.js";

/** Less is not heard as being late, and moving for it would be: each move is a small gap. */
const tolerance = .09;
let audio = null, button, isMuted = preferences.get("muted", false), known = "", address = "";

export function startSound() {
  button = iconButton("sound", "Mute", toggleMute, { key: "M", hidden: true });
  byId("transport-buttons").querySelector("#play").closest(".cluster").after(button);
  on("subject", ({ sound, inputs }) => {
    button.hidden = !sound;
    // Another file may be as long: what is read tells them apart, too.
    const wanted = sound ? JSON.stringify([sound, inputs.map(({ value }) => value ?? null)]) : "";
    if (wanted === known) return;
    known = wanted;
    audio?.pause();
    audio = null;
    if (sound) load(wanted);
  });
  for (const name of ["clock", "playing", "sought"]) on(name, follow);
  on("frame", follow);
  on("disconnected", () => audio?.pause());
  show();
}

/** Fetches the whole sound: an element that reads it piece by piece can only move where the server gives parts of files. */
async function load(wanted) {
  try {
    const answer = await fetch("/sound");
    if (!answer.ok) return;
    const bytes = await answer.blob();
    if (known !== wanted) return;
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(bytes);
    audio = new Audio(address);
    audio.muted = isMuted;
    follow();
  } catch { /* no server, no sound: the next state asks again */ if (known === wanted) known = ""; }
}

export function toggleMute() {
  isMuted = !isMuted;
  preferences.set("muted", isMuted);
  if (audio) audio.muted = isMuted;
  show();
  tell("announce", isMuted ? "Muted" : "Sound on");
}

function show() { setIcon(button, isMuted ? "mute" : "sound", isMuted ? "Sound on" : "Mute", "M"); }

function follow() {
  if (!audio) return;
  const { playing, rate = 1, time } = store.clock, isHeard = playing && rate > 0 && time >= 0 && time < (store.state.sound.duration ?? Infinity);
  if (!isHeard) { if (!audio.paused) audio.pause(); return; }
  // Browsers play a sixteenth to sixteen times as fast, and refuse the rest.
  const pace = Math.min(16, Math.max(.0625, rate));
  if (audio.playbackRate !== pace) audio.playbackRate = pace;
  const isLate = Math.abs(audio.currentTime - time) > tolerance * Math.max(1, rate);
  if (audio.paused) {
    audio.currentTime = time;
    audio.play().catch(() => { /* not before the page was touched: the next frame tries again */ });
  } else if (isLate && !audio.seeking) audio.currentTime = time;
}
