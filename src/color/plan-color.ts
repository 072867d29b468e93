import { unsupported } from '../errors.ts';
import type { ColorPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import type { Colormap } from './colormap.ts';
import type { Stretch } from './curve.ts';
import { parsePalette } from './parse-palette.ts';
import type { ColormapCache } from './plan-colormap.ts';
import { planColormap } from './plan-colormap.ts';
import { findDefaultRangeColors, parseRangeColors } from './range-colors.ts';

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

/** The colour parameters of a request, and the bands they apply to. Texts are those of the query. */
export interface ColorRequest {
  readonly palette?: string | undefined;
  /** Already resolved: a custom one must be fetched. */
  readonly colormap?: Colormap | undefined;
  readonly colorsLimit?: string | undefined;
  readonly colors?: string | undefined;
  readonly thresholds?: string | undefined;
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

/**
 * Decides how a picture is coloured; null: by its contrast only, grey or three channels. If several ways are requested,
 * a palette wins over a colormap, and that over range colours; all are checked. If none is, the band's own palette or
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
