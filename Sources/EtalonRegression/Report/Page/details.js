// Everything about one case: why, its frames, its numbers, and what to type.

async function showCase(index, frameIndex) {
  const testCase = report.cases[index], frames = testCase.frames;
  const place = frameIndex ?? Math.max(0, frames.findIndex(frame => tone(frame.verdict) !== "good"));
  const frame = frames[place];
  selection = { index, place };
  rememberAddress();
  markOpenCase();
  const parts = [
    make("div", { className: "title" }, make("h2", {}, caseTitle(testCase)), make("span", { className: `chip ${tone(testCase.verdict)}` }, words(testCase.verdict)),
      make("span", { className: "place" }, testCase.line ? `${testCase.path}:${testCase.line}` : testCase.path)),
    judgement(testCase, frame),
    frameButtons(index, frames, place),
    frame?.reason && !testCase.reason.startsWith(frame.reason) ? make("p", { className: `message ${tone(frame.verdict)}` }, frame.reason) : null,
    frame ? await viewer(frame) : null,
    frame?.comparison ? section("Numbers", await measures(frame)) : null,
    section("Case", table(["", ""], caseFacts(testCase, frame))),
  ];
  if (selection.index !== index || selection.place !== place) return;
  document.getElementById("case").replaceChildren(...parts.filter(Boolean));
  document.querySelector(".panes")?.dispatchEvent(new Event("shown"));
}

/** What is tested, and the name of the case where it has one of its own. */
function caseTitle({ subject, name }) { return subject && name && name !== subject ? `${subject}: ${name}` : subject || name; }

function frameButtons(index, frames, place) {
  if (frames.length < 2) return null;
  const label = frame => frame.check === "reference" ? frame.moment : `${frame.check}, ${frame.moment}`;
  return make("div", { className: "frames", role: "group", "aria-label": "Frames" }, ...frames.map((frame, i) => make("button", {
    className: tone(frame.verdict), title: words(frame.verdict), "aria-pressed": String(i === place), onclick: () => showCase(index, i),
  }, label(frame))));
}

function caseFacts(testCase, frame) {
  const place = testCase.line ? `${testCase.path}:${testCase.line}` : testCase.path;
  return [
    ["identity", testCase.id], ["file", place], ["filter or graph", testCase.subject],
    frame && ["check", `${frame.check}, ${frame.moment}`], frame?.size && ["size", frame.size],
    frame?.nan ? ["pixels with NaN", frame.nan] : null,
    frame?.infinite ? ["pixels with infinities", frame.infinite] : null,
    ...specificationFacts(frame?.specification),
    ...(frame?.stability?.bands ?? []).map((band, i) => [i ? "" : `stability, ${counted(frame.stability.runs, "run")}`, colorKey(band)]),
    frame?.reference && ["reference", frame.reference], frame?.recipe && ["recipe", frame.recipe],
    ...(testCase.laws ?? []).map(({ law, outcome, reason }) => [`law of ${law}`, words(outcome) + (reason ? `: ${reason}` : "")]),
    testCase.expectation && ["expected", testCase.expectation], ["seconds", testCase.seconds], report.earlier?.length ? ["runs before", earlierVerdicts(testCase)] : null,
    testCase.attempts.length ? ["runs", testCase.attempts.map(attempt => `${attempt.kind}: ${words(attempt.verdict)}`).join(", ")] : null,
  ].filter(Boolean);
}

/** How pixels that differ lie beside what the Vulkan specification allows. */
function specificationFacts(found) {
  if (!found) return [];
  const { worst } = found;
  return [
    ["judged by the specification", `${found.judged} of ${counted(found.differing, "pixel")} that ${found.differing === 1 ? "differs" : "differ"}`],
    ["inside, outside, undetermined, unknown", `${found.inside}, ${found.outside}, ${found.undetermined}, ${found.unknown}`],
    worst ? ["worst pixel", `column ${worst.column}, row ${worst.rowFromTop} from the top: ${worst.channel} is ${numberText(worst.actual)}, `
      + `was ${numberText(worst.reference)}, may be ${numberText(worst.low)} to ${numberText(worst.high)}`] : null,
    ...found.lines.map(line => ["open since", `${line.text} (${counted(line.pixels, "pixel")})`]),
  ];
}

