// An editor for trying: a text area over a colored copy of the lines that are seen. What is typed is tried at once, and saved only when asked.
import { send, sendLatest } from "./connection.js";
import { arrowKeys, byId, clamp, make, setText } from "./dom.js";
import { iconButton } from "./icons.js";
import { colored, commentStarts, isGLSL } from "./glsl.js";
import { withoutSubject } from "./parameters.js";
import { on, preferences, store, tell } from "./store.js";

const lineHeight = 20, indent = "    ";
/** Longer texts are edited elsewhere, and shorter ones than this are tried while they are typed. */
const largestText = 2_000_000, largestLive = 400_000;
const changedMeanwhile = "The file changed on disk while you were editing it.";
const isElsewhere = "The subject is not made of this file any more. What you typed stays here while the page is open.";
const isNoText = "The file on disk is no text any more, or too long to be shown here.";
const wasDeleted = "The file was deleted on disk. Save writes it again.";
/**
 * The files, with what the page has made of them: text, the hash of what it was made from, whether it differs from the disk.
 *
 * First those that the subject is made of, in the order of the server, which knows them by number; then those that it is made of no more, as long as
 * they hold words that were typed here.
 */
let files = [], current = 0;
let area, layer, gutter, scroller, tabs, buttons, banner, info, starts = [false], lines = [""], marks = [], timer = 0, charWidth = 7.8, isReconnected = false;

export function startEditor() {
  area = byId("text");
  layer = byId("text-layer");
  gutter = byId("text-gutter");
  scroller = byId("text-scroller");
  tabs = byId("text-tabs");
  banner = byId("text-banner");
  info = byId("text-info");
  const live = make("input", { type: "checkbox", checked: preferences.get("live", true), onchange: () => { preferences.set("live", live.checked);
    if (live.checked) attempt(); } });
  buttons = {
    live, attempt: make("button", { type: "button", title: "Try the text without saving it (Ctrl+Enter)", onclick: attempt }, "Try"),
    revert: make("button", { type: "button", title: "Back to what is on disk", onclick: revert }, "Revert"),
    save: make("button", { type: "button", className: "primary", title: "Save the file (Ctrl+S)", onclick: () => save() }, "Save"),
    open: iconButton("link", "Open in your editor", () => openEditor(current, caret().line, caret().column)),
  };
  byId("text-buttons").replaceChildren(make("label", { className: "check", title: "Try each change as it is typed" }, live, "Live"), buttons.attempt, buttons.revert,
    buttons.save, buttons.open);
  arrowKeys(tabs, "[role=tab]", tab => choose([...tabs.children].indexOf(tab)));
  area.addEventListener("input", edited);
  area.addEventListener("keydown", keyDown);
  for (const name of ["keyup", "pointerup", "focus"]) area.addEventListener(name, showCaret);
  scroller.addEventListener("scroll", paint);
  new ResizeObserver(() => { measure(); paint(); }).observe(scroller);
  on("subject", takeFiles);
  on("problem", () => { if (!files.length) showFile(); });
  on("connected", () => { isReconnected = true; });
  on("changed", takeChange);
  on("conflict", message => {
    const file = files[indexOf(message)], { text = null, hash } = message;
    if (!file) return;
    Object.assign(file, { disk: text, diskHash: hash, isDeleted: false, sent: null, isDirty: text === null ? file.isDirty : file.text !== text,
      conflict: text === null ? isNoText : file.text === text ? null : changedMeanwhile });
    showTabs();
    showBanner();
  });
  on("diagnostics", ({ list }) => { marks = list; paint(); showTabs(); });
}

// Files

