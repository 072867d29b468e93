import { z } from 'zod';
import { geometrySchema } from '../areas/area.ts';
import { MAX_GAMMA, MIN_GAMMA, STRETCH_NAMES } from '../colors/stretch-query.ts';
import { number, onOff } from '../endpoint/body-schemas.ts';
import { RESAMPLE_NAMES } from '../pictures/query.ts';
import { cloudLevel, histogram } from './param-schemas.ts';

/** A schema for the documentation: what the readers of params accept, so that programs can rely on it. */

const text = (maxChars: number) => z.string().max(maxChars);
const required = text(2_048).regex(/\S/);

const choice = (names: readonly string[]) => z.enum([...names, '']);
const texts = (max: number) => z.union([z.string(), z.array(z.union([z.string(), z.number()])).max(max)]);

const viewId = required.describe('As search gives it.');
const reference = z
  .union([text(200), z.number()])
  .nullish()
  .describe(
    'Your own name for the order; one is made when it is missing. The same reference with the same params is the same task.',
  );
const expressions = z
  .union([
    required,
    z
      .array(z.union([z.string().regex(/\S/), z.number()]))
      .min(1)
      .max(10),
  ])
  .describe('Bands, indices or band math; several separated by commas, or as a list.');
const nameAlias = text(200)
  .nullish()
  .describe('Used in the name of the file instead of the expression; spaces become underscores.');

const area = {
  bbox: z
    .array(z.number())
    .length(4)
    .nullish()
    .describe(
      'west, south, east, north in degrees. At most one of bbox, geometry and cropper_ref; none for the whole scene.',
    ),
  geometry: geometrySchema.nullish().describe('A Polygon or MultiPolygon in longitude and latitude.'),
  cropper_ref: text(2_048).nullish().describe('The reference of a stored area.'),
};

const callbackUrl = text(2_048)
  .nullish()
  .describe(
    'Told by a signed POST when the task is over: a public http or https address. Also accepted among the params.',
  );

const bandsSchema = z.object({
  type: z.literal('lbe').describe('Bands as they were delivered.'),
  callback_url: callbackUrl,
  params: z.object({
    view_id: viewId,
    bands: texts(64).describe('Names of bands: a list, or a text with commas between them; at least one.'),
    ...area,
    merge: onOff.nullish().describe('Bands of the same resolution in one file; on by default.'),
    metadata: z
      .array(z.object({ label: text(200), url: text(2_048) }))
      .max(20)
      .nullish()
      .describe('Metadata files of the scene to put into the zip archive, by path or address.'),
    reference,
    callback_url: callbackUrl,
  }),
});

const indexSchema = z.object({
  type: z.literal('bandmath').describe('Values of band math.'),
  callback_url: callbackUrl,
  params: z.object({
    view_id: viewId,
    bm_type: expressions,
    name_alias: nameAlias,
    ...area,
    reference,
    callback_url: callbackUrl,
  }),
});

const pictureSchema = z.object({
  type: z.literal('jpeg').describe('A picture, in 8 bits a channel and Web Mercator.'),
  callback_url: callbackUrl,
  params: z.object({
    view_id: viewId,
    bm_type: expressions,
    name_alias: nameAlias,
    ...area,
    resample: choice(RESAMPLE_NAMES).nullish().describe('cubic by default; classes are never mixed.'),
    colormap: text(2_048).nullish().describe('The name or id of a colormap.'),
    levels: texts(2)
      .nullish()
      .describe('"min,max" of the colormap, "-0.5,0.5" by default; without one, the contrast.'),
    stretch: choice(STRETCH_NAMES)
      .nullish()
      .describe('natural: physical values between fixed bounds, the same in every scene; auto by default.'),
    gamma: number(MIN_GAMMA, MAX_GAMMA)
      .nullish()
      .describe(
        'Raises the fraction of the contrast to 1/gamma; 1 by default, with natural that of the sensor.',
      ),
    colors_limit: number(-1e9, 1e9).nullish().describe('Steps of the colormap, 2 to 256.'),
    calibrate: onOff.nullish().describe('Reflectance or brightness temperature; off by default.'),
    size: z.unknown().optional().describe('Accepted and not used.'),
    georeference: choice(['world', 'kmz', 'tiff', 'jpeg'])
      .nullish()
      .describe('world: a zip archive with a world file; kmz; tiff: a GeoTIFF; jpeg: none.'),
    format: choice(['jpeg', 'jpg', 'tiff', 'tif', 'png']).nullish().describe('jpeg by default.'),
    pansharpening: onOff.nullish().describe('Of Landsat 7, 8 and 9; off by default.'),
    colors: texts(256).nullish().describe('Range colours: hexadecimal, one more than thresholds.'),
    thresholds: texts(256).nullish().describe('Values between the colours, in rising order.'),
    px_size: number(0.01, 100_000)
      .nullish()
      .describe('Metres of a pixel on the ground; by default those of the finest band.'),
    reference,
    callback_url: callbackUrl,
  }),
});

/** Programs of this interface are told by the poll what is wrong with these. */
const reported = z.unknown().optional();

const statisticsSchema = z.object({
  type: z.literal('mt_stats').describe('Statistics of an area over time.'),
  callback_url: callbackUrl,
  params: z.object({
    bm_type: reported.describe('An index, a band or band math; or a list of them.'),
    sensors: reported.describe('Dataset ids or abbreviations.'),
    date_start: reported.describe('Such as 2026-01-01.'),
    date_end: reported.describe('Included.'),
    geometry: reported.describe('A Polygon or MultiPolygon in longitude and latitude; or give cropper_ref.'),
    cropper_ref: text(2_048).nullish().describe('The reference of a stored area.'),
    limit: number(1, 1e9).nullish().describe('Scenes that are used, newest first; 100 by default.'),
    max_cloud_cover_in_aoi: number(0, 100)
      .nullish()
      .describe('Percent of clouds in the area; cloudier scenes are left out.'),
    exclude_cover_pixels: onOff.nullish().describe('Leaves clouds of Sentinel-2 out of the numbers.'),
    cloud_masking_level: cloudLevel
      .nullish()
      .describe('Classes of Sentinel-2 to leave out as well: 1 to 4, 0 for none.'),
    histogram: histogram.nullish().describe('Pixels in equal bins, for /api/statistics.'),
    reference,
    callback_url: callbackUrl,
  }),
});

/** What a task is ordered with. */
export const taskBody = {
  description: 'The type of the task, and what it needs. A param that is null counts as left out.',
  schema: z.discriminatedUnion('type', [bandsSchema, indexSchema, pictureSchema, statisticsSchema]),
  example: {
    type: 'bandmath',
    params: {
      view_id: 'S2L2A/10/U/EU/2026/6/21/1',
      bm_type: '(B08-B04)/(B08+B04)',
      name_alias: 'NDVI',
      bbox: [-122.41, 48.21, -122.39, 48.23],
      reference: 'order-1',
    },
  },
};
