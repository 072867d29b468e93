import { findPreset, parseColormapName, unknownColormap } from '../color/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { PictureFormat, RenderOptions } from '../render/index.ts';
import type { Query } from './query.ts';
import { parseDecimal } from './strict-number.ts';

const FORMATS: ReadonlyMap<string, PictureFormat> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
]);

type Method = NonNullable<RenderOptions['method']>;

/** RESAMPLE on the wire has the names that the renderer uses too: they are gdalwarp's. */
export const RESAMPLE_NAMES = [
  'near',
  'bilinear',
  'cubic',
  'cubicspline',
  'lanczos',
  'average',
  'mode',
  'max',
  'min',
  'med',
  'q1',
  'q3',
] as const satisfies readonly Method[];

const METHODS: ReadonlyMap<string, Method> = new Map(RESAMPLE_NAMES.map((name) => [name, name]));

/**
 * Parameters of the interface (4.2) that change the picture in ways this version cannot draw. They are refused:
 * leaving them out in silence would show something else than was asked for.
 */
const UNSUPPORTED: readonly string[] = ['cropper_ref', 'PANSHARPENING', 'MASKING', 'CLUSTERING', 'TILE_SIZE'];

/** What a switch may say. */
export const SWITCH_NAMES = ['true', '1', 'false', '0'] as const;

/** Switches that are off ask for nothing. */
const OFF: ReadonlySet<string> = new Set(['0', 'false']);
const ON: ReadonlySet<string> = new Set(['1', 'true']);

/** Reads the query of a tile into what the renderer understands. */
export function parseTileQuery(query: Query): RenderOptions {
  for (const name of UNSUPPORTED) {
    if (query.has(name) && !OFF.has(query.get(name)?.toLowerCase() ?? ''))
      throw unsupported('unsupported-parameter', `${name} is not supported by this version of Swath.`);
  }
  const crs = query.get('crs');
  if (crs !== undefined && crs.toUpperCase() !== 'EPSG:3857') {
    throw unsupported('unsupported-parameter', 'crs: tiles are drawn in EPSG:3857 by this version of Swath.');
  }
  return {
    format: choose(query, 'mimetype', FORMATS) ?? 'auto',
    method: choose(query, 'RESAMPLE', METHODS) ?? null,
    range: parseRange(query.get('MIN_MAX')),
    calibrated: parseSwitch(query, 'CALIBRATE'),
    isComposite: parseSwitch(query, 'COMPOSITE'),
    color: parseColor(query),
  };
}

/** Texts of the query that speak of colours; only the colormap's name is read here, because it may be unknown. */
function parseColor(query: Query): RenderOptions['color'] {
  const name = query.get('COLORMAP');
  const text = (parameter: string) => query.get(parameter);
  const [palette, colorsLimit, colors, thresholds] = ['PALETTE', 'COLORS_LIMIT', 'COLORS', 'THRESHOLDS'].map(
    text,
  );
  return {
    ...(palette === undefined ? {} : { palette }),
    ...(name === undefined ? {} : { colormap: findColormap(name) }),
    ...(colorsLimit === undefined ? {} : { colorsLimit }),
    ...(colors === undefined ? {} : { colors }),
    ...(thresholds === undefined ? {} : { thresholds }),
  };
}

function findColormap(name: string): NonNullable<RenderOptions['color']['colormap']> {
  const reference = parseColormapName(name);
  if (reference.kind === 'named') return reference;
  const content = findPreset(reference.id);
  if (content === null) throw unknownColormap(name);
  return { kind: 'custom', content, isReversed: reference.isReversed };
}

/** `true`, `1`, `false` or `0`, in any case; off when it is not there. */
function parseSwitch(query: Query, name: string): boolean {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined || OFF.has(text)) return false;
  if (ON.has(text)) return true;
  throw badInput(`bad-${name.toLowerCase()}`, `${name} must be true, 1, false or 0.`);
}

function choose<Value>(query: Query, name: string, choices: ReadonlyMap<string, Value>): Value | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const value = choices.get(text);
  if (value === undefined)
    throw badInput(`bad-${name.toLowerCase()}`, `${name} must be one of ${[...choices.keys()].join(', ')}.`);
  return value;
}

/** `MIN_MAX=min,max`: one contrast range for all channels. */
function parseRange(text: string | undefined): RenderOptions['range'] {
  if (text === undefined) return null;
  const [min, max, ...more] = text.split(',').map(parseDecimal);
  if (min == null || max == null || more.length > 0) {
    throw badInput('bad-min-max', 'MIN_MAX must be two numbers "min,max".');
  }
  if (min >= max) throw unsupported('flat-min_max', 'MIN_MAX leaves no contrast: min must be below max.');
  return { min, max };
}