/** What a color of the picture of stability stands for. */
function colorKey({ color, text, pixels }) {
  return make("span", {}, make("i", { className: "key", style: `background: ${color}` }), ` ${text}: ${counted(pixels, "pixel")}`);
}

function stabilityWords(found) {
  return `How far pixels move where devices may do as they like, the worst of ${counted(found.runs, "run")}`;
}

/** A part of the page that can be folded. */
function section(title, ...content) { return make("details", { open: true }, make("summary", {}, title), ...content); }

// Why the case is as it is: whom to blame, the lines and changes that explain it, and what to type.

function judgement(testCase, frame) {
  const [headline, text] = headlineOf(testCase);
  const notes = testCase.notes.filter(note => !note.startsWith("blame: ") && !note.startsWith("specification: ") && !/^\d+ pixels?: /.test(note));
  const isPlain = tone(testCase.verdict) === "good";
  return make("section", { className: `judgement ${tone(testCase.verdict)}` },
    headline ? make("h3", { className: "headline" }, headline) : null,
    text ? make("p", { className: "why" }, text) : null,
    testCase.reason && testCase.reason !== text ? make("p", { className: "message" }, testCase.reason) : null,
    testCase.mistakes?.length || testCase.diagnostics ? make("pre", {}, testCase.diagnostics.trimEnd()) : null,
    alike(testCase),
    isPlain ? null : changes(testCase, frame), isPlain ? null : lines(testCase),
    notes.length ? make("ul", { className: "notes" }, ...notes.map(note => make("li", {}, note))) : null,
    commands(testCase));
}

/** The headline, and the sentence that explains it. */
function headlineOf(testCase) {
  const blame = testCase.notes.find(note => note.startsWith("blame: "))?.slice(7), why = blame?.replace(/^(the \w+|not worked out): /, "");
  switch (testCase.blame) {
    case "driver": return ["The driver is to blame", why];
    case "shader": return ["The shader is to blame", why];
    case "change": return ["A change since the reference is to blame", why];
  }
  if (testCase.mistakes?.length) return [`Could not run because of ${placeText(testCase.mistakes[0])}`, ""];
  if (blame) return ["It could not be worked out whom to blame", why];
  const changed = changesOf(testCase).length > 0;
  switch (testCase.verdict) {
    case "failed": return [changed ? "A change since the reference is to blame" : "It is not what it should be", ""];
    case "missing-reference": return [testCase.frames.some(frame => frame.isRecorded) ? "Its reference was recorded in this run" : "There is no reference yet", ""];
    case "size-mismatch": return ["The reference has another size", ""];
    case "not-deterministic": return ["It is not the same twice", ""];
    case "not-worked-out": return ["It could not be worked out whether Vulkan allows the difference", ""];
    case "warning": return ["It passes, and is worth a look", ""];
    case "passed": return testCase.frames.some(frame => frame.specification) ? ["It differs within what the Vulkan specification allows", ""] : ["", ""];
    default: return [sentence(words(testCase.verdict)), ""];
  }
}

function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

function placeText({ path, line, column }) { return `${path}:${line}:${column}`; }

/** The other cases that cannot run for the same reason. */
function alike(testCase) {
  if (!testCase.mistakes?.length) return null;
  const key = JSON.stringify(testCase.mistakes), same = report.cases.map((other, i) => [other, i]).filter(([other]) => JSON.stringify(other.mistakes) === key);
  if (same.length < 2) return null;
  return make("div", {}, make("h4", {}, `${counted(same.length, "case")} could not run because of it`),
    make("div", { className: "frames" }, ...same.slice(0, 40).map(([other, i]) => make("button", { onclick: () => showCase(i), "aria-pressed": String(other === testCase) }, other.name || other.id))));
}

