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

function copyButton(text) {
  const button = make("button", { onclick: async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1200);
  } }, "Copy");
  return button;
}
