import type { PackedColors, Rgb } from '../rgb.ts';
import { toRgbList } from '../rgb.ts';
import type { AnchorCurve } from './anchor-curve.ts';
import { parseAnchors, toEvenCurve } from './anchor-curve.ts';
import { channelAnchors } from './channel-anchors.ts';
import { channelFormulas } from './channel-formulas.ts';
import { classColors, rampColors } from './color-lists.ts';
import { unpackCurve } from './packed-curve.ts';
import { smoothCurves } from './smooth-curves.ts';

/** The source of the colours of a named map. */
export type NamedSource =
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
