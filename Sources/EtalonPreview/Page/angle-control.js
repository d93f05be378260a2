// A dial for angles: dragged around its middle, in steps of 15 degrees while Shift is held.
import { draw, make } from "./dom.js";
import { endGesture, endKeyGesture } from "./history.js";
import { bounded, numberField } from "./controls.js";
import { plainNumber } from "./value-text.js";

export function angleControl(each, set) {
  const turn = each.unit === "deg" || !each.unit ? 360 : 2 * Math.PI, hand = draw("g", {});
  hand.append(draw("path", { d: "M13 13H22.5", class: "hand" }), draw("circle", { cx: 22, cy: 13, r: 2.2, class: "tip" }));
  const dial = draw("svg", { viewBox: "0 0 26 26", class: "dial", tabindex: "0", role: "slider", "aria-label": each.label || each.name },
    draw("circle", { cx: 13, cy: 13, r: 11.5, class: "face" }),
      ...[0, 90, 180, 270].map(angle => draw("path", { d: "M22.5 13h2", class: "tick", transform: `rotate(${angle} 13 13)` })), hand);
  const field = numberField(each, 0, (number, isMoving) => set([number], isMoving), text => set(text, false));
  let shown = 0, before = null;
  const pointerAngle = event => {
    const box = dial.getBoundingClientRect();
    return Math.atan2(box.top + box.height / 2 - event.clientY, event.clientX - box.left - box.width / 2) / (2 * Math.PI);
  };
  dial.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    event.preventDefault();
    dial.focus();
    dial.setPointerCapture(event.pointerId);
    before = { at: pointerAngle(event), value: shown };
  });
  dial.addEventListener("pointermove", event => {
    if (!before) return;
    const at = pointerAngle(event);
    // The short way around, so that a hand that crosses the left side goes on counting.
    before.value += ((at - before.at + 1.5) % 1 - .5) * turn;
    before.at = at;
    const snap = turn / 24, value = event.shiftKey ? Math.round(before.value / snap) * snap : +plainNumber(before.value, turn === 360 ? 1 : 3);
    set([bounded(each, 0, value)], true);
  });
  const end = () => { before = null; endGesture(); };
  dial.addEventListener("pointerup", end);
  dial.addEventListener("pointercancel", end);
  dial.addEventListener("keydown", event => {
    const sign = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    set([bounded(each, 0, +plainNumber(shown + sign * turn / 360 * (event.shiftKey ? 15 : 1), 4))], true);
  });
  dial.addEventListener("keyup", endKeyGesture);
  return { element: make("div", { className: "control angle" }, dial, field), show(numbers) {
    if (!numbers) return;
    shown = numbers[0];
    field.show(shown);
    hand.setAttribute("transform", `rotate(${-shown / turn * 360} 13 13)`);
    dial.setAttribute("aria-valuenow", String(shown));
    dial.setAttribute("aria-valuetext", `${plainNumber(shown, 2)} ${turn === 360 ? "degrees" : "radians"}`);
  } };
}
