// The overlay with all keys, and how the page is meant to be used.
import { byId, make } from "./dom.js";
import { table } from "./keys.js";
import { on, preferences } from "./store.js";

export function startHelp() {
  on("help", openHelp);
  byId("help-open").addEventListener("click", openHelp);
}

function openHelp() {
  if (byId("help")) return;
  const groups = new Map();
  for (const [group, , keys, text] of table) { if (!groups.has(group)) groups.set(group, []); groups.get(group).push([keys, text]); }
  const single = make("input", { type: "checkbox", checked: preferences.get("single-keys", true), onchange: () => preferences.set("single-keys", single.checked) });
  const dialog = make("dialog", { id: "help", className: "help", "aria-label": "Keys" });
  dialog.append(make("form", { method: "dialog" },
    make("header", {}, make("h2", {}, "Keys"), make("label", { className: "check" }, single, "Single letters are keys"),
      make("button", { className: "primary" }, "Close")),
    make("div", { className: "key-groups" }, ...[...groups].map(([name, rows]) => make("section", {}, make("h3", {}, name),
      make("dl", {}, ...rows.map(([keys, text]) => make("div", {},
        make("dt", {}, ...keys.split("+").filter(Boolean).map(key => make("kbd", {}, key)), keys === "+" ? make("kbd", {}, "+") : null), make("dd", {}, text)))))),
    make("section", {}, make("h3", {}, "With the mouse"), make("dl", {}, ...[
      ["wheel", "zoom; with Shift to the sides"], ["drag", "moves the picture, or is the mouse of a shader that takes it"],
        ["Alt drag", "moves the picture in any case; so does the middle button"],
      ["drag a slider", "with Shift it moves a tenth as far; ranges such as 0 to 1000 are finest around the default"],
      ["drag a number", "changes it by steps, with Shift by tenths of them; a click types it"], ["double click", "on a name: back to the default"], ["drop a file", "on the picture or an input"],
    ].map(([what, text]) => make("div", {}, make("dt", {}, make("kbd", {}, what)), make("dd", {}, text))))),
    make("section", {}, make("h3", {}, "What can be typed"), make("dl", {}, ...[
      ["↑ ↓", "in a number, ← → on a slider: a step; ten with Shift, a tenth with Alt"], ["0.5", "a number; 0.4,0.6 a vector; #ff8800 a color"], ["(0.5+0.5*sin(time))", "an expression over time, frame, progress and other parameters"],
        ["{0s: 0, 24f: 1}", "keys at times, with {value: 1, ease: cubic-in-out}"], ["@path.csv:column", "a track"],
    ].map(([what, text]) => make("div", {}, make("dt", {}, make("code", {}, what)), make("dd", {}, text))))))));
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