function takeFiles(state) {
  const isAnew = isReconnected;
  isReconnected = false;
  const before = new Map(files.map(file => [file.path, file]));
  files = state.files.map(file => {
    const known = before.get(file.path);
    // The hash of a file that is missing is empty.
    const isDeleted = file.hash === "";
    // A text that is tried is not the one on disk, which the server tells when it is asked to revert; its hash is that of the text it was made from.
    if (!known?.isDirty) {
      return { ...file, disk: file.tried ? null : file.text, isDirty: Boolean(file.tried), isDeleted, conflict: isDeleted ? wasDeleted : null, scroll: known?.scroll ?? 0 };
    }
    const common = { ...known, name: file.name, writable: file.writable, isGone: false };
    // What was typed here outlives whatever the server does.
    if (file.tried || isDeleted) return { ...common, isDeleted: isDeleted || known.isDeleted, conflict: isDeleted ? wasDeleted : known.conflict };
    if (known.text === file.text) return { ...file, disk: file.text, isDirty: false, conflict: null, scroll: known.scroll };
    const conflict = known.hash === file.hash ? null : known.isDeleted ? changedMeanwhile : known.conflict ?? changedMeanwhile;
    return { ...common, isDeleted: false, disk: conflict === isNoText ? null : file.text, diskHash: file.hash, conflict };
  });
  const listed = new Set(files.map(file => file.path)), shown = [...before.keys()][current];
  files.push(...[...before.values()].filter(file => file.isDirty && !listed.has(file.path)).map(file => ({ ...file, isGone: true })));
  // The file that is shown stays, whatever its number is now.
  const at = files.findIndex(file => file.path === shown);
  if (at >= 0) current = at;
  current = clamp(current, 0, Math.max(0, files.length - 1));
  showFile();
  // A server that was away does not know what was tried here.
  if (isAnew && buttons.live.checked) files.forEach((file, i) => { if (file.isDirty && !file.isGone) send(trialOf(i)); });
}

/** The place of the file that a message is about: numbers change with the subject, paths do not. */
function indexOf({ file, path }) { return path === undefined ? file : files.findIndex(each => each.path === path); }

function takeChange(message) {
  const index = indexOf(message), file = files[index], { hash, text, deleted } = message;
  if (!file) return;
  if (deleted) { Object.assign(file, { conflict: wasDeleted, isDeleted: true }); showTabs(); showBanner(); return; }
  file.isDeleted = false;
  file.disk = text;
  file.diskHash = hash;
  if (!file.isDirty || file.text === text) {
    Object.assign(file, { text, hash, isDirty: false, conflict: null });
    if (index === current) replaceText(text);
  } else if (text === file.sent) {
    // What this page saved is on disk; words that were typed meanwhile go on from there.
    Object.assign(file, { hash, sent: null, conflict: null });
    if (buttons.live.checked && !file.isGone) send(trialOf(index));
  } else file.conflict = file.hash === hash ? null : changedMeanwhile;
  showTabs();
  showBanner();
}

/** Puts another text into the area without moving what is seen. */
function replaceText(text) {
  if (area.value === text) return;
  const { selectionStart, selectionEnd } = area, top = scroller.scrollTop;
  area.value = text;
  area.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionEnd, text.length));
  scroller.scrollTop = top;
  readLines();
  paint();
}

function showFile() {
  const file = files[current];
  byId("text-empty").hidden = Boolean(file) && file.text.length <= largestText;
  setText(byId("text-empty"), !file ? withoutSubject()?.join("") ?? "There is no text to edit: the subject is made of pictures and filters by name." : "This text is too long to be edited here. Your own editor opens it.");
  const isShown = Boolean(file) && file.text.length <= largestText;
  scroller.hidden = !isShown;
  area.readOnly = file ? file.writable === false : true;
  if (isShown && area.value !== file.text) {
    area.value = file.text;
    scroller.scrollTop = file.scroll ?? 0;
  }
  area.setAttribute("aria-label", file ? `Text of ${file.name}. Tab indents; Escape, then Tab leaves.` : "Text");
  readLines();
  paint();
  showTabs();
  showBanner();
}

function showTabs() {
  const wrong = new Set(marks.filter(mark => mark.severity === "error" && typeof mark.file === "number").map(mark => mark.file));
  const hadFocus = tabs.contains(document.activeElement);
  tabs.replaceChildren(...files.map((file, i) => make("button",
    { type: "button", role: "tab", "aria-selected": String(i === current), tabIndex: i === current ? 0 : -1, title: file.path,
    className: `${file.isDirty ? "dirty" : ""} ${wrong.has(i) ? "wrong" : ""}`, onclick: () => choose(i) }, file.name,
      file.isDirty ? make("span", { className: "dot", "aria-label": "not saved" }) : null)));
  if (hadFocus) tabs.children[current]?.focus();
  const file = files[current];
  buttons.save.disabled = !maySave(file);
  buttons.revert.disabled = !file?.isDirty || file.isGone;
  buttons.attempt.disabled = !file?.isDirty || file.isGone;
  buttons.open.hidden = !store.state?.editor;
  buttons.open.disabled = !file || file.isGone;
  buttons.save.title = file?.isGone ? "The subject is not made of this file any more" : file?.writable === false ? "The file may not be written"
    : "Save the file (Ctrl+S)";
  tell("dirty", files.some(each => each.isDirty));
}

