// What a pane shows: each layer turns the pictures of a frame into 8 bits on a canvas.

/** A canvas of a picture's size, filled by `color(i, out)`, which leaves four numbers of 0 ... 1 in `out` for pixel i. */
function paint(width, height, color) {
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d"), data = context.createImageData(width, height);
  const out = [0, 0, 0, 1];
  for (let i = 0; i < width * height; i++) {
    color(i, out);
    for (let c = 0; c < 4; c++) data.data[4 * i + c] = 255 * out[c] + .5;
  }
  context.putImageData(data, 0, 0);
  return canvas;
}

/** A picture as it is, times 2^exposure. Pixels that are no number are magenta. */
function plainLayer(image, exposure) {
  const gain = 2 ** exposure / image.scale, values = image.values;
  return paint(image.width, image.height, (i, out) => {
    const at = 4 * i;
    if (!Number.isFinite(values[at] + values[at + 1] + values[at + 2] + values[at + 3])) return void ([out[0], out[1], out[2], out[3]] = [1, 0, 1, 1]);
    for (let c = 0; c < 3; c++) out[c] = Math.min(1, Math.max(0, values[at + c] * gain));
    out[3] = Math.min(1, Math.max(0, values[at + 3] / image.scale));
  });
}

/** The distance of two pictures in each channel, as fractions of white; a pixel that is a number in one of them only is 1. */
function distance(actual, reference, at) {
  const a = actual.values[at] / actual.scale, b = reference.values[at] / reference.scale;
  if (a === b || Number.isNaN(a) && Number.isNaN(b)) return 0;
  const difference = Math.abs(a - b);
  return Number.isFinite(difference) ? difference : 1;
}

/** The power of two that makes the largest difference of color white, or nearly so, of alpha where color is equal; 8 where that would be less. */
function usualGain(actual, reference) {
  let color = 0, alpha = 0;
  for (let i = 0; i < actual.values.length; i++) {
    const found = distance(actual, reference, i);
    if (i % 4 === 3) alpha = Math.max(alpha, found); else color = Math.max(color, found);
  }
  const largest = Math.min(1, color || alpha);
  return largest ? Math.min(65536, Math.max(8, 2 ** Math.floor(Math.log2(1 / largest)))) : 8;
}

function differenceLayer(actual, reference, gain) {
  return paint(actual.width, actual.height, (i, out) => {
    for (let c = 0; c < 3; c++) out[c] = Math.min(1, distance(actual, reference, 4 * i + c) * gain);
    out[3] = 1;
  });
}

function alphaDifferenceLayer(actual, reference, gain) {
  return paint(actual.width, actual.height, (i, out) => {
    out[0] = out[1] = out[2] = Math.min(1, distance(actual, reference, 4 * i + 3) * gain);
    out[3] = 1;
  });
}

/** The largest difference of a pixel's channels as a color: black for none, then blue, red, yellow and white, by powers of two of a level. */
function falseColorLayer(actual, reference) {
  const stops = [[0, 0, 0], [.12, .07, .42], [.47, .11, .43], [.76, .21, .31], [.93, .43, .14], [.98, .73, .18], [.99, 1, .64]];
  return paint(actual.width, actual.height, (i, out) => {
    let worst = 0;
    for (let c = 0; c < 4; c++) worst = Math.max(worst, distance(actual, reference, 4 * i + c));
    const place = worst === 0 ? 0 : Math.min(1, (1 + Math.max(0, Math.log2(worst * 255))) / 9) * (stops.length - 1);
    const index = Math.min(stops.length - 2, Math.floor(place)), part = place - index;
    for (let c = 0; c < 3; c++) out[c] = stops[index][c] * (1 - part) + stops[index + 1][c] * part;
    out[3] = 1;
  });
}

/** How many values differ by 0, 1, 2 ... 255 levels, over all four channels. */
function histogram(actual, reference) {
  const counts = new Array(256).fill(0);
  for (let i = 0; i < actual.values.length; i++) counts[Math.min(255, Math.round(distance(actual, reference, i) * 255))]++;
  return counts;
}
