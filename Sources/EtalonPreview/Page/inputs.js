// What goes in: pictures, sequences, videos and sounds for each channel, typed or dropped; and what the mouse and the keys did, as an events file.
import { send, whenRefused } from "./connection.js";
import { byId, make, setText } from "./dom.js";
import { icon, iconButton } from "./icons.js";
import { refusalParts, withoutSubject } from "./parameters.js";
import { on, store, tell } from "./store.js";

const kinds = { picture: "picture", sequence: "sequence", video: "video", sound: "sound", keyboard: "keys", cube: "cube map", volume: "volume", table: "color table", font: "font" };
/** Addresses of small pictures of what was dropped here; of other files the page has none. */
const thumbnails = new Map();
let list, zones, isRecording = false, dragDepth = 0;

export function startInputs() {
  list = byId("input-list");
  zones = byId("drop-zones");
  on("subject", build);
  on("problem", () => { if (store.state) build(); });
  const viewer = byId("viewer");
  // Drags enter and leave every element on the way: only the difference says whether one is still over the page.
  viewer.addEventListener("dragenter", event => { if (!hasFiles(event)) return; event.preventDefault(); dragDepth += 1; showZones(); });
  viewer.addEventListener("dragleave", () => { if (dragDepth > 0 && --dragDepth === 0) zones.hidden = true; });
  addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", event => { if (!hasFiles(event)) return; event.preventDefault(); dragDepth = 0; zones.hidden = true; });
}

function hasFiles(event) { return [...event.dataTransfer?.types ?? []].includes("Files"); }
function cardOf(name) { return name ? [...list.querySelectorAll(".input-card")].find(card => card.dataset.name === name) : null; }
function takesFiles(input) { return input.kind !== "keyboard" && input.canChange !== false; }

function placeholderOf(input) {
  if (input.kind === "table") return "a .cube file, or a Hald picture";
  if (input.kind === "font") return "a .ttf, .otf, .ttc or .woff file";
  return input.default ?? "a path, or a generator such as noise";
}

let builtFrom = "";

function build() {
  // A card in which a path is being typed stays, as long as nothing about it changed.
  const description = JSON.stringify([store.state.inputs, store.state.mouse, store.state.keyboard, store.problem]);
  if (description === builtFrom) return;
  builtFrom = description;
  const focused = document.activeElement?.closest?.(".input-card")?.dataset.name;
  const cards = store.state.inputs.map(makeCard);
  list.replaceChildren(...(cards.length ? cards : [make("p", { className: "nothing" }, ...withoutSubject() ?? ["This file reads no pictures and no sounds."])]), events() ?? "");
  if (focused) cardOf(focused)?.querySelector("input, button")?.focus();
}

function makeCard(input) {
  const field = make("input", { type: "text", value: input.value ?? "", placeholder: placeholderOf(input), spellcheck: false,
    autocomplete: "off", "aria-label": `File of ${input.label || input.name}`,
    onchange: () => assign(input.name, field.value.trim() === "" ? null : field.value.trim()) });
  const chooser = make("input", { type: "file", multiple: true, className: "off-screen", tabIndex: -1, "aria-hidden": "true",
    onchange: () => { upload(input.name, [...chooser.files]); chooser.value = ""; } });
  const preview = make("div", { className: "thumbnail", "aria-hidden": "true" });
  const image = thumbnails.get(input.name);
  if (image && image.value === input.value) preview.append(make("img", { src: image.address, alt: "" }));
    else preview.append(icon(input.kind === "sound" ? "sound" : input.kind === "keyboard" ? "key" : "film"));
  const card = make("section", { className: "input-card", "aria-label": `Input ${input.label || input.name}`,
    ondragover: event => { if (hasFiles(event) && takesFiles(input)) { event.preventDefault(); card.classList.add("over"); } },
      ondragleave: () => card.classList.remove("over"),
    ondrop: event => { card.classList.remove("over"); if (takesFiles(input)) drop(event, input.name); } },
    preview,
    make("div", { className: "input-body" }, make("div", { className: "input-title" }, make("b", {}, input.label || input.name),
      input.label && input.label !== input.name ? make("code", {}, input.name) : null, make("span", { className: "kind" }, kinds[input.kind] ?? input.kind)),
      input.kind === "keyboard" ? make("p", { className: "nothing" }, "Keys go here while the picture has the focus. Escape gives them back.")
        : make("div", { className: "input-row" }, field, chooser, make("button", { type: "button", onclick: () => chooser.click() }, "Choose…"),
          iconButton("close", "Take it away", () => assign(input.name, null),
          { disabled: input.value === null || input.value === undefined || input.canChange === false }))),
    make("p", { className: "refusal", role: "alert", hidden: true }));
  card.dataset.name = input.name;
  return card;
}

