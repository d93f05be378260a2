// Short notices in the corner, and words for those who hear the page instead of seeing it.
import { byId, make, setText } from "./dom.js";
import { iconButton } from "./icons.js";
import { on, store } from "./store.js";

let stack, spoken, line;

export function startNotices() {
  stack = byId("notices");
  spoken = byId("spoken");
  line = byId("line-state");
  on("notice", notice);
  on("announce", announce);
  on("done", ({ text }) => notice({ text, tone: "good" }));
  on("connected", () => showLine());
  on("disconnected", () => showLine());
  setTimeout(showLine, 1500);
}

/** Says something to screen readers. The same words twice are two events, so the first are taken away before. */
export function announce(text) {
  spoken.textContent = "";
  requestAnimationFrame(() => { spoken.textContent = text; });
}

export function notice({ text, help, tone = "" }) {
  // The same words again take the place of the old ones.
  for (const old of stack.children) if (old.querySelector("p").textContent === text) { old.remove(); break; }
  const element = make("div", { className: `notice ${tone}`, role: tone === "bad" ? "alert" : "status" },
    make("div", {}, make("p", {}, text), help ? make("p", { className: "help" }, `help: ${help}`) : null), iconButton("close", "Dismiss", () => element.remove()));
  stack.append(element);
  // The last one that was shown lies above dialogs.
  if (stack.matches(":popover-open")) stack.hidePopover();
  stack.showPopover();
  while (stack.children.length > 4) stack.firstChild.remove();
  // Long enough to be read: it stays while the pointer is on it, and errors stay until they are dismissed.
  if (tone === "bad") return;
  let timer = setTimeout(() => element.remove(), 4000 + 40 * text.length);
  element.addEventListener("pointerenter", () => clearTimeout(timer));
  element.addEventListener("pointerleave", () => { timer = setTimeout(() => element.remove(), 2000); });
}

function showLine() {
  line.hidden = store.isConnected;
  document.body.classList.toggle("offline", !store.isConnected);
  const help = store.state ? "The page goes on when it is back; what you typed is kept." : "Start etalon preview again, and open the address that it prints.";
  setText(line, store.isConnected ? "" : `The preview does not answer. ${help}`);
}
