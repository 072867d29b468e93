import { isAbsolute, resolve } from 'node:path';
import type { Asset, NewScene, Scene } from '../../../catalog/index.ts';
import type { Band } from '../../../sensors/index.ts';
import { findBand, sensorByDataset } from '../../../sensors/index.ts';
import { listExtensions } from './extensions.ts';
import { toBbox } from './to-bbox.ts';
import { toCollectionName } from './to-stac-collection.ts';

interface ToItemOptions {
  /** Converts an href of the record (see `makeToAddress`); by default hrefs stay as they are. */
  readonly toAddress?: (href: string) => string;
}

/**
 * A scene of the catalog as a STAC item. `swath:` fields hold what STAC cannot express, so that ingesting the item gives
 * an equal record.
 */
export function toStacItem(
  given: NewScene | Scene,
  { toAddress }: ToItemOptions = {},
): Readonly<Record<string, unknown>> {
  const scene = toAddress === undefined ? given : withAddresses(given, toAddress);
  const { viewId, dataset, footprint } = scene;
  const properties = toProperties(scene);
  const assets = Object.entries(scene.assets).map(
    ([name, asset]) => [name, toStacAsset(asset, bandOf(dataset, name))] as const,
  );
  const parts = assets.flatMap(([, asset]) => [asset, ...asset.bands]);
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    stac_extensions: listExtensions([properties, ...parts]),
    id: viewId.replaceAll('/', '_'),
    collection: dataset,
    geometry: footprint,
    bbox: toBbox(footprint),
    properties,
    links: toLinks(dataset),
    assets: Object.fromEntries(assets),
  };
}

/** An item that names its collection must link to it (STAC 1.1, Item, relation types): the file next to the export. */
const toLinks = (dataset: string) =>
  ['collection', 'parent', 'root'].map((rel) => ({
    rel,
    href: `./${toCollectionName(dataset)}`,
    type: 'application/json',
  }));

/** Builds the conversion of hrefs in the data directory, which are relative to it, to absolute paths. */
export const makeToAddress =
  (dataDir: string) =>
  (href: string): string =>
    isAbsolute(href) || /^[a-z][a-z0-9+.-]*:/i.test(href) ? href : resolve(dataDir, href);

function withAddresses<T extends NewScene>(scene: T, toAddress: (href: string) => string): T {
  const move = <A extends { readonly href: string }>(file: A): A => ({ ...file, href: toAddress(file.href) });
  const { assets, cloudMask } = scene;
  return {
    ...scene,
    assets: Object.fromEntries(Object.entries(assets).map(([name, asset]) => [name, move(asset)])),
    ...(cloudMask?.kind === 'polygons' ? { cloudMask: move(cloudMask) } : {}),
    ...(cloudMask?.kind === 'flags' ? { cloudMask: { ...cloudMask, asset: move(cloudMask.asset) } } : {}),
  };
}

function toProperties(scene: NewScene | Scene): Record<string, unknown> {
  const { cloudPercent, sunElevationDeg, sunAzimuthDeg, coveragePercent } = scene;
  return {
    datetime: scene.acquiredAt,
    ...known('eo:cloud_cover', cloudPercent),
    ...known('view:sun_elevation', sunElevationDeg),
    ...toSunAzimuth(sunAzimuthDeg),
    'swath:view_id': scene.viewId,
    'swath:scene_id': scene.sceneId,
    ...known('swath:product_id', scene.productId),
    ...known('swath:coverage_percent', coveragePercent),
    ...known('swath:frame', scene.frame),
    'swath:provenance': scene.provenance,
    'swath:fields': scene.fields,
    ...known('swath:calibration', scene.calibration),
    ...known('swath:cloud_mask', scene.cloudMask),
    ...known('swath:origin', scene.origin),
    ...known('swath:indexed_at', scene.indexedAt),
    ...('version' in scene ? { 'swath:version': scene.version } : {}),
  };
}

/** The extension counts from 0 to 360 degrees, some providers from -180 to 180: then our own field has it as it was. */
function toSunAzimuth(azimuthDeg: number | null): Record<string, unknown> {
  if (azimuthDeg === null || azimuthDeg >= 0) return known('view:sun_azimuth', azimuthDeg);
  return { 'view:sun_azimuth': azimuthDeg + 360, 'swath:sun_azimuth': azimuthDeg };
}

const known = (name: string, value: unknown): Record<string, unknown> =>
  value === null || value === undefined ? {} : { [name]: value };

const bandOf = (dataset: string, name: string): Band | null => {
  const sensor = sensorByDataset(dataset);
  return sensor === null ? null : findBand(sensor, name);
};

function toStacAsset(asset: Asset, band: Band | null) {
  const { href, bandIndex, epsg, proj, transform, lattice, width, height, type, nodata, scale, offset } =
    asset;
  const [x, a, b, y, d, e] = transform;
  return {
    href,
    type: /\.jp2$/i.test(href) ? 'image/jp2' : 'image/tiff; application=geotiff',
    roles: [band?.kind === 'quality' ? 'data-mask' : 'data'],
    'proj:code': proj === undefined ? `EPSG:${epsg}` : null,
    ...(proj === undefined || proj.startsWith('+') ? {} : { 'proj:wkt2': proj }),
    'proj:transform': [a, b, x, d, e, y],
    'proj:shape': [height, width],
    bands: [
      {
        ...(band === null ? {} : { name: band.name, ...toSpectrum(band) }),
        data_type: type,
        ...known('nodata', Number.isNaN(nodata) ? 'nan' : nodata),
        'raster:scale': scale,
        'raster:offset': offset,
      },
    ],
    'swath:asset': {
      band_index: bandIndex,
      ...(proj === undefined ? {} : { epsg, proj }),
      ...(lattice === undefined ? {} : { lattice }),
      overviews: asset.overviews,
      ...(asset.sidecars === undefined ? {} : { sidecars: asset.sidecars }),
      ...(asset.stamps === undefined ? {} : { stamps: asset.stamps }),
    },
  };
}

/** Common names of the EO extension, for roles that have one. */
const COMMON_NAMES: Readonly<Partial<Record<NonNullable<Band['role']>, string>>> = {
  COASTAL: 'coastal',
  BLUE: 'blue',
  GREEN: 'green',
  RED: 'red',
  REDEDGE1: 'rededge071',
  REDEDGE2: 'rededge075',
  REDEDGE3: 'rededge078',
  NIR: 'nir',
  NIR2: 'nir08',
  WATERVAPOUR: 'nir09',
  CIRRUS: 'cirrus',
  SWIR1: 'swir16',
  SWIR2: 'swir22',
  PAN: 'pan',
  THERMAL1: 'lwir11',
  THERMAL2: 'lwir12',
};

function toSpectrum({ role, centreNm, widthNm }: Band): Record<string, unknown> {
  return {
    ...known('eo:common_name', role === null ? null : COMMON_NAMES[role]),
    ...known('eo:center_wavelength', centreNm === null ? null : centreNm / 1_000),
    ...known('eo:full_width_half_max', widthNm === null ? null : widthNm / 1_000),
  };
}
