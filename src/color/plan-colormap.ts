import { internal } from '../errors.ts';
import type { RampPlan, StepsPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import type { Colormap } from './colormap.ts';
import type { Stretch } from './curve.ts';
import { valueAt } from './curve.ts';
import type { ColormapContent } from './custom/colormap-content.ts';
import { takeColors, takeStops } from './custom/colormap-content.ts';
import { sampleAnchors, toAnchorCurve, toEvenCurve } from './named/anchor-curve.ts';
import { findNamed } from './named/find-named.ts';
import { sampleNamed } from './named/sample-named.ts';
import type { WireColor } from './parse-color.ts';
import { packWireColor } from './parse-color.ts';
import type { PackedColors, Rgb } from './rgb.ts';
import { hexToRgb, reverseColors } from './rgb.ts';

/** Colours of named maps by name, cached in a process: at most all maps in 256 colours, 300 kB. */
export type ColormapCache = Map<string, PackedColors>;

interface ColormapOptions {
  /** Number of colours of a continuous map; it has no effect on others. */
  readonly colorsLimit: number | null;
  /** Null: the contrast of the picture, or the range of absolute positions. */
  readonly range: Stretch | null;
  /** Saves sampling a map for every picture: a tenth of a millisecond. */
  readonly cache?: ColormapCache | undefined;
}

/** How a colormap maps values to colours. */
export function planColormap(colormap: Colormap, options: ColormapOptions): RampPlan | StepsPlan {
  if (colormap.kind === 'custom') return planCustom(colormap.content, colormap.isReversed, options);
  return { kind: 'ramp', colors: sampleByName(colormap, options), range: options.range };
}

function sampleByName(
  { name, isReversed }: Extract<Colormap, { kind: 'named' }>,
  { colorsLimit, cache }: ColormapOptions,
): PackedColors {
  const key = `${name}${isReversed ? '_r' : ''}`;
  // Only whole maps are cached: there are some hundreds of them, but a hundred thousand with every limit.
  const cached = colorsLimit === null ? cache?.get(key) : undefined;
  if (cached !== undefined) return cached;
  const source = findNamed(name);
  if (source === null) throw internal('unknown-colormap', 'A colormap was planned before it was looked up.');
  const colors = sampleNamed(source, colorsLimit ?? MAX_COLORS, isReversed);
  if (colorsLimit === null) cache?.set(key, colors);
  return colors;
}

function planCustom(
  content: ColormapContent,
  isReversed: boolean,
  { colorsLimit, range }: ColormapOptions,
): RampPlan | StepsPlan {
  if (content.type === 'discrete') return planClasses(content, isReversed, range);
  const count = colorsLimit ?? MAX_COLORS;
  const forward = takeStops(content);
  if (forward === null) {
    const colors = takeColors(content).map(toRgb);
    const curve = toEvenCurve(isReversed ? colors.reverse() : colors);
    return { kind: 'ramp', colors: sampleAnchors(curve, count), range };
  }
  const stops = isReversed ? mirror(forward) : forward;
  if (content.thresholds_type === 'relative') {
    return { kind: 'ramp', colors: sampleAnchors(toCurve(stops, { min: 0, max: 1 }), count), range };
  }
  // Positions that are values stay where they are, whatever the curve.
  const { min, max } = range ?? { min: stops[0]![0], max: stops.at(-1)![0] };
  const shown = { min, max };
  return { kind: 'ramp', colors: sampleAnchors(toCurve(stops, shown), count), range: shown };
}

/** Positions as fractions of a range: a curve may begin before it and end after it. */
function toCurve(stops: readonly (readonly [number, WireColor])[], { min, max }: Stretch) {
  return toAnchorCurve(stops.map(([position, color]) => [(position - min) / (max - min), toRgb(color)]));
}

/** From the last position to the first: distances are the same, in reverse order. */
function mirror(stops: readonly (readonly [number, WireColor])[]): (readonly [number, WireColor])[] {
  const sum = stops[0]![0] + stops.at(-1)![0];
  return stops.map(([position, color]) => [sum - position, color] as const).reverse();
}

/** Classes have the same intervals when they are reversed: only the colours and labels are swapped. */
function planClasses(
  content: ColormapContent,
  isReversed: boolean,
  range: Stretch | null,
): RampPlan | StepsPlan {
  const packed = takeColors(content).map(packWireColor).join('');
  const colors = isReversed ? reverseColors(packed) : packed;
  const { labels } = content;
  const named = labels === undefined ? {} : { labels: isReversed ? labels.toReversed() : labels };
  // Colour i covers the values between its position and the next one; below the first there is no other colour.
  const thresholds = takeStops(content)
    ?.slice(1)
    .map(([position]) => position);
  if (thresholds === undefined) return { kind: 'ramp', colors, range, ...named };
  if (content.thresholds_type === 'absolute') {
    return { kind: 'steps', colors, thresholds, thresholdsOf: 'values', ...named };
  }
  if (range === null) return { kind: 'steps', colors, thresholds, thresholdsOf: 'contrast', ...named };
  const values = thresholds.map((part) => valueAt(range, part));
  return { kind: 'steps', colors, thresholds: values, thresholdsOf: 'values', ...named };
}

const toRgb = (color: WireColor): Rgb => (typeof color === 'string' ? hexToRgb(color) : color);
