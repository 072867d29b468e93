/** The query of pictures: the declaration of each parameter, and the options that it sets. */
import type { ColormapReference } from '../../color/index.ts';
import { parseColormapName } from '../../color/index.ts';
import { unsupported } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { PictureFormat, RenderOptions } from '../../render/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { AREA_REF } from '../areas/area.ts';
import { contrastParameters, parseStretch } from '../colors/contrast.ts';
import { json } from '../kit/json-schema.ts';
import { choice, custom, defineParameters, flag, mapped, text } from '../kit/parameters.ts';
import type { Query } from '../kit/query.ts';
import { DECIMAL, parseWhole } from '../kit/texts.ts';
import { cloudParameters, clusterParameters, parseCloudCover, parseClusters } from './clouds-and-clusters.ts';
import type { PicturePath } from './path.ts';

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
] as const satisfies readonly NonNullable<RenderOptions['method']>[];

const FORMATS = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const satisfies Readonly<Record<string, PictureFormat>>;

const HEX_COLOR = '#?[0-9a-fA-F]{6}';

/** A list of one or more, separated by commas. */
const listOf = (item: string): string => `^${item}(?:,${item})*$`;

const sharpened = sensors
  .flatMap(({ title, pansharpening }) => (pansharpening === null ? [] : [title]))
  .toSorted()
  .join(', ');

/** The parameters. Those of colours stay text: `color/` reads them where it is known what they colour. */
export const pictureParameters = defineParameters({
  ...contrastParameters,
  CALIBRATE: flag({
    description:
      'Physical values before band math: reflectance, brightness temperature or sigma nought. Off by default.',
    fallback: false,
  }),
  COMPOSITE: flag({
    description: '1 for three expressions as red, green and blue; not needed for three plain bands.',
    fallback: false,
  }),
  PANSHARPENING: flag({
    description: `Sharpens pictures of ${sharpened} with their panchromatic band. Off by default.`,
    fallback: false,
  }),
  RESAMPLE: choice({
    description: 'How pixels are interpolated; by default bilinear; classes and bits are never mixed.',
    names: RESAMPLE_NAMES,
    fallback: null,
  }),
  COLORMAP: custom({
    description: "A colormap for one band or expression, by name (matplotlib's, `_r` reverses) or id.",
    example: 'viridis',
    schema: json.string(),
    fallback: null,
    read: (name): ColormapReference => parseColormapName(name),
  }),
  COLORS_LIMIT: custom({
    description: 'How many colours a continuous colormap has: 256 by default. Only with COLORMAP.',
    schema: json.integer({ min: 2, max: 256 }),
    fallback: null,
    read: (limit) => limit,
  }),
  COLORS: text({
    description: 'Colours of ranges, hexadecimal, separated by commas; one more than THRESHOLDS.',
    example: 'ad0028,fdfec2,007e47',
    pattern: listOf(HEX_COLOR),
    fallback: null,
  }),
  THRESHOLDS: custom({
    description: 'Values between the colours of COLORS, separated by commas; empty for one colour.',
    example: '0.3,0.6',
    schema: json.union([json.literal(''), json.string({ pattern: listOf(DECIMAL) })]),
    fallback: null,
    read: (values) => values,
  }),
  PALETTE: text({
    description: 'Colours of whole numbers or of quality bits, as a JSON object; all else is transparent.',
    pattern: /^\s*\{[^{}]*\}\s*$/,
    fallback: null,
  }),
  ...cloudParameters,
  ...clusterParameters,
  cropper_ref: text({
    description: 'A stored area: pixels outside of it are transparent.',
    pattern: AREA_REF,
    fallback: null,
  }),
  crs: custom({
    description: 'Reference system of the picture: EPSG:3857 by default, EPSG:4326, or a UTM zone.',
    example: 'EPSG:4326',
    schema: json.string({ pattern: /^(?:[Ee][Pp][Ss][Gg]:)?\d{4,5}$/ }),
    fallback: null,
    rule: 'must be a code such as EPSG:3857, EPSG:4326 or EPSG:32631.',
    read(code) {
      const [, digits] = /^(?:EPSG:)?(\d{4,5})$/i.exec(code) ?? [];
      return digits === undefined ? null : Number(digits);
    },
  }),
  TILE_SIZE: custom({
    description: `Pixels of the picture, "width,height", at most ${MAX_SIDE_PX} each; 256,256 by default.`,
    example: '600,400',
    schema: json.string({ pattern: /^\d{1,15},\d{1,15}$/ }),
    fallback: null,
    rule: `must be "width,height", each from 1 to ${MAX_SIDE_PX} pixels.`,
    refuse: unsupported,
    read: parseSize,
  }),
  mimetype: mapped({
    description: 'Image format; by default JPEG for opaque tiles and PNG for tiles with transparency.',
    values: FORMATS,
    fallback: 'auto' as const,
  }),
});

function parseSize(size: string): Size | null {
  const [width, height, ...more] = size.split(',').map(parseWhole);
  if (width == null || height == null || more.length > 0) return null;
  return Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_SIDE_PX ? { width, height } : null;
}

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
  const { mimetype, RESAMPLE, MIN_MAX, CALIBRATE, COMPOSITE, PANSHARPENING } = pictureParameters;
  const { COLORMAP, cropper_ref, TILE_SIZE, crs } = pictureParameters;
  return {
    options: {
      format: mimetype.read(query),
      method: RESAMPLE.read(query),
      ...MIN_MAX.read(query),
      ...parseStretch(query),
      calibrated: CALIBRATE.read(query),
      isComposite: COMPOSITE.read(query),
      ...parseCloudCover(query),
      ...parseClusters(query),
      ...(PANSHARPENING.read(query) ? { isSharpened: true } : {}),
    },
    color: readColor(query),
    colormap: COLORMAP.read(query),
    areaRef: cropper_ref.read(query),
    size: TILE_SIZE.read(query),
    epsg: crs.read(query),
  };
}

function readColor(query: Query): PictureQuery['color'] {
  const { PALETTE, COLORS_LIMIT, COLORS, THRESHOLDS } = pictureParameters;
  const palette = PALETTE.read(query);
  const colorsLimit = COLORS_LIMIT.read(query);
  const colors = COLORS.read(query);
  const thresholds = THRESHOLDS.read(query);
  return {
    ...(palette === null ? {} : { palette }),
    ...(colorsLimit === null ? {} : { colorsLimit }),
    ...(colors === null ? {} : { colors }),
    ...(thresholds === null ? {} : { thresholds }),
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
