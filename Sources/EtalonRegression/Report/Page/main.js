document.title = ["etalon", ...report.command].join(" ");
document.getElementById("title").textContent = document.title;
document.getElementById("facts").textContent = runFacts().join(" · ");
document.getElementById("trend").replaceChildren(...[trend()].filter(Boolean));
document.getElementById("search").addEventListener("input", changeList);

function runFacts() {
  const small = document.querySelectorAll("script[data-scaled]").length;
  const driver = [report.device.driver, report.device.driverVersion].filter(Boolean).join(" "), etalon = `etalon ${report.etalon}`;
  const seeds = new Set(report.cases.flatMap(testCase => testCase.frames).map(frame => frame.stability?.seed).filter(Boolean));
  return [report.device.device, driver === etalon ? "" : driver, etalon, report.compiler, ...[...seeds].map(seed => `perturbations with seed ${seed}`), report.started, `${numberText(report.seconds)} s`,
    ...report.shards.map(shard => `shard ${shard.index} of ${shard.count}`), small ? `${counted(small, "picture")} made small, to keep this file small` : ""].filter(Boolean);
}

// The address names what is shown, so that it can be shared: #case=ID&frame=0&mode=swipe
function rememberAddress() {
  const words = { case: report.cases[selection.index].id, frame: selection.place, mode: view.mode };
  history.replaceState(null, "", `#${new URLSearchParams(words)}`);
}

addEventListener("keydown", event => {
  if (event.target.matches("input")) return;
  const rows = [...document.querySelectorAll(".row")], current = rows.findIndex(row => row.getAttribute("aria-current") === "true");
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step) { event.preventDefault(); const row = rows[current + step]; row?.click(); row?.scrollIntoView({ block: "nearest" }); }
  if (event.key === "/") { event.preventDefault(); document.getElementById("search").focus(); }
});

const address = new URLSearchParams(location.hash.slice(1));
if (modes.some(([mode]) => mode === address.get("mode"))) view.mode = address.get("mode");
showVerdicts();
showList();
const named = report.cases.findIndex(testCase => testCase.id === address.get("case"));
if (report.cases.length) {
  // Tells scripts that look at the page when there is something to see.
  showCase(named >= 0 ? named : order[0], named >= 0 && address.has("frame") ? +address.get("frame") : undefined)
    .then(() => document.body.dataset.opened = "");
}
