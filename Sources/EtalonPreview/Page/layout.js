// The frame of the page: tabs, the border between picture and panel, light and dark, and what the bars say about picture and subject.
import { arrowKeys, byId, clamp, make, setPressed, setText } from "./dom.js";
import { canRedo, canUndo, copySide, redo, resetAll, side, sideDifferences, switchSide, undo } from "./history.js";
import { icon, iconButton } from "./icons.js";
import { on, preferences, store, tell } from "./store.js";
import { changeExposure, currentScale, fit, mostStops, setProxy, toggleCheckers, toggleFullScreen, toggleGrid, view, zoomStep, zoomTo } from "./stage.js";
import { setHand, tools } from "./pointer.js";

const dialects = { shadertoy: "ShaderToy", isf: "ISF", native: "native", compute: "compute" };
const themes = ["system", "dark", "light"];
let tab = "values", buttons = {};

export function startLayout() {
  document.documentElement.dataset.theme = preferences.get("theme", "system");
  for (const button of tabButtons()) button.addEventListener("click", () => showTab(button.dataset.tab));
  arrowKeys(byId("tabs"), "[role=tab]", button => showTab(button.dataset.tab));
  on("tab", name => showTab(name));
  startSplitter();
  startViewBar();
  startValueBar();
  byId("theme").addEventListener("click", () => changeTheme());
  on("subject", showSubject);
  on("dirty", isDirty => { byId("tab-text").classList.toggle("dirty", isDirty); });
  on("panels", () => dispatchEvent(new Event("resize")));
  on("stage-focus", showKeyboard);
  // A page with texts that were typed and not saved asks before it is closed.
  let isDirty = false;
  on("dirty", value => { isDirty = value; });
  addEventListener("beforeunload", event => { if (isDirty) event.preventDefault(); });
  showTab(preferences.get("tab", "values"));
}

function tabButtons() { return [...document.querySelectorAll("#tabs [role=tab]")]; }

export function showTab(name, focuses = false) {
  tab = name;
  preferences.set("tab", name);
  for (const button of tabButtons()) {
    const isChosen = button.dataset.tab === name;
    button.setAttribute("aria-selected", String(isChosen));
    button.tabIndex = isChosen ? 0 : -1;
    byId(`panel-${button.dataset.tab}`).hidden = !isChosen;
  }
  document.documentElement.dataset.tab = name;
  showWidth();
  if (focuses) (name === "text" ? byId("text") : byId(`panel-${name}`).querySelector(".parameter input, .parameter select, .input-card input, button"))?.focus();
}

// The border between picture and panel: text wants more room than values, so each remembers its own.

function widthName() { return tab === "text" ? "width-text" : "width"; }
function widest() { return Math.max(264, innerWidth - 320); }
function panelWidth() { return clamp(preferences.get(widthName(), tab === "text" ? Math.round(innerWidth * .42) : 376), 264, widest()); }
function showWidth() {
  const width = panelWidth();
  document.documentElement.style.setProperty("--panel-width", `${width}px`);
  byId("splitter").setAttribute("aria-valuenow", String(width));
  byId("splitter").setAttribute("aria-valuemax", String(widest()));
}

function startSplitter() {
  const splitter = byId("splitter");
  splitter.addEventListener("pointerdown", event => { event.preventDefault(); splitter.setPointerCapture(event.pointerId); });
  splitter.addEventListener("pointermove", event => { if (splitter.hasPointerCapture(event.pointerId)) { preferences.set(widthName(),
    Math.round(innerWidth - event.clientX)); showWidth(); } });
  splitter.addEventListener("dblclick", () => { preferences.set(widthName(), null); showWidth(); });
  splitter.addEventListener("keydown", event => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    preferences.set(widthName(), panelWidth() + step);
    showWidth();
  });
  addEventListener("resize", showWidth);
}

export function changeTheme() {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
  document.documentElement.dataset.theme = next;
  preferences.set("theme", next);
  tell("announce", `Colors: ${next}`);
  byId("theme").title = `Colors: ${next} (X)`;
}

// Above the picture

