// Panes that look at one frame. All panes share one view, so that zooming and moving one moves them all.
const modes = [
  ["sides", "Side by side"], ["swipe", "Swipe"], ["blink", "Blink"], ["onion", "Onion"], ["difference", "Difference"],
  ["alpha", "Alpha difference"], ["false", "False color"], ["flip", "FLIP"], ["stability", "Stability"], ["actual", "Actual"],
];
const view = { mode: "sides", zoom: 0, x: .5, y: .5, exposure: 0, gain: 8, part: .5, showsActual: true };

/** The viewer of a frame, or a sentence where there is nothing to see. */
async function viewer(frame) {
  const [actual, reference, flip, stability] = await Promise.all(["actual", "reference", "flip", "stability"].map(kind => frame.pictures[kind] ? picture(frame.pictures[kind]) : null));
  if (!actual && !reference) return make("p", { className: "neutral" }, "This frame has no picture.");
  const fits = actual && reference && actual.width === reference.width && actual.height === reference.height;
  const frameView = { frame, actual, reference, flip, stability, fits, bands: frame.stability, panes: [], box: make("div", { className: "panes" }), loupe: make("div", { className: "loupe" }) };
  if (obstacle(view.mode, frameView)) view.mode = "sides";
  if (fits && !view.isGainChosen) view.gain = usualGain(actual, reference);
  const bar = viewerBar(frameView), worst = (frame.comparison?.color?.worst ?? frame.comparison?.alpha?.worst)?.place;
  frameView.box.addEventListener("shown", () => { layOut(frameView); if (worst && !actual?.isSmall && !reference?.isSmall) showLoupe(frameView, worst.x, worst.yFromTop); });
  return make("section", {}, bar, frameView.box, frameView.loupe);
}

/** Why a frame cannot be shown in a mode; empty where it can. */
function obstacle(mode, { frame, actual, reference, flip, stability, fits }) {
  switch (mode) {
    case "sides": return "";
    case "actual": return actual ? "" : "nothing was rendered";
    case "flip": return flip ? "" : fits ? flipObstacle(frame) : sizeObstacle(actual, reference);
    case "stability": return stability ? "" : frame.stabilityObstacle ?? "made for a picture that fails beside its reference";
    default: return fits ? "" : sizeObstacle(actual, reference);
  }
}

function flipObstacle({ comparison }) {
  return comparison?.flip ? "its picture is not in this file" : "the case has no limit for it: tolerance: { flip: { mean: 0.01 } }";
}

function sizeObstacle(actual, reference) {
  return actual && reference ? "it takes two pictures of the same size" : `there is no ${actual ? "reference" : "picture"} here`;
}

function viewerBar(frameView) {
  const changed = () => layOut(frameView);
  const slider = (label, key, min, max, step) => {
    const value = make("output", {}, String(view[key]));
    const input = make("input", { type: "range", min, max, step, oninput: event => { value.textContent = view[key] = +event.target.value; changed(); } });
    input.value = view[key];
    return make("label", {}, label, input, value);
  };
  const gainValue = make("output", {}, numberText(view.gain));
  const gain = make("input", { type: "range", min: 0, max: 16, step: 1, oninput: event => {
    Object.assign(view, { gain: 2 ** +event.target.value, isGainChosen: true });
    gainValue.textContent = numberText(view.gain);
    changed();
  } });
  gain.value = Math.log2(view.gain);
  const obstacles = new Map();
  for (const [mode, label] of modes) {
    const reason = obstacle(mode, frameView);
    if (reason) obstacles.set(reason, [...obstacles.get(reason) ?? [], label]);
  }
  const reasons = [...obstacles].map(([reason, labels]) => make("span", {}, make("b", {}, labels.join(", ")), `: ${reason}`));
  const buttons = modes.map(([mode, label]) => obstacle(mode, frameView) ? grayButton(label, obstacle(mode, frameView)) : make("button", {
    "aria-pressed": String(mode === view.mode),
    onclick: event => {
      view.mode = mode;
      for (const other of event.target.parentNode.querySelectorAll("button[aria-pressed]")) other.setAttribute("aria-pressed", String(other === event.target));
      rememberAddress();
      changed();
    },
  }, label));
  const fit = make("button", { onclick: () => { Object.assign(view, { zoom: 0, x: .5, y: .5 }); changed(); } }, "Fit");
  return make("div", {}, make("div", { className: "bar modes", role: "group", "aria-label": "What is shown" }, ...buttons),
    reasons.length ? make("p", { className: "reasons" }, ...reasons) : null,
    make("div", { className: "bar" }, fit, slider("Exposure", "exposure", -8, 8, .5), make("label", {}, "Gain of differences", gain, gainValue),
      slider("Part of the actual picture", "part", 0, 1, .01)));
}

/** The layers of a mode, each with its caption: one pane for each of them, or one pane that mixes two. */
function layersOf(frameView) {
  const { actual, reference, flip, stability, bands, fits } = frameView;
  const plain = (image, name) => [`${name}, ${image.width}x${image.height}${image.isSmall ? ", made smaller to keep this file small" : ""}`, plainLayer(image, view.exposure)];
  switch (view.mode) {
    case "swipe": case "blink": case "onion": return { mixes: true, layers: [plain(actual, "Actual"), plain(reference, "Reference")] };
    case "difference": return { layers: [[`Difference of color, ${view.gain} times`, differenceLayer(actual, reference, view.gain)]] };
    case "alpha": return { layers: [[`Difference of alpha, ${view.gain} times`, alphaDifferenceLayer(actual, reference, view.gain)]] };
    case "false": return { layers: [["Largest difference: black none, white 255 levels", falseColorLayer(actual, reference)]] };
    case "flip": return { layers: [["FLIP", plainLayer(flip, 0)]] };
    case "stability": return { layers: [[stabilityWords(bands), plainLayer(stability, 0)]] };
    case "actual": return { layers: [plain(actual, "Actual")] };
    default: return { layers: [actual && plain(actual, "Actual"), reference && plain(reference, "Reference"),
      fits && [`Difference of color, ${view.gain} times`, differenceLayer(actual, reference, view.gain)]].filter(Boolean) };
  }
}

