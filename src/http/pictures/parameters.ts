import { z } from 'zod';
import { MAX_ZOOM } from '../../geo/index.ts';
import { MAX_SIDE_PX } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { pictureMinMaxSchema } from '../colors/min-max.ts';
import { MAX_GAMMA, MIN_GAMMA, STRETCH_NAMES } from '../colors/stretch-query.ts';
import type { ParameterDoc } from '../endpoint/endpoint.ts';
import { EXAMPLE_SCENE } from '../endpoint/shared-docs.ts';
import { DECIMAL } from '../request/strict-number.ts';
import { OFF_NAMES, SWITCH_NAMES } from '../request/switch.ts';
import { MASKING_NAMES } from './cloud-query.ts';
import { CLUSTERING_NAMES, MAX_CLUSTERS, MIN_CLUSTERS } from './cluster-query.ts';
import { RESAMPLE_NAMES } from './query.ts';

/** No zoom has more columns or rows. */
const column = z
  .int()
  .min(0)
  .max(2 ** MAX_ZOOM - 1);
/** A row with what may follow it: twice the pixels, and a format. */
const row = z.string().regex(/^\d{1,9}(?:@2x)?(?:\.(?:png|jpg|jpeg|webp))?$/);
const bounds = z.string().regex(new RegExp(`^${DECIMAL};${DECIMAL};\\d{1,15}$`));

/** Where a picture lies, as its path says it, for the documentation. */
export const positionParameters = {
  z: { description: 'Zoom.', schema: z.int().min(0).max(MAX_ZOOM), example: '12' },
  x: {
    description: 'Column of the tile; or bounds, "left;right;code" of a reference system.',
    schema: z.union([column, bounds]),
    example: EXAMPLE_SCENE.x,
  },
  y: {
    description:
      'Row of the tile, from the north; or bounds, "upper;lower;code". `@2x` behind it gives 512 × 512 pixels, `.png`, `.jpg` or `.webp` the format, unless TILE_SIZE or mimetype say otherwise.',
    schema: z.union([column, row, bounds]),
    example: EXAMPLE_SCENE.y,
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

const HEX_COLOR = '#?[0-9a-fA-F]{6}';

/** A list of one or more, separated by commas. */
const listOf = (item: string): z.ZodType => z.string().regex(new RegExp(`^${item}(?:,${item})*$`));

const sharpened = sensors
  .flatMap(({ title, pansharpening }) => (pansharpening === null ? [] : [title]))
  .toSorted()
  .join(', ');

/** How contrast is found, for the documentation. */
export const stretchParameters = {
  STRETCH: {
    description:
      'natural: physical values between bounds that are fixed for the sensor, the same in every scene, with CALIBRATE on; MIN_MAX is refused with it. auto: the contrast of the scene. auto by default.',
    schema: z.enum(STRETCH_NAMES),
    example: 'natural',
  },
  GAMMA: {
    description:
      'Raises the fraction of the contrast range to 1/GAMMA: above 1 dark ground becomes brighter. 1 by default; with STRETCH=natural that of the sensor.',
    schema: z.number().min(MIN_GAMMA).max(MAX_GAMMA),
    example: '2',
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

/** The query of everything that is drawn, for the documentation. */
export const pictureParameters: Readonly<Record<string, ParameterDoc>> = {
  MIN_MAX: {
    description:
      'Contrast range "min,max"; of three channels also six numbers, a range for each. By default the 2–98 % range of the scene, corrected for clouds.',
    schema: pictureMinMaxSchema,
    example: '0,3000',
  },
  ...stretchParameters,
  CALIBRATE: {
    description:
      'Physical values before band math: reflectance, brightness temperature or sigma nought. Off by default.',
    schema: z.enum(SWITCH_NAMES),
  },
  COMPOSITE: {
    description: '1 for three expressions as red, green and blue; three bands need it not.',
    schema: z.enum(SWITCH_NAMES),
  },
  PANSHARPENING: {
    description: `Sharpens pictures of ${sharpened} with their panchromatic band. Off by default.`,
    schema: z.enum(SWITCH_NAMES),
  },
  RESAMPLE: {
    description: 'How pixels are interpolated; by default bilinear; classes and bits are never mixed.',
    schema: z.enum(RESAMPLE_NAMES),
  },
  COLORMAP: {
    description: "A colormap for one band or expression, by name (matplotlib's, `_r` reverses) or id.",
    schema: z.string(),
    example: 'viridis',
  },
  COLORS_LIMIT: {
    description: 'How many colours a continuous colormap has: 256 unless it is said. Only with COLORMAP.',
    schema: z.int().min(2).max(256),
  },
  COLORS: {
    description: 'Colours of ranges, hexadecimal, separated by commas; one more than THRESHOLDS.',
    schema: listOf(HEX_COLOR),
    example: 'ad0028,fdfec2,007e47',
  },
  THRESHOLDS: {
    description: 'Values between the colours of COLORS, separated by commas; empty for one colour.',
    schema: z.union([z.literal(''), listOf(DECIMAL)]),
    example: '0.3,0.6',
  },
  PALETTE: {
    description: 'Colours of whole numbers or of quality bits, as a JSON object; all else is transparent.',
    schema: z.string().regex(/^\s*\{[^{}]*\}\s*$/),
  },
  MASKING: {
    description: 'CLOUD paints over the clouds; for sensors whose products say where they are.',
    schema: z.enum([...MASKING_NAMES, ...OFF_NAMES]),
  },
  MASK_COLOR: {
    description: 'The colour of painted clouds, three or six hexadecimal digits; white by default.',
    schema: z.string().regex(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
    example: 'fefefe',
  },
  CLUSTERING: {
    description:
      'kmeans shows classes of like pixels, fitted once to the area or the scene and numbered by their centres.',
    schema: z.enum([...CLUSTERING_NAMES, ...OFF_NAMES]),
  },
  CLUSTERS_NO: {
    description: 'How many classes CLUSTERING makes: 5 unless it is said.',
    schema: z.int().min(MIN_CLUSTERS).max(MAX_CLUSTERS),
    example: '5',
  },
  MIN_AREA: {
    description:
      'With CLUSTERING and cropper_ref: patches of fewer square metres go to their largest neighbour.',
    schema: z.number().min(0),
    example: '2000',
  },
  cropper_ref: {
    description: 'A stored area: what lies outside is transparent.',
    schema: z.string().regex(/^[0-9a-f]{32}$/),
  },
  crs: {
    description: 'Reference system of the picture: EPSG:3857 by default, EPSG:4326, or a UTM zone.',
    schema: z.string().regex(/^(?:[Ee][Pp][Ss][Gg]:)?\d{4,5}$/),
    example: 'EPSG:4326',
  },
  TILE_SIZE: {
    description: `Pixels of the picture, "width,height", at most ${MAX_SIDE_PX} each; 256,256 by default.`,
    schema: z.string().regex(/^\d{1,15},\d{1,15}$/),
    example: '600,400',
  },
  mimetype: {
    description: 'Image format; by default JPEG for opaque tiles and PNG for tiles with transparency.',
    schema: z.enum(['image/jpeg', 'image/png', 'image/webp']),
  },
};
