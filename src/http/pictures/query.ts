import type { ColormapReference } from '../../color/index.ts';
import { parseColormapName } from '../../color/index.ts';
import { badInput, unsupported } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { PictureFormat, RenderOptions } from '../../render/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { parsePictureRange } from '../colors/min-max.ts';
import { parseStretch } from '../colors/stretch-query.ts';
import type { Query } from '../request/query.ts';
import { parseWhole } from '../request/strict-number.ts';
import { parseSwitch, toBadCode } from '../request/switch.ts';
import { parseCloudCover } from './cloud-query.ts';
import { parseClusters } from './cluster-query.ts';
import type { PicturePath } from './path.ts';

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

/** What the query of a picture says: how it is drawn, and on which pixels. Areas and colormaps are still names. */
export interface PictureQuery {
  readonly options: Omit<RenderOptions, 'area' | 'color' | 'watermark'>;
  readonly color: Omit<RenderOptions['color'], 'colormap'>;
  readonly colormap: ColormapReference | null;
  readonly areaRef: string | null;
  readonly size: Size | null;
  readonly epsg: number | null;
}

/** Reads the query of a picture. */
export function parsePictureQuery(query: Query): PictureQuery {
  const colormap = query.get('COLORMAP');
  return {
    options: {
      format: choose(query, 'mimetype', FORMATS) ?? 'auto',
      method: choose(query, 'RESAMPLE', METHODS) ?? null,
      ...parsePictureRange(query.get('MIN_MAX')),
      ...parseStretch(query),
      calibrated: parseSwitch(query, 'CALIBRATE'),
      isComposite: parseSwitch(query, 'COMPOSITE'),
      ...parseCloudCover(query),
      ...parseClusters(query),
      ...(parseSwitch(query, 'PANSHARPENING') ? { isSharpened: true } : {}),
    },
    color: readColor(query),
    colormap: colormap === undefined ? null : parseColormapName(colormap),
    areaRef: query.get('cropper_ref') ?? null,
    size: parseSize(query.get('TILE_SIZE')),
    epsg: parseCrs(query.get('crs')),
  };
}

/** Twice the side of a tile, for `@2x`. */
const DOUBLE_PX = 512;

/** The query with what the end of the address asks for, where the query itself says nothing. */
export function withEnding(query: PictureQuery, { isDouble, format }: PicturePath['ending']): PictureQuery {
  const options =
    format === null || query.options.format !== 'auto' ? query.options : { ...query.options, format };
  const size = query.size ?? (isDouble ? { width: DOUBLE_PX, height: DOUBLE_PX } : null);
  return { ...query, options, size };
}

/** Texts of the query that speak of colours; they are read where it is known what they colour. */
function readColor(query: Query): PictureQuery['color'] {
  const [palette, colorsLimit, colors, thresholds] = ['PALETTE', 'COLORS_LIMIT', 'COLORS', 'THRESHOLDS'].map(
    (parameter) => query.get(parameter),
  );
  return {
    ...(palette === undefined ? {} : { palette }),
    ...(colorsLimit === undefined ? {} : { colorsLimit }),
    ...(colors === undefined ? {} : { colors }),
    ...(thresholds === undefined ? {} : { thresholds }),
  };
}

/** `TILE_SIZE=width,height` in pixels. */
function parseSize(text: string | undefined): Size | null {
  if (text === undefined) return null;
  const [width, height, ...more] = text.split(',').map(parseWhole);
  if (width == null || height == null || more.length > 0) {
    throw unsupported(
      'bad-tile-size',
      `TILE_SIZE must be "width,height", each from 1 to ${MAX_SIDE_PX} pixels.`,
    );
  }
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_SIDE_PX) {
    throw unsupported('bad-tile-size', `TILE_SIZE must be 1 to ${MAX_SIDE_PX} pixels a side.`);
  }
  return { width, height };
}

/** `crs=EPSG:4326`, or the code alone. */
function parseCrs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, code] = /^(?:EPSG:)?(\d{4,5})$/i.exec(text) ?? [];
  if (code === undefined)
    throw badInput('bad-crs', 'crs must be a code such as EPSG:3857, EPSG:4326 or EPSG:32631.');
  return Number(code);
}

function choose<Value>(query: Query, name: string, choices: ReadonlyMap<string, Value>): Value | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const value = choices.get(text);
  if (value === undefined)
    throw badInput(toBadCode(name), `${name} must be one of ${[...choices.keys()].join(', ')}.`);
  return value;
}
