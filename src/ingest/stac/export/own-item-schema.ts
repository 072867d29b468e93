import * as z from 'zod';

/*
 * The schema of the `swath:` fields of an item. Anyone can write such an item, so it is checked as strictly as a request.
 */

const text = z.string().min(1).max(1_024);
const number = z.number();
const percent = z.number().min(0).max(100);
const numbers = z.array(number).max(1_000_000);
const pixelType = z.enum(['uint8', 'uint16', 'int16', 'float32']);
const side = z.int().min(1).max(1_000_000);
const transform = z.tuple([number, number, number, number, number, number]);
const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
const ring = z.array(position).min(4).max(100_000);
const polygon = z.array(ring).min(1).max(1_000);
const stamp = z.string().min(1).max(300);

/** The fields of a file that STAC cannot express. */
const own = z.strictObject({
  band_index: z.int().min(0).max(1_000),
  epsg: z.int().min(0).max(999_999).optional(),
  proj: z.string().max(16_384).optional(),
  lattice: z
    .strictObject({ cols: numbers, rows: numbers, x: numbers, y: numbers })
    .refine(({ cols, rows, x, y }) => [x, y].every(({ length }) => length === cols.length * rows.length))
    .optional(),
  overviews: z.array(z.strictObject({ width: side, height: side })).max(64),
  sidecars: z
    .array(z.string().regex(/^\.[A-Za-z0-9.]{1,12}$/))
    .max(10)
    .optional(),
  stamps: z.array(stamp).min(1).max(11).optional(),
});

/** A file of an exported item; unknown fields are ignored. */
const assetSchema = z.object({
  href: z.string().min(1).max(4_096),
  'proj:code': z
    .string()
    .regex(/^EPSG:\d{1,6}$/)
    .nullable(),
  'proj:transform': transform,
  'proj:shape': z.tuple([side, side]),
  bands: z.tuple([
    z.object({
      data_type: pixelType,
      nodata: z.union([number, z.literal('nan')]).optional(),
      'raster:scale': number,
      'raster:offset': number,
    }),
  ]),
  'swath:asset': own,
});

/** An `Asset` of the record, inside a cloud mask. */
const recordAsset = z.strictObject({
  href: z.string().min(1).max(4_096),
  bandIndex: own.shape.band_index,
  epsg: z.int().min(0).max(999_999),
  proj: own.shape.proj,
  transform,
  lattice: own.shape.lattice,
  width: side,
  height: side,
  type: pixelType,
  nodata: number.nullable(),
  scale: number,
  offset: number,
  overviews: own.shape.overviews,
  sidecars: own.shape.sidecars,
  stamps: own.shape.stamps,
});

const linear = z.strictObject({ mult: number, add: number });
const table = z.strictObject({ lines: numbers, pixels: numbers, values: numbers });
const noiseBlock = z.strictObject({
  firstLine: number,
  lastLine: number,
  firstPixel: number,
  lastPixel: number,
  lines: numbers,
  values: numbers,
});
const bandCalibration = z.strictObject({
  radiance: linear.optional(),
  reflectance: linear.optional(),
  thermal: z.strictObject({ k1: number, k2: number }).optional(),
  sigmaNought: table.optional(),
  noise: z.strictObject({ range: table, azimuth: z.array(noiseBlock).max(1_000) }).optional(),
});
const cloudMask = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('polygons'),
    href: z.string().min(1).max(4_096),
    epsg: z.int(),
    stamp: stamp.optional(),
  }),
  z.strictObject({ kind: z.literal('flags'), asset: recordAsset }),
  z.strictObject({ kind: z.literal('classes'), band: text }),
  z.strictObject({
    kind: z.literal('quality'),
    band: text,
    layout: z.enum(['pre-collection', 'collection-1', 'collection-2']),
  }),
]);

const area = z.union([
  z.strictObject({ type: z.literal('Polygon'), coordinates: polygon }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(polygon).min(1).max(1_000) }),
]);

/** An item that `toStacItem` wrote. */
export const ownItemSchema = z.object({
  geometry: area,
  collection: text,
  properties: z.object({
    datetime: z.iso.datetime(),
    'eo:cloud_cover': percent.optional(),
    'view:sun_elevation': z.number().min(-90).max(90).optional(),
    'view:sun_azimuth': z.number().min(-180).max(360).optional(),
    'swath:sun_azimuth': z.number().min(-180).max(0).optional(),
    'swath:view_id': text,
    'swath:scene_id': text,
    'swath:product_id': text.optional(),
    'swath:coverage_percent': percent.optional(),
    'swath:frame': area.optional(),
    'swath:provenance': text,
    'swath:fields': z.record(
      z.string().max(100),
      z.union([z.string().max(4_096), number, z.boolean(), z.null()]),
    ),
    'swath:calibration': z
      .strictObject({ earthSunDistanceAu: number.nullable(), bands: z.record(text, bandCalibration) })
      .optional(),
    'swath:cloud_mask': cloudMask.optional(),
    'swath:origin': z.strictObject({ fingerprint: text, processed: z.string().max(1_024) }).optional(),
    'swath:indexed_at': z.iso.datetime().optional(),
  }),
  assets: z.record(text, assetSchema).refine((assets) => Object.keys(assets).length > 0, 'it has no file'),
});

/** A file of such an item. */
export type OwnAsset = z.infer<typeof assetSchema>;

/** The cloud mask of such an item. */
export type OwnCloudMask = z.infer<typeof cloudMask>;
