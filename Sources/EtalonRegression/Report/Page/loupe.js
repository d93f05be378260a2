// The loupe: eleven by eleven pixels around the pointer of both pictures, and the numbers of the one in the middle.
const loupeReach = 5;

function showLoupe(frameView, x, y) {
  const shown = [["Actual", frameView.actual], ["Reference", frameView.reference]].filter(([, image]) => image);
  const image = shown[0][1];
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  const place = `Pixel ${x}, ${image.height - 1 - y} (row ${y} from the top)`;
  const isFloat = shown.some(([, image]) => image.scale === 1);
  const rows = shown.map(([name, image]) => [name, ...pixelTexts(image, x, y)]);
  if (frameView.fits) {
    const at = 4 * (y * image.width + x);
    rows.push(["Difference", ...[0, 1, 2, 3].map(c => numberText(distance(frameView.actual, frameView.reference, at + c) * (isFloat ? 1 : 255)))]);
  }
  frameView.loupe.replaceChildren(
    ...shown.map(([name, image]) => make("figure", { className: "pane" }, make("figcaption", {}, name), loupeCanvas(image, x, y))),
    make("div", {}, make("p", { className: "neutral" }, place), table(["", "r", "g", "b", "a"], rows),
      frameView.fits && !isFloat ? make("p", { className: "neutral" }, "Differences in levels of 8 bits.") : null));
}

function pixelTexts(image, x, y) {
  if (x >= image.width || y >= image.height) return ["outside", "", "", ""];
  const at = 4 * (y * image.width + x);
  return [0, 1, 2, 3].map(c => image.scale === 1 ? numberText(image.values[at + c]) : String(image.values[at + c]));
}

function loupeCanvas(image, x, y) {
  const side = 2 * loupeReach + 1, canvas = make("canvas", { width: side * 12, height: side * 12 }), context = canvas.getContext("2d");
  const gain = 255 * 2 ** view.exposure / image.scale;
  for (let row = 0; row < side; row++) for (let column = 0; column < side; column++) {
    const px = x + column - loupeReach, py = y + row - loupeReach;
    if (px < 0 || py < 0 || px >= image.width || py >= image.height) continue;
    const at = 4 * (py * image.width + px), [r, g, b] = [0, 1, 2].map(c => image.values[at + c] * gain);
    context.fillStyle = Number.isFinite(r + g + b) ? `rgb(${r} ${g} ${b} / ${image.values[at + 3] / image.scale})` : "#f0f";
    context.fillRect(column * 12, row * 12, 12, 12);
  }
  context.strokeStyle = "#f80";
  context.strokeRect(loupeReach * 12 + .5, loupeReach * 12 + .5, 11, 11);
  return canvas;
}
