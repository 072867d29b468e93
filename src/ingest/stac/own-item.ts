import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { Asset, NewScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { toAddressOrigin } from '../../net/index.ts';
import type { FieldType, Sensor, ViewId } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import { toSourceAdvice } from '../../sources/index.ts';
import { DAY_MS } from '../../units.ts';
import { notAllowed, sourceBroken } from '../errors.ts';
import type { AddressRules } from './addresses.ts';

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
    // A table leaves out what is null.
    .nullish(),
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
const ownItemSchema = z.object({
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
type OwnAsset = z.infer<typeof assetSchema>;

/** The cloud mask of such an item. */
type OwnCloudMask = z.infer<typeof cloudMask>;

/** What an exported item may refer to. */
interface OwnRules extends Pick<AddressRules, 'isAllowedHref'> {
  /** The href of a local file by its absolute path; undefined if the item may not refer to local files. */
  readonly toHref?: AddressRules['toHref'] | undefined;
}

/** The record from which an item was exported; it may only refer to allowed sources. */
export function fromOwnItem(value: unknown, rules: OwnRules): NewScene {
  const { data, error } = ownItemSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    throw sourceBroken('stac-own-fields', `${issue?.path.join('.') ?? 'It'} is wrong: ${issue?.message}`);
  }
  const { properties, geometry, collection, assets } = data;
  const view = parseName(properties['swath:view_id'], collection);
  checkDay(view, properties.datetime);
  checkFields(view.sensor, properties['swath:fields']);
  const { toHref } = rules;
  const toOwnHref = (href: string) => (toHref !== undefined && isAbsolute(href) ? toHref(href) : href);
  const scene = {
    viewId: properties['swath:view_id'],
    sceneId: properties['swath:scene_id'],
    dataset: collection,
    acquiredAt: properties.datetime,
    footprint: geometry,
    cloudPercent: properties['eo:cloud_cover'] ?? null,
    sunElevationDeg: properties['view:sun_elevation'] ?? null,
    sunAzimuthDeg: properties['swath:sun_azimuth'] ?? properties['view:sun_azimuth'] ?? null,
    coveragePercent: properties['swath:coverage_percent'] ?? null,
    fields: properties['swath:fields'],
    assets: Object.fromEntries(
      Object.entries(assets).map(([name, asset]) => [name, toAsset(asset, toOwnHref)]),
    ),
    provenance: properties['swath:provenance'],
    ...given('frame', properties['swath:frame']),
    ...given('productId', properties['swath:product_id']),
    ...given('calibration', properties['swath:calibration']),
    ...given('cloudMask', toMask(properties['swath:cloud_mask'], toOwnHref)),
    ...given('origin', properties['swath:origin']),
    ...given('indexedAt', properties['swath:indexed_at']),
    // Zod types absent fields as possibly undefined, but does not create them.
  } as NewScene;
  checkHrefs(scene, rules);
  return scene;
}

const given = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });

function parseName(viewId: string, dataset: string): ViewId {
  try {
    const view = parseViewId(viewId);
    if (view.viewId === viewId && view.sensor.dataset === dataset) return view;
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-found') throw error;
  }
  throw sourceBroken(
    'stac-own-fields',
    `${viewId.slice(0, 100)} is not a view id of ${dataset.slice(0, 100)}.`,
  );
}

function checkDay({ sensor, viewId, date }: ViewId, time: string): void {
  const apartDays = Math.abs(Date.parse(time.slice(0, 10)) - Date.parse(date)) / DAY_MS;
  if (apartDays <= (sensor.sceneName.maxDaysApart ?? 0)) return;
  throw sourceBroken('stac-own-fields', `properties.datetime is wrong: ${viewId} is of ${date}.`);
}

/** Search compares fields by their types in the sensor: values of other types would never match, or break an answer. */
function checkFields({ hitFields, title }: Sensor, fields: NewScene['fields']): void {
  for (const [name, value] of Object.entries(fields)) {
    const type = Object.hasOwn(hitFields, name) ? hitFields[name] : undefined;
    if (type !== undefined && (value === null || isOfType(value, type))) continue;
    const fault = type === undefined ? `${title} has no such field` : `it is not a ${type}`;
    throw sourceBroken('stac-own-fields', `properties.swath:fields.${name} is wrong: ${fault}.`);
  }
}

function isOfType(value: string | number | boolean, type: FieldType): boolean {
  const isDay = typeof value === 'string' && !Number.isNaN(Date.parse(value));
  // The other types have the names of JavaScript.
  const found: string = typeof value;
  return type === 'date' ? isDay : found === type;
}

function checkHrefs({ assets, cloudMask }: NewScene, { isAllowedHref }: OwnRules) {
  const mask =
    cloudMask?.kind === 'polygons'
      ? [cloudMask.href]
      : cloudMask?.kind === 'flags'
        ? [cloudMask.asset.href]
        : [];
  const bad = [...Object.values(assets).map(({ href }) => href), ...mask].find(
    (href) => !isAllowedHref(href),
  );
  if (bad === undefined) return;
  const advice = toAddressOrigin(bad) === null ? 'add their folder to SWATH_SOURCES' : toSourceAdvice(bad);
  throw notAllowed('source-not-allowed', `The source of its files is not allowed; ${advice}.`);
}

type ToHref = (href: string) => string;

function toMask(mask: OwnCloudMask | undefined, toHref: ToHref): OwnCloudMask | undefined {
  if (mask?.kind === 'polygons') return { ...mask, href: toHref(mask.href) };
  if (mask?.kind === 'flags') return { ...mask, asset: { ...mask.asset, href: toHref(mask.asset.href) } };
  return mask;
}

function toAsset(asset: OwnAsset, toHref: ToHref): Asset {
  const [a, b, x, d, e, y] = asset['proj:transform'];
  const [height, width] = asset['proj:shape'];
  const [band] = asset.bands;
  const { band_index: bandIndex, epsg, proj, lattice, overviews, sidecars, stamps } = asset['swath:asset'];
  const code = Number(asset['proj:code']?.replace('EPSG:', '') ?? 0);
  return {
    href: toHref(asset.href),
    bandIndex,
    epsg: epsg ?? code,
    ...given('proj', proj),
    transform: [x, a, b, y, d, e],
    ...given('lattice', lattice),
    width,
    height,
    type: band.data_type,
    nodata: band.nodata === 'nan' ? Number.NaN : (band.nodata ?? null),
    scale: band['raster:scale'],
    offset: band['raster:offset'],
    overviews,
    ...given('sidecars', sidecars),
    ...given('stamps', stamps),
  } as Asset;
}
