// The cases, the worst verdicts first, and which of them are shown.
const report = JSON.parse(document.getElementById("report").textContent);
const verdictTones = { passed: "good", "expected-failure": "neutral", skipped: "neutral", warning: "caution", "not-worked-out": "caution" };
const hiddenVerdicts = new Set();
/** The case and the frame that are open. */
let selection = {};

function tone(verdict) { return verdictTones[verdict] ?? "bad"; }

/** The words of a verdict: `missing-reference` is "missing reference". */
function words(verdict) { return verdict.replaceAll("-", " "); }

function severity(verdict) { return ["bad", "caution", "neutral", "good"].indexOf(tone(verdict)); }

const order = report.cases.map((_, index) => index)
  .sort((a, b) => severity(report.cases[a].verdict) - severity(report.cases[b].verdict) || a - b);

function matches(testCase, text) {
  return !hiddenVerdicts.has(testCase.verdict)
    && [testCase.name, testCase.id, testCase.subject, testCase.reason].some(part => part.toLowerCase().includes(text));
}

function shownCases() {
  const text = document.getElementById("search").value.trim().toLowerCase();
  return order.filter(index => matches(report.cases[index], text));
}

function caseRow(index) {
  const testCase = report.cases[index], canvas = make("canvas", { width: 112, height: 80 });
  canvas.dataset.picture = testCase.frames.map(frame => frame.pictures.actual ?? frame.pictures.reference).find(Boolean) ?? "";
  if (canvas.dataset.picture) thumbnails.observe(canvas);
  const row = make("button", { className: "row", onclick: () => showCase(index), title: testCase.id }, canvas,
    make("div", {}, make("b", {}, testCase.name || testCase.subject),
      make("span", {}, make("i", { className: tone(testCase.verdict) }, words(testCase.verdict)), testCase.reason ? ` ${testCase.reason}` : "")));
  row.dataset.index = index;
  return row;
}

// Groups: what fails or warns by filter and cause, the rest by verdict.

const blames = { change: "the change", shader: "the shader", driver: "the driver" };

/** Why a case is not as it should be, in two or three words; cases with the same filter and cause are one group. */
function cause(testCase) {
  if (testCase.mistakes?.length) return `could not run: ${fileName(testCase.mistakes[0].path)}:${testCase.mistakes[0].line}`;
  if (testCase.blame) return `blame: ${blames[testCase.blame]}`;
  const changed = changesOf(testCase);
  return testCase.verdict === "failed" && changed.length ? "blame: the change" : words(testCase.verdict);
}

function fileName(path) { return path.split("/").at(-1); }

/** What changed since the references of a case, each once. */
function changesOf(testCase) {
  const changes = new Map();
  for (const frame of testCase.frames) for (const change of frame.changes ?? []) if (!changes.has(change.text)) changes.set(change.text, change);
  return [...changes.values()];
}

function groups(indices) {
  const found = new Map();
  for (const index of indices) {
    const testCase = report.cases[index], isFine = severity(testCase.verdict) > 1;
    const [title, label] = isFine ? [words(testCase.verdict), ""] : [testCase.subject || testCase.name, cause(testCase)];
    // A mistake in a file keeps cases of several filters from running.
    const key = testCase.mistakes?.length ? `mistake ${JSON.stringify(testCase.mistakes)}` : JSON.stringify([severity(testCase.verdict), title, label]);
    if (!found.has(key)) found.set(key, { key, title, label, tone: tone(testCase.verdict), isFine, indices: [] });
    found.get(key).indices.push(index);
  }
  return [...found.values()];
}

/** Groups that the reader opened or closed. */
const toggled = new Map();

function groupList(group) {
  const isOpen = toggled.get(group.key) ?? (!group.isFine || group.indices.length <= 40 || group.indices.includes(selection.index));
  const head = make("button", { className: "group", "aria-expanded": String(isOpen), onclick: () => { toggled.set(group.key, !isOpen); showList(); } },
    make("span", {}, make("b", {}, group.title), group.label ? make("span", { className: `chip ${group.tone}`, title: group.label }, group.label) : null),
    make("span", { className: "count" }, String(group.indices.length)));
  return [head, ...(isOpen ? group.indices.map(caseRow) : [])];
}

/** Pictures of rows are decoded when they come into sight. */
const thumbnails = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) { thumbnails.unobserve(target); drawThumbnail(target); }
});

async function drawThumbnail(canvas) {
  const image = await picture(canvas.dataset.picture);
  if (!image) return;
  const scale = Math.min(canvas.width / image.width, canvas.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale], context = canvas.getContext("2d");
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(plainLayer(image, 0), (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
}

function showList() {
  const shown = shownCases();
  document.getElementById("cases").replaceChildren(...groups(shown).flatMap(groupList));
  markOpenCase();
  if (!shown.length) document.getElementById("cases").replaceChildren(make("p", { className: "neutral", style: "padding: 8px 12px" }, "No case matches."));
}

/** Shows other rows, and with them a case that has one. */
function changeList() {
  showList();
  const shown = shownCases();
  if (shown.length && !shown.includes(selection.index)) showCase(shown[0]);
}

function markOpenCase() {
  for (const row of document.querySelectorAll(".row")) row.setAttribute("aria-current", String(row.dataset.index === String(selection.index)));
}

function showVerdicts() {
  const counts = new Map();
  for (const testCase of report.cases) counts.set(testCase.verdict, (counts.get(testCase.verdict) ?? 0) + 1);
  const entries = [...counts].sort(([a], [b]) => severity(a) - severity(b));
  document.getElementById("verdicts").replaceChildren(...entries.map(([verdict, count]) => make("button", {
    className: tone(verdict), "aria-pressed": "true",
    onclick: event => {
      if (!hiddenVerdicts.delete(verdict)) hiddenVerdicts.add(verdict);
      event.target.setAttribute("aria-pressed", String(!hiddenVerdicts.has(verdict)));
      changeList();
    },
  }, `${count} ${words(verdict)}`)));
}
