import type { PackedColors, Rgb } from '../rgb.ts';
import { packColor, reverseColors, toRgbList } from '../rgb.ts';
import { channelAnchors, channelFormulas, classColors, rampColors } from './color-tables.ts';
import { smoothCurves, unpackCurve } from './smooth-curves.ts';

/** The source of the colours of a named map. */
type NamedSource =
  | { readonly kind: 'classes'; readonly colors: PackedColors }
  | { readonly kind: 'anchors'; readonly curve: AnchorCurve }
  | { readonly kind: 'formula'; readonly colorAt: (x: number) => Rgb }
  /** Entries are looked up and never mixed. */
  | { readonly kind: 'table'; readonly entries: readonly Rgb[] };

/** Other names of the same maps. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['Grays', 'Greys'],
  ['gist_grey', 'gist_gray'],
  ['gist_yerg', 'gist_yarg'],
  ['grey', 'gray'],
]);

const SHIFTED = 'twilight_shifted';

/** Names of all maps without their reverses, in code point order. */
export const namedColormaps: readonly string[] = [
  ...[rampColors, classColors, channelAnchors, channelFormulas, smoothCurves].flatMap(Object.keys),
  ...SAME.keys(),
  SHIFTED,
].sort();

/** Whether a named map consists of classes. */
export const isDiscreteName = (name: string): boolean => Object.hasOwn(classColors, name);

/** The source of a name of the list; null for any other text. */
export function findNamed(name: string): NamedSource | null {
  const key = SAME.get(name) ?? name;
  if (key === SHIFTED) return { kind: 'table', entries: shift(unpackCurve(smoothCurves.twilight!)) };
  if (Object.hasOwn(classColors, key)) return { kind: 'classes', colors: classColors[key]! };
  if (Object.hasOwn(smoothCurves, key)) return { kind: 'table', entries: unpackCurve(smoothCurves[key]!) };
  if (Object.hasOwn(channelFormulas, key)) return { kind: 'formula', colorAt: channelFormulas[key]! };
  if (Object.hasOwn(rampColors, key)) {
    return { kind: 'anchors', curve: toEvenCurve(toRgbList(rampColors[key]!)) };
  }
  if (!Object.hasOwn(channelAnchors, key)) return null;
  return { kind: 'anchors', curve: channelAnchors[key]!.map(parseAnchors) as unknown as AnchorCurve };
}

/** A cyclic map that starts at its other end: its halves are swapped, then all is reversed. */
function shift(entries: readonly Rgb[]): Rgb[] {
  const half = entries.length / 2;
  return [...entries.slice(half), ...entries.slice(0, half)].reverse();
}

/**
 * The colours of a map, as matplotlib computes them: a curve is sampled at equal distances with both ends; a table is
 * looked up at such positions; classes do not depend on `count`.
 */
export function sampleNamed(source: NamedSource, count: number, isReversed: boolean): PackedColors {
  switch (source.kind) {
    case 'classes':
      return isReversed ? reverseColors(source.colors) : source.colors;
    case 'anchors':
      // Reversed first and sampled then: a jump is approached from its other side.
      return sampleAnchors(isReversed ? mirrorCurve(source.curve) : source.curve, count);
    case 'table':
      // The same here: with more entries than colours, the reverse samples other entries.
      return pack(lookUp(isReversed ? source.entries.toReversed() : source.entries, count));
    case 'formula': {
      const colors = pack(Array.from({ length: count }, (_, i) => source.colorAt(evenPosition(i, count))));
      return isReversed ? reverseColors(colors) : colors;
    }
  }
}

const pack = (colors: readonly Parameters<typeof packColor>[0][]): PackedColors =>
  colors.map(packColor).join('');

function lookUp<Entry>(entries: readonly Entry[], count: number): readonly Entry[] {
  const last = entries.length - 1;
  // A table of as many entries is used directly; lookups would repeat some because of rounding.
  if (last === count - 1) return entries;
  return Array.from({ length: count }, (_, i) => {
    return entries[Math.min(last, Math.floor(evenPosition(i, count) * entries.length))]!;
  });
}

/** An anchor of a channel: its position, and its heights just before and after; they differ where it jumps. */
interface Anchor {
  readonly position: number;
  readonly before: number;
  readonly after: number;
}

/** Red, green and blue by their anchors, each in order of position, with straight lines between. */
type AnchorCurve = readonly [red: readonly Anchor[], green: readonly Anchor[], blue: readonly Anchor[]];

/** Parses a channel as written in `channel-anchors.ts`. */
const parseAnchors = (text: string): Anchor[] =>
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
const mirrorCurve = (curve: AnchorCurve): AnchorCurve =>
  curve.map((anchors) =>
    anchors
      .map(({ position, before, after }) => ({ position: 1 - position, before: after, after: before }))
      .reverse(),
  ) as unknown as AnchorCurve;

/**
 * The i-th of equally spaced positions from 0 to 1. The step is computed first and then its multiples, as in NumPy's
 * linspace: where a colour lies between two levels, the last bit decides.
 */
const evenPosition = (i: number, count: number): number => (i === count - 1 ? 1 : i * (1 / (count - 1)));

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
