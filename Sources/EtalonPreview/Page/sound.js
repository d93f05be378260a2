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
    // Another file may be as long: what is read tells them apart, too. When it is heard does not change the file.
    const wanted = sound ? JSON.stringify([sound.rate, sound.duration, inputs.map(({ value }) => value ?? null)]) : "";
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

/**
 * Where in a sound a time of the shot is, in seconds; null where nothing is heard: before it begins, behind its end, and where it runs backwards.
 *
 * The sound of a video shows as its pictures do: a part of it, at another speed, over and over.
 */
export function soundTime(sound, time) {
  const { duration = Infinity, from = 0, to = duration, start = 0, speed = 1, loop = "none" } = sound, length = to - from;
  let at = (time - start) * speed;
  if (speed <= 0 || length <= 0) return null;
  if (loop !== "none") {
    const round = loop === "repeat" ? length : 2 * length;
    at -= Math.floor(at / round) * round;
  }
  return at >= 0 && at < length && from + at < duration ? from + at : null;
}

function follow() {
  if (!audio) return;
  const { playing, rate = 1, time } = store.clock, at = playing && rate > 0 ? soundTime(store.state.sound, time) : null;
  if (at === null) { if (!audio.paused) audio.pause(); return; }
  // Browsers play a sixteenth to sixteen times as fast, and refuse the rest.
  const wanted = rate * (store.state.sound.speed ?? 1), pace = Math.min(16, Math.max(.0625, wanted));
  if (audio.playbackRate !== pace) audio.playbackRate = pace;
  const isLate = Math.abs(audio.currentTime - at) > tolerance * Math.max(1, wanted);
  if (audio.paused) {
    audio.currentTime = at;
    audio.play().catch(() => { /* not before the page was touched: the next frame tries again */ });
  } else if (isLate && !audio.seeking) audio.currentTime = at;
}
