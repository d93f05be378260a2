// A few words for making elements; text is always text, never markup.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** A table; cells that are numbers are set to the right. */
function table(heads, rows) {
  const cell = value => make("td", typeof value === "number" ? { className: "number" } : {}, typeof value === "number" ? numberText(value) : value ?? "");
  const head = heads.some(Boolean) ? make("thead", {}, make("tr", {}, ...heads.map(head => make("th", { scope: "col" }, head)))) : null;
  return make("table", {}, ...[head].filter(Boolean),
    make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map(cell)))));
}

/** So many of something: "1 pixel", "12 pixels". */
function counted(count, noun) { return `${count} ${noun}${count === 1 ? "" : "s"}`; }

/** A number in five digits; numbers that are not finite arrive as texts. */
function numberText(value) {
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size !== 0 && size < 1e-4 || size >= 1e6 ? value.toExponential(3) : String(Number(value.toPrecision(5)));
}

/** Puts a text on the clipboard; says whether that worked. */
async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* pages of files may have no clipboard */ }
  const area = make("textarea", { value: text, style: "position: fixed; opacity: 0" });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

function copyButton(text, label = "Copy") {
  const button = make("button", { className: "copy", title: text, onclick: async () => {
    const isCopied = await copyText(text);
    button.textContent = isCopied ? "Copied" : "Select it to copy it";
    setTimeout(() => button.textContent = label, 1600);
  } }, label);
  return button;
}

/** A button that can do nothing here: it looks like it, and says why wherever it is asked. */
function grayButton(label, reason) {
  return make("button", { "aria-disabled": "true", title: reason }, label);
}
