import type { PackedColors } from '../rgb.ts';
import { packColor, reverseColors } from '../rgb.ts';
import { evenPosition, mirrorCurve, sampleAnchors } from './anchor-curve.ts';
import type { NamedSource } from './find-named.ts';

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