function layOut(frameView) {
  const { mixes, layers } = layersOf(frameView), shown = mixes ? [layers] : layers.map(layer => [layer]);
  frameView.panes = shown.map(images => {
    const canvas = make("canvas"), caption = make("figcaption");
    const pane = { canvas, caption, images };
    canvas.addEventListener("wheel", event => { event.preventDefault(); zoomAt(frameView, pane, event); }, { passive: false });
    canvas.addEventListener("pointermove", event => movePointer(frameView, pane, event));
    return pane;
  });
  frameView.box.replaceChildren(...frameView.panes.map(pane => make("figure", { className: "pane" }, pane.caption, pane.canvas)));
  frameView.box.style.setProperty("--panes", frameView.panes.length);
  drawAll(frameView);
  // The boxes follow the width that is left for them.
  frameView.sizes ??= new ResizeObserver(() => drawAll(frameView));
  frameView.sizes.observe(frameView.box);
  clearInterval(view.timer);
  if (view.mode === "blink") view.timer = setInterval(() => { view.showsActual = !view.showsActual; drawAll(frameView); }, 500);
}

function drawAll(frameView) { for (const pane of frameView.panes) drawPane(pane); }

/** Where a picture lies on a canvas: pixels of the canvas for one of the picture, and its top left corner. */
function placement({ canvas, images }) {
  const image = images[0][1], fit = Math.min(canvas.width / image.width, canvas.height / image.height);
  const scale = fit * 2 ** view.zoom;
  return { scale, left: canvas.width / 2 - view.x * image.width * scale, top: canvas.height / 2 - view.y * image.height * scale };
}

/** How tall a picture may be: most of what is seen of the page at once. */
function largestHeight() { return Math.max(240, innerHeight * .62); }

/** Gives a canvas the form of its picture, as large as there is room for it. */
function fitCanvas({ canvas, images }) {
  const image = images[0][1], room = canvas.parentNode?.clientWidth ?? 0;
  const scale = Math.min(room / image.width, largestHeight() / image.height);
  const [width, height] = [Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale))];
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  canvas.width = width * devicePixelRatio, canvas.height = height * devicePixelRatio;
}

function drawPane(pane) {
  const { canvas, images } = pane;
  fitCanvas(pane);
  const context = canvas.getContext("2d"), { scale, left, top } = placement(pane);
  drawGround(context, left, top, images[0][1].width * scale, images[0][1].height * scale);
  const put = ([, image], clip) => {
    context.save();
    if (clip) { context.beginPath(); context.rect(...clip); context.clip(); }
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(image, left, top, image.width * scale, image.height * scale);
    context.restore();
  };
  if (images.length === 1) { put(images[0]); pane.caption.textContent = images[0][0]; return; }
  const split = view.part * canvas.width;
  if (view.mode === "swipe") {
    put(images[0], [0, 0, split, canvas.height]);
    put(images[1], [split, 0, canvas.width, canvas.height]);
    context.fillStyle = "#f80";
    context.fillRect(split, 0, 1, canvas.height);
    pane.caption.textContent = `${images[0][0]} | ${images[1][0]}`;
  } else if (view.mode === "blink") {
    const image = images[view.showsActual ? 0 : 1];
    put(image);
    pane.caption.textContent = image[0];
  } else {
    put(images[0]);
    context.globalAlpha = 1 - view.part;
    put(images[1]);
    pane.caption.textContent = `${Math.round(view.part * 100)} % actual, ${Math.round(100 - view.part * 100)} % reference`;
  }
}

/** Squares of gray where a picture lies, to be seen through it. */
function drawGround(context, left, top, width, height) {
  const tile = paint(16, 16, (i, out) => { out[0] = out[1] = out[2] = (i >> 3 ^ i >> 7) & 1 ? .45 : .55; out[3] = 1; });
  context.fillStyle = context.createPattern(tile, "repeat");
  context.fillRect(left, top, width, height);
}

function pixelAt(pane, event) {
  const { scale, left, top } = placement(pane), box = pane.canvas.getBoundingClientRect();
  return { x: ((event.clientX - box.left) * devicePixelRatio - left) / scale, y: ((event.clientY - box.top) * devicePixelRatio - top) / scale };
}

function zoomAt(frameView, pane, event) {
  const before = pixelAt(pane, event);
  view.zoom = Math.min(8, Math.max(-1, view.zoom - Math.sign(event.deltaY) * .5));
  const after = pixelAt(pane, event), image = pane.images[0][1];
  view.x += (before.x - after.x) / image.width, view.y += (before.y - after.y) / image.height;
  drawAll(frameView);
}

function movePointer(frameView, pane, event) {
  if (event.buttons & 1) {
    const { scale } = placement(pane), image = pane.images[0][1];
    view.x -= event.movementX * devicePixelRatio / scale / image.width, view.y -= event.movementY * devicePixelRatio / scale / image.height;
    drawAll(frameView);
  } else if (view.mode === "swipe") {
    view.part = event.offsetX / pane.canvas.clientWidth;
    drawPane(pane);
  }
  const { x, y } = pixelAt(pane, event);
  showLoupe(frameView, Math.floor(x), Math.floor(y));
}
