import { isSwathError, notAllowed, sourceBroken } from '../../../errors.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { Asset, NewScene } from '../../scene.ts';
import { isObject } from '../item/json.ts';
import type { AddressRules } from '../scene/addresses.ts';
import type { OwnAsset } from './own-shapes.ts';
import { ownItemShape } from './own-shapes.ts';

/** True for an item that `toStacItem` wrote. */
export const isOwnItem = (value: unknown): boolean =>
  isObject(value) && isObject(value.properties) && typeof value.properties['swath:view_id'] === 'string';

/** The record that such an item was written from; only what may be read here may be referred to. */
export function fromOwnItem(value: unknown, rules: Pick<AddressRules, 'isAllowedHref'>): NewScene {
  const { data, error } = ownItemShape.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    throw sourceBroken('stac-own-fields', `${issue?.path.join('.') ?? 'It'} is wrong: ${issue?.message}`);
  }
  const { properties, geometry, collection, assets } = data;
  checkName(properties['swath:view_id'], collection);
  const scene = {
    viewId: properties['swath:view_id'],
    sceneId: properties['swath:scene_id'],
    dataset: collection,
    acquiredAt: properties.datetime,
    footprint: geometry,
    cloudPercent: properties['eo:cloud_cover'] ?? null,
    sunElevationDeg: properties['view:sun_elevation'] ?? null,
    sunAzimuthDeg: properties['view:sun_azimuth'] ?? null,
    coveragePercent: properties['swath:coverage_percent'] ?? null,
    fields: properties['swath:fields'],
    assets: Object.fromEntries(Object.entries(assets).map(([name, asset]) => [name, toAsset(asset)])),
    provenance: properties['swath:provenance'],
    ...given('frame', properties['swath:frame']),
    ...given('productId', properties['swath:product_id']),
    ...given('calibration', properties['swath:calibration']),
    ...given('cloudMask', properties['swath:cloud_mask']),
    ...given('origin', properties['swath:origin']),
    // Zod writes what is left out as possibly undefined, and leaves it out all the same.
  } as NewScene;
  checkHrefs(scene, rules);
  return scene;
}

const given = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });

function checkName(viewId: string, dataset: string): void {
  try {
    const view = parseViewId(viewId);
    if (view.viewId === viewId && view.sensor.dataset === dataset) return;
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-found') throw error;
  }
  throw sourceBroken('stac-own-fields', `${viewId.slice(0, 100)} is no view id of ${dataset.slice(0, 100)}.`);
}

function checkHrefs({ assets, cloudMask }: NewScene, { isAllowedHref }: Pick<AddressRules, 'isAllowedHref'>) {
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
  const place = /^[a-z0-9]+:\/\/[^/?#]+/i.exec(bad)?.[0] ?? 'their folder';
  throw notAllowed(
    'source-not-allowed',
    `Its files lie at a place that is not allowed; add ${place} to SWATH_SOURCES.`,
  );
}

function toAsset(asset: OwnAsset): Asset {
  const [a, b, x, d, e, y] = asset['proj:transform'];
  const [height, width] = asset['proj:shape'];
  const [band] = asset.bands;
  const { band_index: bandIndex, epsg, proj, lattice, overviews, beside } = asset['swath:asset'];
  const code = Number(asset['proj:code']?.replace('EPSG:', '') ?? 0);
  return {
    href: asset.href,
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
    ...given('beside', beside),
  } as Asset;
}
