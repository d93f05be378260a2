// How the way of a slider is shared out among the values of a range, and how fine its steps are: fine where values usually lie, coarse far away.
import { isWhole, limitOf, numbersOf } from "./value-text.js";

/** A range is wide where the usual value lies in this part of it, next to the value without effect. */
const widePart = .1;
/** How far along its side of a wide range the usual value lies on the slider. */
const usualPlace = 1 / 3;

/**
 * The scale of one component: `toPart` says where a value lies, from 0 to 1, and `fromPart` which value lies there.
 *
 * Ranges such as 0 to 1000 with the default 5 are wide: the values around the default get a third of the way, by a power of the distance from the
 * value without effect, else from the lowest one. All others are even.
 */
export function scaleOf(each, component = 0) {
  const low = limitOf(each.minimum, component), high = limitOf(each.maximum, component);
  if (low === null || high === null || high <= low) return { isWide: false, anchor: 0, toPart: () => 0, fromPart: () => low ?? 0 };
  const usual = componentOf(each.default, each, component), identity = componentOf(each.identity, each, component);
  const anchor = identity !== null && identity >= low && identity <= high ? identity : low;
  const distance = usual === null ? 0 : Math.abs(usual - anchor), side = usual !== null && usual < anchor ? anchor - low : high - anchor;
  const part = side > 0 ? distance / side : 0, isWide = part > 0 && part < widePart;
  const power = isWide ? Math.log(part) / Math.log(usualPlace) : 1, middle = (anchor - low) / (high - low);
  return { isWide, anchor, usual: distance,
    toPart(value) {
      const held = Math.min(high, Math.max(low, value));
      if (held < anchor) return middle * (1 - ((anchor - held) / (anchor - low)) ** (1 / power));
      return high > anchor ? middle + (1 - middle) * ((held - anchor) / (high - anchor)) ** (1 / power) : middle;
    },
    fromPart(part) {
      const held = Math.min(1, Math.max(0, part));
      if (held < middle) return anchor - (anchor - low) * (1 - held / middle) ** power;
      return middle < 1 ? anchor + (high - anchor) * ((held - middle) / (1 - middle)) ** power : anchor;
    } };
}

function componentOf(text, each, component) {
  if (text === null || text === undefined) return null;
  return numbersOf(text, each.components ?? 1)?.[component] ?? null;
}

/** What one step adds to a value: of a wide range a tenth to a hundredth of how far the value is from the one without effect. */
export function wideStep(scale, value) {
  const distance = Math.max(Math.abs(value - scale.anchor), scale.usual / 100);
  return 10 ** Math.max(-6, Math.floor(Math.log10(distance)) - 1);
}

/** How many digits behind the point tell the values of a wide range apart: three that count. */
export function wideDigits(each, scale, value) {
  if (isWhole(each)) return 0;
  return Math.max(0, Math.min(6, 1 - Math.round(Math.log10(wideStep(scale, value)))));
}
