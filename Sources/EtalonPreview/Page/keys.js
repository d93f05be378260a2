// Every key of the page, in one table: what it does, and what the help says about it.
import { toggleDiagnostics } from "./diagnostics.js";
import { copyCommand, openCase, openPresets, openRender } from "./dialogs.js";
import { byId } from "./dom.js";
import { attempt, save } from "./editor.js";
import { redo, resetAll, switchSide, undo } from "./history.js";
import { focusSearch, toggleKey } from "./parameters.js";
import { seekKey, showCurve } from "./curve.js";
import { toggleMute } from "./sound.js";
import { changeExposure, currentScale, fit, toggleCheckers, toggleFullScreen, toggleGrid, view, zoomStep, zoomTo } from "./stage.js";
import { preferences, store, tell } from "./store.js";
import { firstFrame, lastFrame } from "./times.js";
import { marks, rateStep, seek, setMark, step, toggleLoop, togglePlay } from "./transport.js";
import { setHand, tools, usesKeys } from "./pointer.js";
import { changeTheme, showTab } from "./layout.js";

/** [group, keys as `event.key` says them, how the help writes them, what they do, the action] */
export const table = [
  ["Time", [" "], "Space", "play or pause", togglePlay],
  ["Time", ["ArrowLeft"], "←", "one frame back; ten with Shift", event => step(event.shiftKey ? -10 : -1)],
  ["Time", ["ArrowRight"], "→", "one frame on; ten with Shift", event => step(event.shiftKey ? 10 : 1)],
  ["Time", ["Home"], "Home", "to the start", () => seek(firstFrame())],
  ["Time", ["End"], "End", "to the end", () => seek(lastFrame() ?? marks.out ?? store.clock.frame)],
  ["Time", ["i"], "I", "mark the start of the loop", () => setMark("in")],
  ["Time", ["o"], "O", "mark the end of the loop", () => setMark("out")],
  ["Time", ["l"], "L", "loop between the marks, or not", toggleLoop],
  ["Time", ["["], "[", "play slower", () => rateStep(-1)],
  ["Time", ["]"], "]", "play faster", () => rateStep(1)],
  ["Time", ["j"], "J", "type a time", () => byId("time").focus()],
  ["Time", ["m"], "M", "mute the sound", toggleMute],
  ["Picture", ["f"], "F", "fit into the window", fit],
  ["Picture", ["1"], "1", "one pixel for one pixel", () => zoomTo(1)],
  ["Picture", ["+", "="], "+", "closer, down to single pixels", () => zoomStep(1)],
  ["Picture", ["-"], "−", "further away", () => zoomStep(-1)],
  ["Picture", ["h"], "H", "the hand moves the picture, even where a shader takes the mouse", () => setHand(!tools.hand)],
  ["Picture", ["c"], "C", "checkers behind alpha", toggleCheckers],
  ["Picture", ["g"], "G", "grid and numbers between pixels", toggleGrid],
  ["Picture", ["e"], "E", "brighter by a quarter of a stop", () => changeExposure(view.exposure + .25)],
  ["Picture", ["d"], "D", "darker by a quarter of a stop", () => changeExposure(view.exposure - .25)],
  ["Picture", ["0"], "0", "exposure back to nothing", () => changeExposure(0)],
  ["Picture", ["F"], "Shift+F", "full screen", toggleFullScreen],
  ["Values", ["Ctrl+z"], "Ctrl+Z", "undo", undo],
  ["Values", ["Ctrl+Z", "Ctrl+y"], "Ctrl+Shift+Z", "redo", redo],
  ["Values", ["b"], "B", "between A and B", switchSide],
  ["Values", ["/"], "/", "find a parameter", () => { showTab("values"); focusSearch(); }],
  ["Values", ["k"], "K", "a key at the play head for the selected parameter", () => store.selected && toggleKey(store.selected)],
  ["Values", [","], ",", "to the key before", () => seekKey(-1)],
  ["Values", ["."], ".", "to the key behind", () => seekKey(1)],
  ["Values", ["u"], "U", "the curve of the selected parameter", () => showCurve()],
  ["Values", ["R"], "Shift+R", "all values back to their defaults", resetAll],
  ["Panels", ["v"], "V", "values", () => showTab("values", true)],
  ["Panels", ["n"], "N", "inputs", () => showTab("inputs", true)],
  ["Panels", ["t"], "T", "text", () => showTab("text", true)],
  ["Panels", ["p"], "P", "the picture", () => byId("stage").focus()],
  ["Panels", ["!"], "!", "show or fold the diagnostics", toggleDiagnostics],
  ["Text", ["Ctrl+Enter"], "Ctrl+Enter", "try the text", attempt],
  ["Text", ["Ctrl+s"], "Ctrl+S", "save the file", () => save()],
  ["Out", ["r"], "R", "render into files", openRender],
  ["Out", ["s"], "S", "presets", openPresets],
  ["Out", ["y"], "Y", "copy as a command", copyCommand],
  ["Out", ["a"], "A", "add a test case", openCase],
  ["Page", ["x"], "X", "dark, light, or as the system", () => changeTheme()],
  ["Page", ["?"], "?", "this help", () => tell("help")],
];

/** What a field does with its own keys: those are not the page's. */
const ownKeys = "input:not([type=range]):not([type=checkbox]):not([type=color]), textarea, select";

export function startKeys() {
  const actions = new Map(table.flatMap(([, keys, , , action]) => keys.map(key => [key, action])));
  addEventListener("keydown", event => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    const isCtrl = event.ctrlKey || event.metaKey, name = isCtrl ? `Ctrl+${event.key}` : event.key;
    const action = actions.get(name), target = event.target;
    if (!action) return;
    const isText = target.matches?.(ownKeys);
    if (isCtrl) {
      // A field undoes its own typing.
      if (isText && /^[zy]$/i.test(event.key)) return;
    } else {
      if (isText || usesKeys() || !preferences.get("single-keys", true) && /^[a-z0-9,.\/\[\]+=!-]$/i.test(event.key)) return;
      // Buttons are pressed with the space bar, sliders and tabs have the arrow keys.
      if (event.key === " " && target.matches?.("button, summary, input")) return;
      if (/^(Arrow|Home|End)/.test(event.key) && target.matches?.("input, [role=slider], [role=tab]")) return;
    }
    event.preventDefault();
    action(event);
  });
}
