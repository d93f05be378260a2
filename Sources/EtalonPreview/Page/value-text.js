// Values as texts, in the spelling of the command: numbers, vectors, colors; and what kind of text one is.

/** `plain`, `expression` in round brackets, `keyframes` in braces, or `track` behind @; of a parameter that is a text only `plain` and `keyframes`. */
export function kindOf(text, each) {
  if (each?.type === "text") return String(text ?? "").startsWith("{") ? "keyframes" : "plain";
  const trimmed = (text ?? "").trim();
  if (trimmed.startsWith("(")) return "expression";
  if (trimmed.startsWith("{")) return /^\{\s*track\s*:/.test(trimmed) ? "track" : "keyframes";
  if (trimmed.startsWith("@")) return "track";
  return "plain";
}

/** The numbers of a plain text, as many as are asked for; null where it has others. One number stands for all. */
export function numbersOf(text, count, isColor = false) {
  let body = String(text ?? "").trim();
  if (body.startsWith("#")) return colorOf(body, count);
  const call = /^(?:[iub]?vec[234]|mat[234](?:x[234])?|float|int)\((.*)\)$/.exec(body);
  if (call) body = call[1];
  body = body.replace(/^\[(.*)\]$/, "$1");
  if (/^(true|on)$/.test(body)) body = "1";
  if (/^(false|off)$/.test(body)) body = "0";
  const parts = body.split(",").map(part => part.trim()), numbers = parts.map(Number);
  if (!parts.every(part => part !== "") || numbers.some(Number.isNaN)) return null;
  if (numbers.length === 1 && count > 1) return Array(count).fill(numbers[0]);
  if (isColor && numbers.length === 3 && count === 4) return [...numbers, 1];
  return numbers.length === count ? numbers : null;
}

function colorOf(text, count) {
  const digits = text.slice(1);
  if (!/^[0-9a-f]+$/i.test(digits)) return null;
  const long = digits.length <= 4 ? [...digits].map(digit => digit + digit).join("") : digits;
  if (long.length !== 6 && long.length !== 8) return null;
  const numbers = long.match(/../g).map(pair => parseInt(pair, 16) / 255);
  if (numbers.length === 3 && count === 4) numbers.push(1);
  return numbers.slice(0, count);
}

/** A number with no more digits than a control can mean. */
export function plainNumber(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  const text = Math.abs(value) >= 1e7 ? String(value) : String(+value.toFixed(digits));
  return text === "-0" ? "0" : text;
}

/** Whether a parameter counts in whole numbers. */
export function isWhole({ type }) { return /^u?int$|^[iu]vec/.test(type); }

/** How many digits behind the point a parameter's range or steps ask for. */
export function digitsFor({ type, step, minimum, maximum }) {
  if (isWhole({ type })) return 0;
  if (step) return Math.min(6, (String(step).split(".")[1] ?? "").length);
  const span = numberOr(maximum, 1) - numberOr(minimum, 0);
  return Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(span) || 1))));
}

function numberOr(value, otherwise) {
  const number = Array.isArray(value) ? value[0] : value;
  return typeof number === "number" ? number : otherwise;
}

/** The limit of one component; ranges come as one number for all, or as one for each. */
export function limitOf(limit, component) {
  if (Array.isArray(limit)) return limit[component] ?? null;
  return typeof limit === "number" ? limit : null;
}

export function vectorText(numbers, digits = 4) { return numbers.map(number => plainNumber(number, digits)).join(","); }

/** A color as a person knows it, where eight bits can say it; numbers where they cannot. */
export function colorText(numbers) {
  const isPlain = numbers.every(number => number >= 0 && number <= 1 && Math.abs(number * 255 - Math.round(number * 255)) < 1e-3);
  return isPlain ? hexText(numbers) : vectorText(numbers);
}

export function hexText(numbers) {
  const pairs = numbers.map(number => Math.round(Math.min(1, Math.max(0, number)) * 255).toString(16).padStart(2, "0"));
  return `#${pairs.slice(0, numbers.length === 4 && pairs[3] === "ff" ? 3 : numbers.length).join("")}`;
}

/** What CSS paints for a color; brighter ones than white are white there. */
export function cssColor(numbers) {
  const [r, g, b] = numbers.map(number => Math.round(Math.min(1, Math.max(0, number)) * 255));
  return `rgb(${r} ${g} ${b} / ${numbers[3] ?? 1})`;
}

/** Whether two texts say the same value. */
export function isSameValue(a, b, { components = 1, type } = {}) {
  if (a === b) return true;
  if (type === "text") return false;
  if (kindOf(a) !== "plain" || kindOf(b) !== "plain") return String(a ?? "").replace(/\s/g, "") === String(b ?? "").replace(/\s/g, "");
  const first = numbersOf(a, components, type === "color"), second = numbersOf(b, components, type === "color");
  return first !== null && second !== null && first.every((number, i) => Math.abs(number - second[i]) <= 1e-6 * Math.max(1, Math.abs(number)));
}
