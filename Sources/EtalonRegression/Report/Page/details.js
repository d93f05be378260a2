// Everything about one case: why, its frames, its numbers, and what to type.

async function showCase(index, frameIndex) {
  const testCase = report.cases[index], frames = testCase.frames;
  const place = frameIndex ?? Math.max(0, frames.findIndex(frame => tone(frame.verdict) !== "good"));
  const frame = frames[place];
  selection = { index, place };
  rememberAddress();
  markOpenCase();
  const parts = [
    make("h2", {}, caseTitle(testCase)),
    make("p", { className: `message ${tone(testCase.verdict)}` }, [words(testCase.verdict), testCase.reason].filter(Boolean).join(": ")),
    ...testCase.notes.map(note => make("p", { className: "message" }, note)),
    testCase.diagnostics ? make("pre", {}, testCase.diagnostics) : null,
    frameButtons(index, frames, place),
    frame?.reason && frame.reason !== testCase.reason ? make("p", { className: `message ${tone(frame.verdict)}` }, frame.reason) : null,
    frame ? await viewer(frame) : null,
    frame?.comparison ? await measures(frame) : null,
    commands(testCase),
    make("h3", {}, "Case"), table(["", ""], caseFacts(testCase, frame)),
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
    ...found.lines.map(line => ["undetermined", `${line.text} (${counted(line.pixels, "pixel")})`]),
  ];
}

/** What a color of the picture of stability stands for. */
function colorKey({ color, text, pixels }) {
  return make("span", {}, make("i", { className: "key", style: `background: ${color}` }), ` ${text}: ${counted(pixels, "pixel")}`);
}

function stabilityWords(found) {
  return `How far pixels move where devices may do as they like, the worst of ${counted(found.runs, "run")}`;
}

function commands(testCase) {
  const entries = [["Reproduce", testCase.reproduce], ["Approve what was rendered", testCase.approve]].filter(([, text]) => text);
  return make("section", {}, ...entries.map(([title, text]) => make("div", {}, make("h3", {}, title),
    make("div", { className: "bar" }, make("pre", {}, text), copyButton(text)))));
}