function showRefusal(card, refused) {
  const line = card.querySelector(".refusal");
  line.hidden = !refused;
  line.replaceChildren(...refused ? refusalParts(refused) : []);
}

function assign(name, value) {
  const card = cardOf(name);
  if (card) showRefusal(card, null);
  whenRefused(send({ do: "input", name, value }), refused => { const refusedCard = cardOf(name); if (refusedCard) showRefusal(refusedCard, refused);
    else tell("notice", { ...refused, tone: "bad" }); });
}

// Dropping

function showZones() {
  const inputs = (store.state?.inputs ?? []).filter(takesFiles);
  zones.hidden = false;
  zones.replaceChildren(...(inputs.length ? inputs.map((input, i) => {
    const zone = make("div", { className: "zone", ondragenter: () => zone.classList.add("over"),
      ondragleave: event => { if (!zone.contains(event.relatedTarget)) zone.classList.remove("over"); },
      ondragover: event => event.preventDefault(), ondrop: event => drop(event, input.name) }, make("b", {}, input.label || input.name),
        make("span", {}, kinds[input.kind] ?? input.kind));
    return zone;
  }) : [make("div", { className: "zone none" }, ...withoutSubject() ?? ["This file reads no pictures and no sounds."])]));
}

function drop(event, name) {
  event.preventDefault();
  event.stopPropagation();
  dragDepth = 0;
  zones.hidden = true;
  upload(name, [...event.dataTransfer.files]);
}

/** Sends files to the server, and makes them the input: one by itself, several as a sequence. */
async function upload(name, files) {
  if (!files.length) return;
  const card = cardOf(name), isSequence = files.length > 1, sequence = isSequence ? `&sequence=${Date.now().toString(36)}` : "";
  const ordered = files.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })), paths = [];
  card?.classList.add("busy");
  try {
    for (const file of ordered) {
      const address = `/upload?file=${encodeURIComponent(file.name)}${sequence}`;
      const answer = await fetch(address, { method: "POST", body: file });
      const result = await answer.json().catch(() => ({}));
      if (!answer.ok) throw new Error(result.diagnostic ?? `the server answered ${answer.status}`);
      paths.push(result.path);
    }
    const value = isSequence ? patternOf(paths) : paths[0];
    if (ordered[0].type.startsWith("image/")) { URL.revokeObjectURL(thumbnails.get(name)?.address);
      thumbnails.set(name, { address: URL.createObjectURL(ordered[0]), value }); }
    assign(name, value);
    tell("announce", `${isSequence ? `${files.length} pictures` : ordered[0].name} for ${name}`);
  } catch (error) {
    if (card) showRefusal(card, { text: error.message }); else tell("notice", { text: error.message, tone: "bad" });
  } finally { card?.classList.remove("busy"); }
}

/** `plate.0001.png`, `plate.0002.png` … are `plate.####.png`; numbers of different lengths are `#`. */
function patternOf(paths) {
  const parts = paths.map(path => /^(.*?)(\d+)(\D*)$/.exec(path));
  if (parts.some(part => !part || part[1] !== parts[0][1] ||
    part[3] !== parts[0][3])) throw new Error("several files have to be a sequence: the same name with different numbers");
  const digits = Math.min(...parts.map(part => part[2].length));
  return `${parts[0][1]}${"#".repeat(parts.every(part => part[2].length === digits) ? digits : 1)}${parts[0][3]}`;
}

// What the hands did

function events() {
  if (!store.state.mouse && !store.state.keyboard) return null;
  const path = make("input", { type: "text", value: "events.csv", spellcheck: false, "aria-label": "File for what was recorded" });
  const button = make("button", { type: "button", className: "record", "aria-pressed": String(isRecording), onclick: () => {
    isRecording = !isRecording;
    send({ do: "record", on: isRecording });
    button.setAttribute("aria-pressed", String(isRecording));
    setText(button.querySelector("span"), isRecording ? "Stop" : "Record");
    tell("announce", isRecording ? "Recording" : "Recording stopped");
  } }, icon("record"), make("span", {}, isRecording ? "Stop" : "Record"));
  return make("section", { className: "events" }, make("h3", {}, "Mouse and keys"),
    store.state.mouse ? make("p", { className: "nothing" }, "Drag on the picture to move the mouse of the shader; Alt or the middle button moves the picture itself.") : null,
    make("p", { className: "nothing" }, "Record what you do, and render it again with --events."),
    make("div", { className: "input-row" }, button, path,
      make("button", { type: "button", onclick: () => send({ do: "saveEvents", path: path.value.trim() }) }, "Save")));
}
