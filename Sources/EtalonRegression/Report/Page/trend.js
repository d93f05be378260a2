// How things went: a bar for every run that the results remember, and the verdicts that a case had.

function trend() {
  const runs = [...(report.earlier ?? []).map(run => ({ started: run.started, cases: run.caseCount, failures: Object.keys(run.failures).length })),
    { started: report.started, cases: report.cases.length, failures: report.cases.filter(testCase => tone(testCase.verdict) === "bad").length }];
  if (runs.length < 2) return null;
  const most = Math.max(...runs.map(run => run.cases), 1);
  return make("div", { className: "trend", role: "img", "aria-label": "Failures of the runs before this one" }, ...runs.map(run => {
    const bar = make("span", { title: `${run.started}: ${run.failures} of ${run.cases} failed` });
    // A single failure among many cases still has to be seen.
    const failed = run.failures ? Math.max(12, 100 * run.failures / most) : 0, passed = Math.max(0, 100 * run.cases / most - failed);
    bar.append(make("i", { className: "passed", style: `height: ${passed}%` }), make("i", { className: "failed", style: `height: ${failed}%` }));
    return bar;
  }));
}

/** The verdicts of a case in the runs before this one, the oldest first. */
function earlierVerdicts(testCase) {
  const runs = report.earlier ?? [];
  if (!runs.length) return null;
  return make("span", {}, ...runs.map(run => {
    const verdict = run.failures[testCase.id];
    return make("span", { className: verdict ? "bad" : "good", title: `${run.started}: ${verdict ? words(verdict) : "did not fail"}` }, verdict ? "✗ " : "✓ ");
  }));
}
