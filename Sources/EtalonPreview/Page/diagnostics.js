// Diagnostics over the last good picture: what is wrong, where, why, and what to type; a click opens the place.
import { byId, counted, make, setText } from "./dom.js";
import { iconButton } from "./icons.js";
import { openEditor, showPlace } from "./editor.js";
import { on, store, tell } from "./store.js";

let box, chip, isFolded = false, list = [];

export function startDiagnostics() {
  box = byId("diagnostics");
  chip = byId("diagnostics-chip");
  chip.addEventListener("click", () => { isFolded = !isFolded; show(); });
  on("diagnostics", message => {
    const hadErrors = list.some(isError);
    list = store.diagnostics = message.list;
    // Errors open by themselves, warnings wait to be asked for.
    if (list.some(isError)) { if (!hadErrors) isFolded = false; } else isFolded = true;
    // The picture is that of the text before: it steps back a little.
    byId("stage").classList.toggle("stale", list.some(isError));
    store.problem = message.rendering ? null : list.find(isError) ?? null;
    tell("problem");
    show();
    const errors = list.filter(isError);
    if (errors.length) tell("announce", `${counted(errors.length, "error")}: ${errors[0].path ?? ""} line ${errors[0].line ?? ""}: ${errors[0].message}`);
    else if (hadErrors) tell("announce", "No errors");
  });
}

function isError({ severity }) { return severity === "error"; }

function show() {
  const errors = list.filter(isError).length, others = list.length - errors;
  setText(byId("waiting"), errors ? "There is no picture yet" : "Waiting for the first picture");
  chip.hidden = list.length === 0;
  chip.className = `chip-button ${errors ? "bad" : "caution"}`;
  setText(chip, [errors ? counted(errors, "error") : "", others ? counted(others, "warning") : ""].filter(Boolean).join(", "));
  chip.setAttribute("aria-expanded", String(!isFolded && list.length > 0));
  box.hidden = isFolded || list.length === 0;
  if (box.hidden) return;
  box.replaceChildren(make("header", {}, make("b", {}, chip.textContent),
    byId("stage").classList.contains("stale") ? make("span", {}, store.frame ? "over the last picture that worked" : "there is no picture yet") : null,
    iconButton("close", "Fold the diagnostics", () => { isFolded = true; show(); chip.focus(); }, { key: "!" })), ...list.slice(0, 50).map(entry));
}

function entry(each) {
  const place = each.path ? `${each.path}${each.line ? `:${each.line}:${each.column ?? 1}` : ""}` : "",
    isOurs = typeof each.file === "number" && store.state?.files[each.file];
  return make("article", { className: isError(each) ? "bad" : "caution" },
    make("div", { className: "place-line" }, make("span", { className: "severity" }, each.severity),
      place && isOurs && store.state.editor ? make("button", { type: "button", className: "place", title: "Open in your editor",
        onclick: () => openEditor(each.file, each.line ?? 1, each.column ?? 1) }, place) : make("span", { className: "place" }, place),
      isOurs && each.line ? make("button", { type: "button", className: "link", onclick: () => { tell("tab", "text");
        showPlace(each.file, each.line, each.column ?? 1); } }, "Edit here") : null,
      each.code ? make("code", { className: "code" }, each.code) : null),
    make("p", { className: "message" }, each.message),
    excerptText(each) ? make("pre", { tabIndex: 0 }, excerptText(each)) : null,
    each.help && !each.excerpt?.includes("= help") ? make("p", { className: "help" }, "help: ", each.help) : null);
}

/** The lines as the command prints them, without the first one, which is said above. */
function excerptText({ excerpt, message }) {
  if (!excerpt) return "";
  const all = excerpt.replace(/\s+$/, "").split("\n");
  return (all[0].includes(message) ? all.slice(1) : all).join("\n");
}

export function toggleDiagnostics() { if (list.length) { isFolded = !isFolded; show(); } }
