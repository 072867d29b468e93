import type { PackedColors, Rgb } from '../rgb.ts';
import { packColor } from '../rgb.ts';

/** An anchor of a channel: its position, and its heights just before and after; they differ where it jumps. */
export interface Anchor {
  readonly position: number;
  readonly before: number;
  readonly after: number;
}

/** Red, green and blue by their anchors, each in order of position, with straight lines between. */
export type AnchorCurve = readonly [
  red: readonly Anchor[],
  green: readonly Anchor[],
  blue: readonly Anchor[],
];

/** Parses a channel as written in `channel-anchors.ts`. */
export const parseAnchors = (text: string): Anchor[] =>
  text.split(' ').map((anchor) => {
    const [position, heights] = anchor.split(':') as [string, string];
    const [before, after = before] = heights.split('/') as [string, string?];
    return { position: Number(position), before: Number(before), after: Number(after) };
  });

/** The curve through colours at given positions. */
export const toAnchorCurve = (stops: readonly (readonly [position: number, color: Rgb])[]): AnchorCurve =>
  ([0, 1, 2] as const).map((channel) =>
    stops.map(([position, color]) => ({ position, before: color[channel], after: color[channel] })),
  ) as unknown as AnchorCurve;

/** The curve through colours at equal distances. */
export const toEvenCurve = (colors: readonly Rgb[]): AnchorCurve =>
  toAnchorCurve(colors.map((color, i) => [evenPosition(i, colors.length), color]));

/** The same curve from its end to its beginning. */
export const mirrorCurve = (curve: AnchorCurve): AnchorCurve =>
  curve.map((anchors) =>
    anchors
      .map(({ position, before, after }) => ({ position: 1 - position, before: after, after: before }))
      .reverse(),
  ) as unknown as AnchorCurve;

/**
 * The i-th of equally spaced positions from 0 to 1. The step is computed first and then its multiples, as in NumPy's
 * linspace: where a colour lies between two levels, the last bit decides.
 */
export const evenPosition = (i: number, count: number): number =>
  i === count - 1 ? 1 : i * (1 / (count - 1));

/**
 * Colours at `count` equally spaced positions of a curve, from 0 to 1, both included; beyond its ends it is constant.
 */
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

/** With matplotlib's arithmetic: positions are scaled by the last index before they are compared and divided. */
function sampleChannel(anchors: readonly Anchor[], count: number): Float64Array {
  const last = count - 1;
  const positions = anchors.map(({ position }) => position * last);
  let next = 0;
  return Float64Array.from({ length: count }, (_, i) => {
    const position = last * evenPosition(i, count);
    while (next < positions.length && positions[next]! < position) next++;
    if (next === 0) return anchors[0]!.after;
    if (next === positions.length) return anchors[next - 1]!.before;
    const { after } = anchors[next - 1]!;
    const part = (position - positions[next - 1]!) / (positions[next]! - positions[next - 1]!);
    return part * (anchors[next]!.before - after) + after;
  });
}
