// The numbers of a comparison, as tables.

async function measures(frame) {
  const { comparison, pictures } = frame, boxes = [];
  const add = (title, content) => boxes.push(make("div", {}, make("h3", {}, title), content));
  if (comparison.limits.length) add("Limits", table(["limit", "value", "warns at", "fails at", "margin", "verdict"], comparison.limits.map(limit => [
    limit.unit ? `${limit.key}, ${limit.unit}` : limit.key, limit.value, limit.warn ?? "", limit.fail ?? "", limit.margin,
    make("span", { className: comparisonTone(limit.verdict) }, words(limit.verdict))])));
  for (const [title, channels] of [["Color", comparison.color], ["Alpha", comparison.alpha]]) {
    if (!channels?.differing) continue;
    add(`${title}: measures`, table(["", ""], channelMeasures(channels)));
    add(`${title}: pixels by difference`, table(["levels", "pixels"], censusRows(channels.census)));
    if (channels.worst) add(`${title}: worst pixel`, table(["", ""], worstRows(channels.worst)));
    if (channels.clusters.length) add(`${title}: the largest of ${counted(channels.clusterCount, "group")}`, table(["x", "row from the top", "from the bottom", "size", "pixels"],
      channels.clusters.map(group => [group.topLeft.x, group.topLeft.yFromTop, group.topLeft.yFromBottom, sizeText(group), group.pixels])));
  }
  const perceived = perceivedRows(comparison);
  if (perceived.length) add("As people see it", table(["", ""], perceived));
  const [actual, reference] = await Promise.all([pictures.actual, pictures.reference].map(path => path ? picture(path) : null));
  if (actual && reference && actual.values.length === reference.values.length) add("Values by difference, 1 to 255 levels", histogramPicture(histogram(actual, reference)));
  return make("div", { className: "tables" }, ...boxes);
}

function comparisonTone(verdict) { return { pass: "good", warn: "caution" }[verdict] ?? "bad"; }

function sizeText(group) { return `${group.bottomRight.x - group.topLeft.x + 1}x${group.bottomRight.yFromTop - group.topLeft.yFromTop + 1}`; }

function channelMeasures(channels) {
  return [["differing pixels", channels.differing], [`outliers, beyond ${numberText(channels.outlierLevel)}`, channels.outliers], ["largest", channels.largest],
    ["mean", channels.mean], ["RMSE", channels.rmse], ["PSNR, dB", channels.psnr], ["relative", channels.relative], ["ulp", channels.ulp], ["EMD", channels.emd],
    channels.window && [`fullest window of ${channels.window.size} px`, channels.window.pixels]].filter(row => row && row[1] !== undefined && row[1] !== null);
}

function censusRows(census) {
  return [["equal", "equal"], ["upTo1", "up to 1"], ["upTo4", "up to 4"], ["upTo16", "up to 16"], ["upTo64", "up to 64"], ["above64", "above 64"],
    ["nonFinite", "not finite"], ["isolated", "of them alone"], ["onEdges", "of them on edges"]].filter(([key]) => census[key]).map(([key, name]) => [name, census[key]]);
}

function worstRows(worst) {
  const numbers = values => values.map(numberText).join(", ");
  return [["place", `${worst.place.x}, ${worst.place.yFromBottom} (row ${worst.place.yFromTop} from the top)`], ["channel", worst.channel], ["difference", worst.difference],
    ["actual", numbers(worst.actual)], ["reference", numbers(worst.reference)]];
}

function perceivedRows({ flip, ssim, ssimGaussian, oklab, shift, noise }) {
  return [flip && ["FLIP, mean", flip.mean], flip && ["FLIP, 95 %", flip.percentile95], flip && ["FLIP, largest", flip.largest], ssim !== undefined && ["SSIM", ssim],
    ssimGaussian !== undefined && ["SSIM, Gaussian windows", ssimGaussian],
    oklab && ["OKLab, mean", oklab.mean], oklab && ["OKLab, largest", oklab.largest],
    noise && ["the same noise, probability", noise.probability], noise && [`means of ${noise.width}x${noise.height} px, standard errors apart`, noise.largest],
    shift && ["outliers that a shift of 1 px does not explain", shift.unexplained]].filter(Boolean);
}

/** Bars whose height is the logarithm of how many values differ so much; equal values are left out. */
function histogramPicture(counts) {
  const space = "http://www.w3.org/2000/svg", most = Math.log1p(Math.max(1, ...counts.slice(1)));
  const chart = document.createElementNS(space, "svg");
  chart.setAttribute("viewBox", "0 0 255 100"), chart.setAttribute("preserveAspectRatio", "none"), chart.setAttribute("class", "histogram");
  counts.forEach((count, level) => {
    if (!level || !count) return;
    const bar = document.createElementNS(space, "rect"), height = 100 * Math.log1p(count) / most;
    for (const [name, value] of Object.entries({ x: level - 1, y: 100 - height, width: 1, height })) bar.setAttribute(name, value);
    bar.append(Object.assign(document.createElementNS(space, "title"), { textContent: `${counted(count, "value")} off by ${counted(level, "level")}` }));
    chart.append(bar);
  });
  return chart;
}
