import { unsupported } from '../errors.ts';
import type { StepsPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import { NDVI_COLORS } from './custom/preset-colormaps.ts';
import { parseHex } from './parse-color.ts';
import type { PackedColors } from './rgb.ts';
import { countColors } from './rgb.ts';

/** Parses COLORS and THRESHOLDS; they come as a pair, thresholds one fewer and not decreasing. */
export function parseRangeColors(
  colorsText: string | undefined,
  thresholdsText: string | undefined,
): StepsPlan {
  if (colorsText === undefined || thresholdsText === undefined) {
    const [given, missing] =
      colorsText === undefined ? (['THRESHOLDS', 'COLORS'] as const) : (['COLORS', 'THRESHOLDS'] as const);
    throw unsupported('lone-range-colors', (name) => `${name(given)} needs ${name(missing)}.`);
  }
  const colors = splitList('COLORS', colorsText, MAX_COLORS).map(parseColor).join('');
  // One colour needs no threshold; the empty text is an empty list, not a list of one empty number.
  const thresholds =
    thresholdsText === '' ? [] : splitList('THRESHOLDS', thresholdsText, MAX_COLORS - 1).map(parseThreshold);
  const wanted = countColors(colors) - 1;
  if (thresholds.length !== wanted) {
    throw unsupported(
      'unpaired-range-colors',
      (name) =>
        `${name('THRESHOLDS')} must have one value fewer than ${name('COLORS')}: ${wanted} here, not ${thresholds.length}.`,
    );
  }
  const unsorted = thresholds.findIndex((value, i) => i > 0 && value < thresholds[i - 1]!);
  if (unsorted > 0) {
    throw unsupported(
      'unsorted-thresholds',
      (name) =>
        `${name('THRESHOLDS')} must not decrease: ${thresholds[unsorted]} comes after ${thresholds[unsorted - 1]}.`,
    );
  }
  return { kind: 'steps', colors, thresholds, thresholdsOf: 'values' };
}

function splitList(name: string, text: string, max: number): string[] {
  // One more than allowed is enough to know that there are too many.
  const items = text.split(',', max + 1);
  if (items.length > max)
    throw unsupported('too-many-colors', (nameOf) => `${nameOf(name)} can have at most ${max} values.`);
  return items;
}

function parseColor(text: string, index: number): PackedColors {
  const color = parseHex(text);
  if (color === null) {
    throw unsupported(
      'bad-colors',
      (name) => `${name('COLORS')} must be hexadecimal like 1a9850; colour ${index + 1} is not.`,
    );
  }
  return color;
}

/** Plain decimal numbers: no spaces, no Infinity, nothing outside the range of float32. */
function parseThreshold(text: string, index: number): number {
  const isDecimal = /^[+-]?(\d{1,21}(\.\d{0,23})?|\.\d{1,23})(e[+-]?\d{1,3})?$/i.test(text);
  const value = Number(text);
  if (!isDecimal || !Number.isFinite(Math.fround(value))) {
    throw unsupported(
      'bad-thresholds',
      (name) => `${name('THRESHOLDS')} must be numbers like 0.25; value ${index + 1} is not.`,
    );
  }
  return value;
}

const steps = (
  colors: PackedColors,
  thresholds: readonly number[],
  labels: readonly string[],
): StepsPlan => ({
  kind: 'steps',
  colors,
  thresholds,
  thresholdsOf: 'values',
  ...(labels.length === 0 ? {} : { labels }),
});

/** Default range colours of indices, by alias; the colours are ours. */
const defaults: ReadonlyMap<string, StepsPlan> = new Map([
  // 0.05, 0.10, ... 0.95
  [
    'NDVI',
    steps(
      NDVI_COLORS,
      Array.from({ length: 19 }, (_, i) => (i + 1) / 20),
      [],
    ),
  ],
  // Snow from 0.4: Dozier 1989, Hall 1995; above 0 snow is patchy or mixed.
  ['NDSI', steps('8c6d46bcd6e6ffffff', [0, 0.4], ['No snow', 'Patchy snow', 'Snow'])],
  // Open water is above 0: McFeeters 1996.
  ['NDWI', steps('b5651de3d8a27fc4dd08519c', [-0.3, 0, 0.2], ['Dry', 'Soil or vegetation', 'Wet', 'Water'])],
]);

/** The default range colours of an alias, in any case; null when it has none. */
export const findDefaultRangeColors = (alias: string): StepsPlan | null =>
  defaults.get(alias.toUpperCase()) ?? null;
