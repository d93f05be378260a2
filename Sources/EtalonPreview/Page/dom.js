// A few words for making elements. What comes from files is always text here, never markup.

const svgSpace = "http://www.w3.org/2000/svg";

/** Makes an element: `onclick` and the like are listeners, names that the element knows are properties, all others are attributes. */
export function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for drawings, whose names are attributes only. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter(isShown));
  return element;
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list" && name !== "form") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter(isShown));
  return element;
}

function isShown(child) { return child !== null && child !== undefined && child !== false; }

export function byId(id) { return document.getElementById(id); }

/** Sets a text only if it changed, so that nothing is laid out and read out again without need. */
export function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

export function setPressed(button, isPressed) { button.setAttribute("aria-pressed", String(isPressed)); }

/** So many of something: "1 frame", "12 frames". */
export function counted(count, noun) { return `${count} ${noun}${count === 1 ? "" : "s"}`; }

export function clamp(value, low, high) { return Math.min(high, Math.max(low, value)); }

/** Puts a text on the clipboard; says whether that worked. */
export async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* refused without a gesture: the old way may still do */ }
  const area = make("textarea", { value: text, className: "off-screen" });
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

/** Moves the choice among buttons of a group with the arrow keys, as tabs and radio buttons do. */
export function arrowKeys(group, selector, choose) {
  group.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...group.querySelectorAll(selector)], at = all.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[(at + step + all.length) % all.length];
    next.focus();
    choose(next);
  });
}
