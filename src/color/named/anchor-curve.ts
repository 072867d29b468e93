import type { PackedColors, Rgb } from '../rgb.ts';
import { packColor } from '../rgb.ts';

/** A bend of a channel: where it is, and its heights just before and after; they differ where it jumps. */
export interface Anchor {
  readonly place: number;
  readonly before: number;
  readonly after: number;
}

/** Red, green and blue by their bends, each in order of places, with straight lines between. */
export type AnchorCurve = readonly [
  red: readonly Anchor[],
  green: readonly Anchor[],
  blue: readonly Anchor[],
];

/** Reads a channel as `channel-anchors.ts` writes it. */
export const parseAnchors = (text: string): Anchor[] =>
  text.split(' ').map((anchor) => {
    const [place, heights] = anchor.split(':') as [string, string];
    const [before, after = before] = heights.split('/') as [string, string?];
    return { place: Number(place), before: Number(before), after: Number(after) };
  });

/** The curve through colours at their places. */
export const toAnchorCurve = (stops: readonly (readonly [place: number, color: Rgb])[]): AnchorCurve =>
  ([0, 1, 2] as const).map((channel) =>
    stops.map(([place, color]) => ({ place, before: color[channel], after: color[channel] })),
  ) as unknown as AnchorCurve;

/** The curve through colours at equal distances. */
export const toEvenCurve = (colors: readonly Rgb[]): AnchorCurve =>
  toAnchorCurve(colors.map((color, i) => [evenPlace(i, colors.length), color]));

/** The same curve from its end to its beginning. */
export const mirrorCurve = (curve: AnchorCurve): AnchorCurve =>
  curve.map((anchors) =>
    anchors.map(({ place, before, after }) => ({ place: 1 - place, before: after, after: before })).reverse(),
  ) as unknown as AnchorCurve;

/**
 * The i-th of equally distant places from 0 to 1. The step comes first and then its multiples, as in NumPy's linspace:
 * where a colour lies between two levels, the last bit decides.
 */
export const evenPlace = (i: number, count: number): number => (i === count - 1 ? 1 : i * (1 / (count - 1)));

/** Colours at `count` equally distant places of a curve, from 0 to 1, both included; beyond its ends it is level. */
export function sampleAnchors([red, green, blue]: AnchorCurve, count: number): PackedColors {
  const [reds, greens, blues] = [
    sampleChannel(red, count),
    sampleChannel(green, count),
    sampleChannel(blue, count),
  ];
  let packed = '';
  for (let i = 0; i < count; i++) packed += packColor([reds[i]!, greens[i]!, blues[i]!]);
  return packed;
}

/** With matplotlib's arithmetic: places are stretched by the last index before they are compared and divided. */
function sampleChannel(anchors: readonly Anchor[], count: number): Float64Array {
  const last = count - 1;
  const places = anchors.map(({ place }) => place * last);
  let next = 0;
  return Float64Array.from({ length: count }, (_, i) => {
    const place = last * evenPlace(i, count);
    while (next < places.length && places[next]! < place) next++;
    if (next === 0) return anchors[0]!.after;
    if (next === places.length) return anchors[next - 1]!.before;
    const { after } = anchors[next - 1]!;
    const part = (place - places[next - 1]!) / (places[next]! - places[next - 1]!);
    return part * (anchors[next]!.before - after) + after;
  });
}
