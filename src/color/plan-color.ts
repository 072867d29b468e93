import type { ColorPlan, StepsPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import type { Colormap, ColormapCache } from './colormap.ts';
import { planColormap } from './colormap.ts';
import { NDVI_COLORS } from './custom-colormap.ts';
import { unsupported } from './errors.ts';
import { parsePalette } from './parse-palette.ts';
import type { PackedColors } from './rgb.ts';
import { countColors, parseHex } from './rgb.ts';
import type { Stretch } from './stretch.ts';

/** Colours that a caller asks for; texts are those of the query. */
export interface ColorOptions {
  readonly palette?: string | undefined;
  /** Already resolved: a custom one must be fetched. */
  readonly colormap?: Colormap | undefined;
  readonly colorsLimit?: string | undefined;
  readonly colors?: string | undefined;
  readonly thresholds?: string | undefined;
}

/** The colour parameters of a request, and the bands they apply to. */
export interface ColorRequest extends ColorOptions {
  readonly minMax: Stretch | null;
  /** Bands or expressions that the picture shows. */
  readonly channels: number;
  /** True for quality bits: their palettes name bits. */
  readonly hasBits: boolean;
  /** False when values are known to be fractions: calibrated, or stored as such. */
  readonly hasWholeValues: boolean;
  /** The sensor's palette of the band, if the picture is one band that has one. */
  readonly defaultPalette: DefaultPalette | null;
  /** The requested alias, if it was one. */
  readonly alias: string | null;
  readonly cache?: ColormapCache | undefined;
}

/** Colours of a band that holds classes or quality bits, as the sensors describe them. */
export type DefaultPalette =
  | {
      readonly kind: 'bits';
      readonly entries: readonly {
        readonly bits: readonly number[];
        readonly color: string;
        readonly label: string;
      }[];
    }
  | {
      readonly kind: 'values';
      readonly entries: readonly { readonly value: number; readonly color: string; readonly label: string }[];
    };

/**
 * Decides how a picture is coloured; null: by its contrast only, grey or three channels. If several ways are requested,
 * a palette overrides a colormap, which overrides range colours; all are checked. If none is, the band's own palette or
 * the default range colours of the alias are used.
 */
export function planColor(request: ColorRequest): ColorPlan | null {
  const { palette, colormap, colorsLimit, colors, thresholds, channels } = request;
  const asked = Object.entries({
    PALETTE: palette,
    COLORMAP: colormap,
    COLORS: colors,
    THRESHOLDS: thresholds,
  });
  const first = asked.find(([, value]) => value !== undefined)?.[0];
  if (channels !== 1 && first !== undefined) {
    throw unsupported(
      'colored-composite',
      (name) => `${name(first)} colours a single band or expression, not ${channels}.`,
    );
  }
  if (colorsLimit !== undefined && colormap === undefined) {
    throw unsupported('lone-colors-limit', (name) => `${name('COLORS_LIMIT')} needs ${name('COLORMAP')}.`);
  }
  const plans = [planPalette(request), planNamed(request), planRange(request)];
  return plans.find((plan) => plan !== null) ?? (channels === 1 ? planDefault(request) : null);
}

function planPalette({ palette, hasBits, hasWholeValues }: ColorRequest): ColorPlan | null {
  if (palette === undefined) return null;
  if (!hasWholeValues) {
    throw unsupported(
      'palette-of-fractions',
      'PALETTE is for whole numbers only; these values are fractions.',
    );
  }
  return parsePalette(palette, hasBits ? 'bits' : 'values');
}

function planNamed({ colormap, colorsLimit, minMax, cache }: ColorRequest): ColorPlan | null {
  if (colormap === undefined) return null;
  return planColormap(colormap, { colorsLimit: parseColorsLimit(colorsLimit), range: minMax, cache });
}

/** COLORS_LIMIT of a picture, or LIMIT of a legend: how many colours a continuous colormap may have. */
export function parseColorsLimit(text: string | undefined, name = 'COLORS_LIMIT'): number | null {
  if (text === undefined) return null;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 2 || limit > MAX_COLORS) {
    throw unsupported('bad-colors-limit', `${name} must be a whole number from 2 to ${MAX_COLORS}.`);
  }
  return limit;
}

const planRange = ({ colors, thresholds }: ColorRequest): ColorPlan | null =>
  colors === undefined && thresholds === undefined ? null : parseRangeColors(colors, thresholds);

function planDefault({ defaultPalette, alias }: ColorRequest): ColorPlan | null {
  if (defaultPalette === null) return alias === null ? null : findDefaultRangeColors(alias);
  const { kind, entries } = defaultPalette;
  const shared = {
    colors: entries.map(({ color }) => color.slice(1)).join(''),
    labels: entries.map(({ label }) => label),
  };
  return kind === 'bits'
    ? { kind, bits: defaultPalette.entries.map(({ bits }) => bits), ...shared }
    : { kind, values: defaultPalette.entries.map(({ value }) => value), ...shared };
}

/** Parses COLORS and THRESHOLDS; they come as a pair, thresholds one fewer and not decreasing. */
function parseRangeColors(colorsText: string | undefined, thresholdsText: string | undefined): StepsPlan {
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
const findDefaultRangeColors = (alias: string): StepsPlan | null => defaults.get(alias.toUpperCase()) ?? null;

/** Whether colours follow the contrast of the picture; without, it need not be known. */
export const needsContrast = (plan: ColorPlan | null): boolean =>
  plan === null ||
  (plan.kind === 'ramp' && plan.range === null) ||
  (plan.kind === 'steps' && plan.thresholdsOf === 'contrast');

/** Whether colours stand for single values, without a transition between them. */
export const isOfClasses = (plan: ColorPlan | null): boolean =>
  plan?.kind === 'values' || plan?.kind === 'bits';

/** Between which values the colours of a channel change; nothing where they stand for values of their own. */
export function shownRange(plan: ColorPlan | null, { min, max, gamma, isDecibel }: Stretch): Stretch | null {
  if (!needsContrast(plan)) return plan?.kind === 'ramp' ? plan.range : null;
  return {
    min,
    max,
    ...(gamma === undefined ? {} : { gamma }),
    ...(isDecibel === undefined ? {} : { isDecibel }),
  };
}