function choose(index) {
  if (files[current]) files[current].scroll = scroller.scrollTop;
  current = index;
  area.value = files[index].text;
  showFile();
  scroller.scrollTop = files[index].scroll ?? 0;
}

/** What cannot be decided without a person: two texts, or a file that is gone. */
function showBanner() {
  const file = files[current];
  const words = file?.isGone ? isElsewhere : file?.conflict;
  banner.hidden = !words;
  // Buttons under a hand are not made anew, so they ask for the file when they are pressed.
  const shown = JSON.stringify([current, words, file?.isDeleted, file?.isDirty, file?.disk === null]);
  if (!words || banner.dataset.shown === shown) return;
  banner.dataset.shown = shown;
  const decide = (label, title, onclick) => make("button", { type: "button", title, onclick }, label);
  banner.replaceChildren(make("span", {}, words), file.isGone ? "" : make("span", { className: "cluster" },
    decide("Keep mine", "Goes on with your text; saving it then replaces the one on disk", keepMine),
    file.isDeleted || file.disk === null ? null
      : decide("Take theirs", "Drops your text for the one on disk", revert),
    maySave(file) ? decide("Save mine", "Writes your text over the one on disk", () => save(true)) : null));
}

function keepMine() {
  const file = files[current];
  Object.assign(file, { hash: file.diskHash ?? file.hash, conflict: null });
  showBanner();
  area.focus();
  if (buttons.live.checked) attempt();
}

// Typing

function edited() {
  const file = files[current];
  file.text = area.value;
  const wasDirty = file.isDirty;
  file.isDirty = file.text !== file.disk;
  readLines();
  paint();
  showCaret();
  if (wasDirty !== file.isDirty) showTabs();
  clearTimeout(timer);
  // A pause between words: half-typed ones are no diagnostics worth showing.
  if (buttons.live.checked && !file.isGone && file.text.length <= largestLive) timer = setTimeout(attempt, 220);
}

export function attempt() {
  clearTimeout(timer);
  const file = files[current];
  if (file && !file.isGone) sendLatest(`text ${file.path}`, trialOf(current));
}

/** A text to be tried, with the hash of what it was made from: another page that takes it over knows what it may replace on disk. */
function trialOf(index) { return { do: "text", file: index, path: files[index].path, text: files[index].text, seen: files[index].hash }; }

function revert() {
  clearTimeout(timer);
  const file = files[current];
  if (!file || file.isGone) return;
  Object.assign(file, { text: file.disk ?? file.text, isDirty: false, conflict: file.isDeleted ? file.conflict : null });
  if (file.diskHash) file.hash = file.diskHash;
  send({ do: "revert", file: current, path: file.path });
  replaceText(file.text);
  showTabs();
  showBanner();
}

export function save(isForced = false) {
  clearTimeout(timer);
  const file = files[current];
  if (!maySave(file)) return;
  file.sent = file.text;
  // A file that is missing is written without force; one that came back meanwhile is not overwritten.
  send({ do: "save", file: current, path: file.path, text: file.text, seen: file.hash, force: isForced });
}

function maySave(file) { return Boolean(file) && !file.isGone && file.writable !== false && (file.isDirty || file.isDeleted); }

let isLeaving = false;
function keyDown(event) {
  if (event.key === "Escape") { isLeaving = true; event.stopPropagation(); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); attempt(); return; }
  if (event.key === "Tab" && !isLeaving && !event.ctrlKey) {
    event.preventDefault();
    if (event.shiftKey) outdent(); else insert(indent.slice((caret().column - 1) % indent.length));
  }
  if (event.key === "Enter" && !event.ctrlKey) {
    // A new line begins below the words of the one before, one step further behind a brace.
    event.preventDefault();
    const before = area.value.slice(0, area.selectionStart), line = before.slice(before.lastIndexOf("\n") + 1);
    insert(`\n${/^[ \t]*/.exec(line)[0]}${/[{(]\s*$/.test(line) ? indent : ""}`);
  }
  if (event.key !== "Shift" && event.key !== "Tab") isLeaving = false;
}