/** What changed since the reference, with the lines of files. */
function changes(testCase, frame) {
  const found = changesOf(testCase), reference = frame?.check === "reference" ? frame : testCase.frames.find(other => other.check === "reference");
  if (!reference || !["failed", "warning", "not-worked-out", "size-mismatch"].includes(testCase.verdict)) return null;
  if (!found.length) {
    return reference.changes ? make("p", { className: "neutral" }, "Nothing changed of what the reference says it was made of: no file, no value.")
      : reference.reference?.startsWith("device ") ? null : make("p", { className: "neutral" }, "The reference does not say what it was made of.");
  }
  return make("div", {}, make("h4", {}, "Changed since the reference was recorded"),
    make("ul", { className: "changes" }, ...found.map(change => make("li", {}, change.text, ...[change.source && excerpt(change.source)].filter(Boolean)))));
}

/** The lines of shaders where pixels become open, or unknown. */
function lines(testCase) {
  const found = new Map();
  for (const frame of testCase.frames) for (const line of frame.specification?.lines ?? []) {
    const known = found.get(line.text);
    found.set(line.text, known ? { ...line, pixels: known.pixels + line.pixels } : line);
  }
  const shown = [...found.values()].filter(line => line.source || /:\d+: /.test(line.text)).sort((a, b) => b.pixels - a.pixels).slice(0, 4);
  if (!shown.length) return null;
  return make("div", {}, make("h4", {}, testCase.blame === "driver" ? "Where other pixels hang on the device" : "Where it hangs on the device"),
    make("ul", { className: "changes" }, ...shown.map(line => make("li", {}, `${line.text} (${counted(line.pixels, "pixel")})`, ...[line.source && excerpt(line.source)].filter(Boolean)))));
}

/** Some lines of a file with their numbers. */
function excerpt({ path, lines }) {
  let last = lines[0].number - 1;
  const rows = lines.flatMap(line => {
    const gap = line.number === last + 1 ? [] : [make("div", { className: "gap" }, "⋮")];
    last = line.number;
    return [...gap, make("div", { className: line.isMarked ? "marked" : "" }, make("i", {}, String(line.number)), make("code", {}, line.text || " "))];
  });
  return make("figure", { className: "source" }, make("figcaption", {}, path), ...rows);
}

function commands(testCase) {
  const row = (title, text, reason) => make("div", { className: "command" }, make("span", {}, title),
    text ? make("code", {}, text) : make("span", { className: "reason" }, reason),
    text ? copyButton(text) : grayButton("Copy", reason));
  return make("div", { className: "commands" },
    testCase.reproduce ? row("Reproduce", testCase.reproduce) : null,
    row("Approve", testCase.approve, noApproval(testCase)));
}

/** Why nothing of a case can be approved. */
function noApproval(testCase) {
  if (testCase.frames.some(frame => frame.isRecorded)) return "Nothing is to be approved: the run wrote the reference itself.";
  if (testCase.verdict === "passed" || testCase.verdict === "expected-failure" || testCase.verdict === "skipped") return `Nothing is to be approved: it is ${words(testCase.verdict)}.`;
  if (testCase.verdict === "flaky" || testCase.verdict === "order-dependent" || testCase.verdict === "not-deterministic") return "Not possible: a picture that is not the same each time cannot be a reference.";
  if (testCase.verdict === "invalid" || !testCase.frames.length) return "Not possible: nothing was rendered.";
  if (testCase.isWithoutCase) return "Not possible: the filter has no case yet, so there is no reference.";
  if (testCase.frames.some(frame => frame.check === "renders" && frame.verdict === "failed")) return "Not possible: the picture has one color, or pixels that are no numbers, which no reference may have unless the case allows it.";
  if (testCase.frames.some(frame => frame.reference?.startsWith("device "))) return "Not possible: it is compared with another device, not with a stored picture.";
  return "Not possible: the run left no picture that could take the place of a reference.";
}
