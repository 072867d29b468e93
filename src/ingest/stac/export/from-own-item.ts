import { isAbsolute } from 'node:path';
import type { Asset, NewScene } from '../../../catalog/index.ts';
import { isSwathError, notAllowed, sourceBroken } from '../../../errors.ts';
import { toAddressOrigin } from '../../../net/index.ts';
import type { FieldType, Sensor, ViewId } from '../../../sensors/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import { toSourceAdvice } from '../../../sources/index.ts';
import { DAY_MS } from '../../../units.ts';
import type { AddressRules } from '../scene/addresses.ts';
import type { OwnAsset, OwnCloudMask } from './own-item-schema.ts';
import { ownItemSchema } from './own-item-schema.ts';

/** What an exported item may refer to; with `toHref` also local files, by their absolute paths. */
type OwnRules = Pick<AddressRules, 'isAllowedHref'> & Partial<Pick<AddressRules, 'toHref'>>;

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