/** Typed as a person would, so that the browser can undo it. */
function insert(text) { if (!document.execCommand("insertText", false, text)) { area.setRangeText(text, area.selectionStart, area.selectionEnd, "end"); edited(); } }

function outdent() {
  const start = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, blanks = /^( {1,4}|\t)/.exec(area.value.slice(start))?.[0].length ?? 0;
  if (!blanks) return;
  const at = area.selectionStart;
  area.setSelectionRange(start, start + blanks);
  document.execCommand("delete");
  area.setSelectionRange(Math.max(start, at - blanks), Math.max(start, at - blanks));
}

function caret() {
  const before = area.value.slice(0, area.selectionStart), line = before.split("\n").length;
  return { line, column: before.length - before.lastIndexOf("\n") };
}

function showCaret() {
  const { line, column } = caret();
  const here = marks.find(mark => mark.file === current && mark.line === line);
  setText(info, here ? `${line}:${column}  ${here.message}` : `${line}:${column}`);
  info.classList.toggle("bad", here?.severity === "error");
}

/** Shows a place of a file in the page's own editor. */
export function showPlace(index, line, column = 1) {
  if (!files[index]) return;
  if (index !== current) choose(index);
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.min(column - 1, lines[line - 1]?.length ?? 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(at, at);
  scroller.scrollTop = Math.max(0, (line - 1) * lineHeight - scroller.clientHeight / 2);
  scroller.scrollLeft = 0;
  showCaret();
}

export function openEditor(file, line, column) { send({ do: "openEditor", file, path: files[file]?.path, line, column }); }

// Drawing

function readLines() {
  lines = area.value.split("\n");
  starts = area.value.length <= largestLive ? commentStarts(area.value) : [];
  const longest = lines.reduce((most, line) => Math.max(most, line.length + 3 * (line.split("\t").length - 1)), 0);
  const width = `${Math.max(longest + 4, 20)}ch`;
  scroller.style.setProperty("--text-width", width);
  scroller.style.setProperty("--text-height", `${lines.length * lineHeight + 16}px`);
  scroller.style.setProperty("--gutter", `${Math.max(3, String(lines.length).length) + 2.5}ch`);
}

function measure() {
  const probe = make("span", { className: "probe" }, "0".repeat(100));
  layer.append(probe);
  charWidth = probe.getBoundingClientRect().width / 100 || charWidth;
  probe.remove();
}

/** Only lines that are seen are drawn: ten thousand cost as much as forty. */
function paint() {
  if (scroller.hidden || scroller.clientHeight === 0) return;
  const first = Math.max(0, Math.floor(scroller.scrollTop / lineHeight) - 10), last = Math.min(lines.length, first + Math.ceil(scroller.clientHeight / lineHeight) + 20);
  const isShader = isGLSL(files[current]?.name ?? ""), mine = marks.filter(mark => mark.file === current);
  const shown = [], numbers = [];
  for (let i = first; i < last; i++) {
    const found = mine.filter(mark => mark.line === i + 1), worst = found.some(mark => mark.severity === "error") ? "bad" : found.length ? "caution" : "";
    const text = lines[i].length > 2000 ? [["", lines[i]]] : colored(lines[i], starts[i] ?? false, isShader);
    shown.push(make("div", { className: worst ? `line ${worst}` : "line" }, ...text.map(([kind, word]) => kind ? make("span", { className: kind }, word) : word),
      ...found.map(mark => squiggle(mark, i))));
    numbers.push(make("div", { className: worst, title: found.map(mark => mark.message).join("\n") }, String(i + 1)));
  }
  layer.replaceChildren(...shown);
  gutter.replaceChildren(...numbers);
  layer.style.transform = gutter.style.transform = `translateY(${first * lineHeight}px)`;
}

/** A wave under what is wrong. */
function squiggle(mark, line) {
  const before = lines[line].slice(0, mark.column - 1), tabsBefore = [...before].reduce((at, c) => c === "\t" ? at + 4 - at % 4 : at + 1, 0);
  const element = make("i", { className: `wave ${mark.severity === "error" ? "bad" : "caution"}` });
  element.style.left = `${tabsBefore * charWidth}px`;
  element.style.width = `${Math.max(1, mark.length || 1) * charWidth}px`;
  return element;
}
