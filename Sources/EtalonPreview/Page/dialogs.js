// Rendering into files with progress, test cases, presets, and the command that does the same.
import { send, whenRefused } from "./connection.js";
import { byId, copyText, make, setText } from "./dom.js";
import { setValues } from "./history.js";
import { refusalParts } from "./parameters.js";
import { on, preferences, store, tell } from "./store.js";
import { firstFrame, lastFrame, spanText } from "./times.js";
import { marks } from "./transport.js";

let job = null, jobChip, isCopying = false;

export function startDialogs() {
  jobChip = byId("job");
  jobChip.addEventListener("click", openRender);
  on("job", takeJob);
  on("command", takeCommand);
  on("done", takeDone);
  on("disconnected", () => { for (const { giveUp } of [...asked.values()]) giveUp({ text: "the preview does not answer" }); });
  byId("render-open").addEventListener("click", openRender);
  byId("case-open").addEventListener("click", openCase);
  byId("presets-open").addEventListener("click", openPresets);
  byId("command-copy").addEventListener("click", copyCommand);
}

/** A dialog with a title, fields and buttons; Escape and a click beside it close it. */
function openDialog(title, content, buttons, { onclose } = {}) {
  const dialog = make("dialog", { "aria-label": title });
  const form = make("form", { method: "dialog" }, make("h2", {}, title), ...content, make("div", { className: "dialog-buttons" }, ...buttons(dialog)));
  dialog.append(form);
  // A press that began in the dialog, as when a text is marked, is no click beside it.
  let isBeside = false;
  dialog.addEventListener("pointerdown", event => { isBeside = event.target === dialog; });
  dialog.addEventListener("click", event => { if (event.target === dialog && isBeside) dialog.close(); });
  dialog.addEventListener("close", () => { dialog.remove(); onclose?.(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function labelled(label, field, help) { return make("label", { className: "field" }, make("span", {}, label), field, help ? make("small", {}, help) : null); }
function closeButton(dialog, label = "Close") { return make("button", { type: "button", onclick: () => dialog.close() }, label); }

/** What waits for an answer, by the number of the message. */
const asked = new Map();

/** A line of a dialog that says why something was refused, with a button where there is a way on. */
function refusalLine() {
  const line = make("p", { className: "refusal", role: "alert", hidden: true });
  const show = (refused, button) => { line.hidden = !refused; line.replaceChildren(...refused ? refusalParts(refused) : [], button ?? ""); };
  return { line, show };
}

/** Asks the server for something: the dialog closes once that is done, and stays where it is refused. */
function ask(message, dialog, refuse) {
  const button = dialog.querySelector("[type=submit]"), number = send(message);
  const giveUp = refused => { asked.delete(number); button.disabled = false; refuse(refused); };
  if (!number) { giveUp({ text: "the preview does not answer" }); return; }
  button.disabled = true;
  whenRefused(number, giveUp);
  asked.set(number, { close: () => dialog.close(), giveUp });
}

function takeDone({ number }) {
  asked.get(number)?.close();
  asked.delete(number);
}

// Render

export function openRender() {
  if (byId("render-output")) return;
  const remembered = preferences.get("render", {}), stem = (store.state?.title ?? "picture").replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "-").toLowerCase();
  const folder = store.state?.folders?.[0] ?? ".";
  const output = make("input", { type: "text", id: "render-output", spellcheck: false, autocomplete: "off",
    value: remembered.output && remembered.stem === stem ? remembered.output : `${folder === "." ? "" : `${folder}/`}${stem}.####.png`, list: "render-folders" });
  const what = make("select", {}, make("option", { value: "all" }, lastFrame() !== null ? `the whole shot, frames ${firstFrame()} to ${lastFrame()}` : "a duration"),
    make("option", { value: "frame" }, `this frame, ${store.clock.frame}`),
      make("option", { value: "loop", disabled: marks.in === null || marks.out === null },
      marks.in !== null ? `between the marks, ${marks.in} to ${marks.out}` : "between the marks"), make("option", { value: "frames" }, "frames…"));
  what.value = marks.isOn ? "loop" : "all";
  const frames = make("input", { type: "text", value: `${firstFrame()}-${lastFrame() ?? firstFrame() + 119}`, spellcheck: false }),
    duration = make("input", { type: "text", value: "5s", spellcheck: false });
  const size = make("input", { type: "text", spellcheck: false, placeholder: store.state?.size ? store.state.size.join("x") : "as the filter says",
    value: remembered.size ?? "" });
  const framesField = labelled("Frames", frames, "0-119, 24, 0-100x10"), durationField = labelled("Duration", duration, "5s, 1:30, 240f");
  const kinds = make("div", { className: "segments", role: "group", "aria-label": "What is written" },
    ...[["png", "PNG sequence", ".####.png"], ["one", "One PNG", ".png"], ["mp4", "MP4", ".mp4"], ["mov", "ProRes", ".mov"], ["webm", "WebM", ".webm"],
    ["gif", "GIF", ".gif"]]
    .map(([kind, label, ending]) => make("button", { type: "button", onclick: event => {
      output.value = output.value.replace(/(\.#+|\.%\d*d)?\.\w+$/, "") + ending;
      if (kind === "one") what.value = "frame"; else if (what.value === "frame") what.value = "all";
      adjust();
    }, "data-ending": ending }, label)));
  const adjust = () => {
    framesField.hidden = what.value !== "frames";
    durationField.hidden = !(what.value === "all" && lastFrame() === null);
    for (const button of kinds.children) button.setAttribute("aria-pressed",
      String(button.dataset.ending === ".png" ? output.value.endsWith(".png") && !/[#%]/.test(output.value) : output.value.endsWith(button.dataset.ending)));
  };
  what.addEventListener("change", adjust);
  output.addEventListener("input", adjust);
  const progress = make("div", { id: "render-progress", className: "progress", hidden: true });
  openDialog("Render", [kinds, labelled("File", output,
    "# stands for the number of the frame. Folders that may be written: " + (store.state?.folders ?? ["."]).join(", ")),
    labelled("What", what), framesField, durationField, labelled("Size", size), progress,
    make("datalist", { id: "render-folders" }, ...(store.state?.folders ?? []).map(folder => make("option", { value: `${folder}/${stem}.####.png` })))],
      dialog => [closeButton(dialog),
    make("button", { type: "button", id: "render-cancel", hidden: true, onclick: () => send({ do: "cancelRender" }) }, "Cancel"),
    make("button", { type: "submit", id: "render-start", className: "primary", onclick: event => {
      event.preventDefault();
      preferences.set("render", { output: output.value, size: size.value, stem });
      job = null;
      const number = send({ do: "render", output: output.value.trim(), size: size.value.trim() || null,
        frames: framesOf(what.value, frames.value),
        duration: what.value === "all" && lastFrame() === null ? duration.value.trim() : null });
      whenRefused(number, refused => { takeJob({ state: "failed", frames: 0, finished: 0, output: output.value,
        text: [refused.text, refused.help && `help: ${refused.help}`].filter(Boolean).join("\n") }); });
    } }, "Render")]);
  adjust();
  showJob();
  output.focus();
  output.setSelectionRange(0, output.value.replace(/(\.#+)?\.\w+$/, "").length);
}

/** The frames of a choice as the command takes them; null where a duration says it. */
function framesOf(what, typed) {
  switch (what) {
    case "frame": return String(store.clock.frame);
    case "loop": return `${marks.in}-${marks.out}`;
    case "frames": return typed.trim();
    default: return lastFrame() === null ? null : `${firstFrame()}-${lastFrame()}`;
  }
}

function takeJob(message) {
  const wasRunning = job?.state === "running";
  job = message;
  showJob();
  if (job.state === "running") return;
  const isOpen = Boolean(byId("render-progress"));
  if (job.state === "done") { if (!isOpen) tell("notice", { text: job.text ?? `rendered ${job.output}`, tone: "good" }); tell("announce", `Rendered ${job.output}`); }
  if (job.state === "failed" && !isOpen) tell("notice", { text: job.text ?? "the render failed", tone: "bad" });
  if (job.state === "cancelled" && wasRunning) tell("announce", "Render cancelled");
}

function showJob() {
  const part = job && job.frames ? job.finished / job.frames : 0, isRunning = job?.state === "running";
  jobChip.hidden = !isRunning;
  // How many frames there are is not known before the shot is prepared.
  const isPreparing = isRunning && !job.frames;
  if (isRunning) { jobChip.style.setProperty("--part", `${part * 100}%`); setText(jobChip, isPreparing ? "Preparing the render" : `Rendering ${Math.round(part * 100)} %`); }
  const box = byId("render-progress");
  if (!box) return;
  box.hidden = !job;
  byId("render-cancel").hidden = !isRunning;
  byId("render-start").disabled = isRunning;
  if (!job) return;
  const words = { running: isPreparing ? "The shot is being prepared" : `${job.finished} of ${job.frames} frames`, done: "Done", failed: "Failed", cancelled: "Cancelled" }[job.state];
  const facts = [words, isRunning && job.rate ? `${job.rate.toFixed(job.rate < 10 ? 1 : 0)} frames a second` : "",
    isRunning && job.left !== null && job.left !== undefined ? `${spanText(job.left)} left` : ""].filter(Boolean).join(" · ");
  box.className = `progress ${job.state}`;
  box.replaceChildren(make("progress", { max: 1, value: isPreparing ? undefined : job.state === "done" ? 1 : part, "aria-label": "Progress of the render" }), make("p", {}, facts),
    job.output ? make("p", { className: "path" }, job.output) : "", job.text ? make("pre", {}, job.text) : "");
}

// Test case

export function openCase() {
  if (byId("case-name")) return;
  const name = make("input", { type: "text", id: "case-name", spellcheck: false, value: "basics", autocomplete: "off" });
  const what = "Writes a case with the values, inputs and frame of this page, and its reference picture, beside the filter. ‘etalon test’ then tells when the picture changes.";
  const { line, show } = refusalLine();
  name.addEventListener("input", () => show(null));
  openDialog("Add a test case", [make("p", {}, what), labelled("Name", name), line],
    dialog => [closeButton(dialog, "Cancel"), make("button", { type: "submit", className: "primary", onclick: event => {
      event.preventDefault();
      ask({ do: "addCase", name: name.value.trim() }, dialog, refused => show(refused));
    } }, "Add")]);
  name.select();
}

// Presets

export function openPresets() {
  if (byId("preset-name")) return;
  const presets = (store.state?.presets ?? []).map(preset => typeof preset === "string" ? { name: preset, values: null } : preset);
  const name = make("input", { type: "text", id: "preset-name", spellcheck: false, autocomplete: "off", placeholder: "warm.yaml", value: "" });
  const apply = preset => {
    if (preset.values) setValues(new Map(store.state.parameters.map(each => [each.name, preset.values[each.name] ?? each.default])));
    tell("announce", `Preset ${preset.name}`);
  };
  const { line, show } = refusalLine();
  name.addEventListener("input", () => show(null));
  openDialog("Presets", [presets.length ? make("div", { className: "preset-list", role: "group", "aria-label": "Presets" },
    ...presets.map(preset => make("button", { type: "button", disabled: !preset.values, onclick: () => apply(preset) }, preset.name)))
    : make("p", { className: "nothing" }, "There are no presets yet. One is a graph document with the filter and its values, which ‘etalon render’ takes as it is."),
    make("div", { className: "input-row" }, labelled("Save the values as", name), make("button", { type: "submit", className: "primary", onclick: event => {
      event.preventDefault();
      savePreset(name.value.trim(), false, event.target.closest("dialog"), show);
    } }, "Save")), line], dialog => [closeButton(dialog)]);
  name.focus();
}

/** Saves a preset; where its name is taken, a person says whether it is replaced. */
function savePreset(path, force, dialog, show) {
  ask({ do: "savePreset", path, force }, dialog, refused => {
    const isTaken = refused.code === "preview.taken";
    const replace = isTaken && make("button", { type: "button", id: "preset-replace", onclick: () => savePreset(path, true, dialog, show) }, "Replace it");
    show(refused, replace || null);
    replace?.focus?.();
  });
}

// The same as a command

export function copyCommand() { isCopying = true; send({ do: "command" }); }

async function takeCommand({ text }) {
  if (!isCopying) return;
  isCopying = false;
  const isCopied = await copyText(text);
  const command = make("pre", { className: "command", tabIndex: 0 }, text);
  const copied = make("button", { type: "button", className: "primary",
    onclick: async () => { setText(copied, await copyText(text) ? "Copied" : "Select it to copy it"); } }, isCopied ? "Copied" : "Copy");
  openDialog("The same as a command", [command], dialog => [closeButton(dialog), copied]);
  tell("announce", isCopied ? "The command is on the clipboard" : "The command is shown");
}