function startViewBar() {
  const scale = make("select", { id: "zoom", "aria-label": "Zoom", title: "Zoom", onchange: () => { if (scale.value === "fit") fit(); else zoomTo(+scale.value); } },
    make("option", { value: "fit" }, "Fit"), ...[.25, .5, 1, 2, 4, 8, 16, 32, 64, 128].map(value => make("option", { value: String(value) }, `${value * 100} %`)),
      make("option", { value: "other", hidden: true }, ""));
  const proxy = make("select", { id: "proxy", "aria-label": "How much of the size is rendered", title: "How much of the size is rendered",
    onchange: () => setProxy(+proxy.value) }, ...[[1, "Full"], [.5, "1/2"], [.25, "1/4"]].map(([value, label]) => make("option", { value: String(value) }, label)));
  const exposure = make("input", { type: "range", min: -mostStops, max: mostStops, step: .25, value: 0, id: "exposure", "aria-label": "Exposure in stops",
    title: "Exposure (E brighter, D darker, 0 back)", oninput: () => changeExposure(+exposure.value), ondblclick: () => changeExposure(0) });
  const stops = make("output", { className: "stops" }, "0.0");
  buttons = { hand: iconButton("hand", "Move the picture", () => setHand(!tools.hand), { key: "H" }),
    checkers: iconButton("checkers", "Checkers behind alpha", toggleCheckers, { key: "C" }),
    grid: iconButton("grid", "Grid and numbers at high zoom", toggleGrid, { key: "G" }) };
  byId("view-bar").replaceChildren(
    make("div", { className: "cluster" }, iconButton("fit", "Fit", fit, { key: "F" }),
      make("button", { type: "button", title: "One pixel for one pixel (1)", onclick: () => zoomTo(1) }, "1:1"), scale),
    make("div", { className: "cluster" }, proxy), make("div", { className: "cluster" }, buttons.hand, buttons.checkers, buttons.grid),
    make("div", { className: "cluster exposure" }, icon("sun"), exposure, stops), byId("diagnostics-chip"),
    iconButton("full", "Full screen", toggleFullScreen, { key: "Shift+F" }));
  const show = () => {
    const value = currentScale(), percent = value * 100, text = `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`,
      other = scale.querySelector("[value=other]");
    const usual = [...scale.options].find(option => +option.value === value);
    other.textContent = text;
    scale.value = view.isFit ? "fit" : usual ? usual.value : "other";
    scale.title = `Zoom: ${text}`;
    exposure.value = view.exposure;
    exposure.style.setProperty("--fill", String((view.exposure + mostStops) / (2 * mostStops)));
    setText(stops, `${view.exposure > 0 ? "+" : ""}${view.exposure.toFixed(2).replace(/0$/, "")}`);
    stops.classList.toggle("changed", view.exposure !== 0);
    proxy.value = String(view.proxy);
    setPressed(buttons.hand, tools.hand);
    setPressed(buttons.checkers, view.showsCheckers);
    setPressed(buttons.grid, view.showsGrid);
  };
  for (const name of ["view", "layout", "subject"]) on(name, show);
  on("subject", state => { buttons.hand.hidden = !state.mouse; });
  show();
}

/** Above the values: undo, both sides, and all defaults. */
function startValueBar() {
  const back = iconButton("undo", "Undo", undo, { key: "Ctrl+Z" }), forward = iconButton("redo", "Redo", redo, { key: "Ctrl+Shift+Z" });
  const a = make("button", { type: "button", title: "Values A (B changes sides)", onclick: () => { if (side !== "a") switchSide(); } }, "A"),
    b = make("button", { type: "button", title: "Values B (B changes sides)", onclick: () => { if (side !== "b") switchSide(); } }, "B");
  const copy = make("button", { type: "button", onclick: copySide }, "");
  byId("value-bar").replaceChildren(make("div", { className: "cluster" }, back, forward),
    make("div", { className: "segments", role: "group", "aria-label": "Sets of values" }, a, b), copy,
    make("span", { className: "spring" }), iconButton("curve", "The curve of the selected parameter", () => tell("curve"), { key: "U" }),
      iconButton("reset", "All values back to their defaults", resetAll, { key: "Shift+R" }));
  const show = () => {
    back.disabled = !canUndo();
    forward.disabled = !canRedo();
    setPressed(a, side === "a");
    setPressed(b, side === "b");
    const other = side === "a" ? "B" : "A", count = sideDifferences();
    setText(copy, `→ ${other}`);
    copy.title = `Makes ${other} like ${side.toUpperCase()}${count ? `: ${count} ${count === 1 ? "value differs" : "values differ"}` : ""}`;
    copy.disabled = count === 0;
  };
  for (const name of ["history", "side", "value", "subject"]) on(name, show);
  show();
}

// What is shown about the subject

function showSubject(state) {
  document.title = `${state.title || state.subject} – etalon preview`;
  setText(byId("title"), state.title || state.subject);
  byId("title").title = state.subject;
  const size = state.size ? `${state.size[0]}×${state.size[1]}` : null;
  const facts = [dialects[state.dialect] ?? state.dialect, size, `${+(state.rate ?? 24).toFixed(3)} fps`,
    state.feedback ? "feedback" : null, state.device].filter(Boolean);
  byId("facts").replaceChildren(...facts.map(fact => make("span", { className: "chip" }, fact)));
  const count = state.parameters.length;
  setText(byId("tab-values"), count ? `Values ${count}` : "Values");
  setText(byId("tab-inputs"), state.inputs.length ? `Inputs ${state.inputs.length}` : "Inputs");
  showKeyboard(document.activeElement === byId("stage"));
}

/** Says where the keys go, because the page's own ones are silent meanwhile. */
function showKeyboard(hasFocus) { byId("keyboard-note").hidden = !(hasFocus && store.state?.keyboard); }
