import { suggestName } from '../bandmath/index.ts';
import type { RampPlan, StepsPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import type { ColormapContent } from './custom-colormap.ts';
import { takeColors, takeStops } from './custom-colormap.ts';
import { internal, notFound } from './errors.ts';
import {
  findNamed,
  isDiscreteName,
  namedColormaps,
  sampleAnchors,
  sampleNamed,
  toAnchorCurve,
  toEvenCurve,
} from './named/named-colormap.ts';
import type { PackedColors, Rgb, WireColor } from './rgb.ts';
import { hexToRgb, packWireColor, reverseColors } from './rgb.ts';
import type { Stretch } from './stretch.ts';
import { valueAt } from './stretch.ts';

/** A colormap as used by a picture. */
export type Colormap =
  | { readonly kind: 'named'; readonly name: string; readonly isReversed: boolean }
  | { readonly kind: 'custom'; readonly content: ColormapContent; readonly isReversed: boolean };

/** The meaning of a colormap's name: a built-in one, or the id of a custom one, whose content must be fetched. */
export type ColormapReference =
  | Extract<Colormap, { kind: 'named' }>
  | { readonly kind: 'id'; readonly id: string; readonly isReversed: boolean };

/** An entry of the list of colormaps. */
export interface ListedColormap {
  readonly name: string;
  readonly type: 'continuous' | 'discrete';
}

const REVERSED = '_r';

/** Every named colormap in code point order, each followed by its reverse. */
export function listColormaps(type: ListedColormap['type'] | null = null): ListedColormap[] {
  const listed = namedColormaps.flatMap((name) => {
    const ofType = { type: isDiscreteName(name) ? 'discrete' : 'continuous' } as const;
    return [
      { name, ...ofType },
      { name: name + REVERSED, ...ofType },
    ];
  });
  return type === null ? listed : listed.filter((colormap) => colormap.type === type);
}

/** Parses the name or id of a colormap: exactly as listed first, then ignoring case. */
export function parseColormapName(text: string): ColormapReference {
  const id = /^([0-9a-f]{32})(_r)?$/.exec(text);
  if (id !== null) return { kind: 'id', id: id[1]!, isReversed: id[2] !== undefined };
  const listed = find(text, (name) => name) ?? find(text.toLowerCase(), (name) => name.toLowerCase());
  if (listed === null) throw unknownColormap(text);
  return { kind: 'named', ...listed };
}

function find(text: string, toKey: (name: string) => string) {
  for (const name of namedColormaps) {
    const key = toKey(name);
    if (text === key) return { name, isReversed: false };
    if (text === key + REVERSED) return { name, isReversed: true };
  }
  return null;
}

/** The error for a name that is not listed, with a suggestion, or for an id under which nothing is stored. */
export function unknownColormap(text: string) {
  const names = listColormaps().map(({ name }) => name);
  const meant = suggestName(text, names);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return notFound('unknown-colormap', `There is no colormap "${text.slice(0, 40)}".${hint}`);
}

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
