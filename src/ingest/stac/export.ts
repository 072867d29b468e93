import { isAbsolute, resolve } from 'node:path';
import type { Asset, NewScene, Scene } from '../../catalog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { Band } from '../../sensors/index.ts';
import { findBand, sensorByDataset } from '../../sensors/index.ts';

/** True for an item that `toStacItem` wrote. */
export const isOwnItem = (value: unknown): boolean =>
  isObject(value) && isObject(value.properties) && typeof value.properties['swath:view_id'] === 'string';

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

/** The extensions of STAC 1.1 that an export uses, by the prefix of their fields. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  proj: 'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
  eo: 'https://stac-extensions.github.io/eo/v2.0.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v2.0.0/schema.json',
  view: 'https://stac-extensions.github.io/view/v1.0.0/schema.json',
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * The extensions whose fields these objects have. An extension that is named but not used makes an item invalid: a radar
 * scene has neither clouds nor a sun.
 */
function listExtensions(objects: readonly Fields[]): readonly string[] {
  const used = new Set(objects.flatMap((object) => Object.keys(object)).map((name) => name.split(':')[0]));
  return Object.entries(EXTENSIONS)
    .filter(([prefix]) => used.has(prefix))
    .map(([, address]) => address);
}

/** The bounds of an area: west, south, east, north. Across the antimeridian west is larger than east (RFC 7946). */
function toBbox(area: AreaGeometry): readonly [number, number, number, number] {
  const { west, south, east, north } = geometryBounds(area);
  if (area.type === 'Polygon' || west > -180 || east < 180) return [west, south, east, north];
  const parts = area.coordinates.map((coordinates) => geometryBounds({ type: 'Polygon', coordinates }));
  const [before, after] = [parts.filter((one) => one.west > 0), parts.filter((one) => one.east < 0)];
  if (before.length + after.length < parts.length) return [west, south, east, north];
  return [
    Math.min(...before.map((one) => one.west)),
    south,
    Math.max(...after.map((one) => one.east)),
    north,
  ];
}

/** The file name of a dataset's collection; items refer to it. */
export const toCollectionName = (dataset: string): string => `${dataset}.collection.json`;

/** West, south, east and north. */
type Box = readonly [number, number, number, number];

/** What the scenes of a dataset cover together. */
interface Extent {
  readonly box: Box;
  /** The first and the last time, ISO 8601 in UTC, which compare as texts. */
  readonly from: string;
  readonly to: string;
}

/** Gathers the extents of scenes, to describe the collections that they belong to. */
interface CollectionExtents {
  add(scene: Pick<NewScene, 'dataset' | 'footprint' | 'acquiredAt'>): void;
  /** The collection of each dataset that had a scene, as JSON. */
  list(): readonly { readonly name: string; readonly collection: Readonly<Record<string, unknown>> }[];
}

/** Builds it. */
export function makeCollectionExtents(): CollectionExtents {
  const extents = new Map<string, Extent>();
  return {
    add({ dataset, footprint, acquiredAt }) {
      const [box, known] = [toPlainBox(toBbox(footprint)), extents.get(dataset)];
      extents.set(dataset, {
        box: known === undefined ? box : joinBoxes(known.box, box),
        from: known === undefined || acquiredAt < known.from ? acquiredAt : known.from,
        to: known === undefined || acquiredAt > known.to ? acquiredAt : known.to,
      });
    },
    list: () =>
      [...extents].map(([dataset, extent]) => ({
        name: toCollectionName(dataset),
        collection: toStacCollection(dataset, extent),
      })),
  };
}

function toStacCollection(dataset: string, { box, from, to }: Extent): Readonly<Record<string, unknown>> {
  const title = sensorByDataset(dataset)?.title ?? dataset;
  return {
    type: 'Collection',
    stac_version: '1.1.0',
    id: dataset,
    title,
    description: `Scenes of ${title} in the catalog of a Swath service.`,
    // Each provider has its own terms.
    license: 'other',
    extent: { spatial: { bbox: [box] }, temporal: { interval: [[from, to]] } },
    links: [{ rel: 'root', href: `./${toCollectionName(dataset)}`, type: 'application/json', title }],
  };
}

/** A box over the antimeridian, whose west is larger than its east, becomes one around the world. */
const toPlainBox = ([west, south, east, north]: Box): Box =>
  west > east ? [-180, south, 180, north] : [west, south, east, north];

const joinBoxes = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
