/** A scene as an item of the API: what STAC can say of it, and addresses that work. */
import type { Scene, SceneHit } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import { toStacItem } from '../../ingest/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink } from './addresses.ts';
import { itemProperties, toItemId } from './item-properties.ts';

/** What items are written with. */
export interface ItemTools {
  readonly publicUrl: string;
  readonly addresses: StacAddresses;
  readonly toThumbnail: ToThumbnailAddress;
  /** The address of a scene's own file, which works without a key for some time. */
  readonly toFile: (viewId: string, asset: string, href: string) => string;
}

/** A STAC item. */
export type StacItemJson = Readonly<Record<string, unknown>>;

/** Extensions that the API adds to those of an export, by the prefix of their fields. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  sat: 'https://stac-extensions.github.io/sat/v1.0.0/schema.json',
  sar: 'https://stac-extensions.github.io/sar/v1.0.0/schema.json',
};
const WEB_MAP_LINKS = 'https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json';

/** Properties that stand outside of `properties`. */
const OUTSIDE: ReadonlySet<string> = new Set(['id', 'collection']);

/** Writes an item. A scene whose record was not read, such as a hit of a live catalog, has no files among its assets. */
export function toApiItem(scene: Scene | SceneHit, tools: ItemTools): StacItemJson {
  const hasFiles = 'assets' in scene;
  const exported = toStacItem(hasFiles ? scene : { ...scene, assets: {} });
  const properties = toProperties(scene);
  const { viewId, dataset } = scene;
  const links = toLinks(scene, tools, hasFiles ? Object.keys(scene.assets) : null);
  return {
    ...exported,
    stac_extensions: listExtensions(exported.stac_extensions as readonly string[], properties, links),
    properties,
    links,
    assets: {
      ...(hasFiles ? toFileAssets(scene, exported, tools) : {}),
      ...toThumbnailAsset(scene, tools),
    },
    id: toItemId(viewId),
    collection: dataset,
  };
}

function toProperties(scene: SceneHit): Record<string, unknown> {
  const sensor = sensorByDataset(scene.dataset);
  const own =
    sensor === null
      ? []
      : Object.entries(itemProperties).flatMap(([name, property]) => {
          const value = OUTSIDE.has(name) ? null : property.read(scene, sensor);
          return value === null ? [] : [[name, value] as const];
        });
  const instruments = sensor === null ? [] : sensor.facts.instruments;
  return withWholeRadar({
    datetime: scene.acquiredAt,
    title: scene.sceneId,
    ...Object.fromEntries(own),
    ...(instruments.length === 0 ? {} : { instruments }),
    ...toRadar(scene),
    ...(scene.productId === undefined ? {} : { 'swath:product_id': scene.productId }),
  });
}

/** What a polarisation mode of Sentinel-1 records. */
const POLARIZATIONS: Readonly<Record<string, readonly string[]>> = {
  DV: ['VV', 'VH'],
  DH: ['HH', 'HV'],
  SV: ['VV'],
  SH: ['HH'],
};

/** What the sar extension requires: without all of it an item that names the extension is invalid. */
const RADAR_NEEDS = ['sar:instrument_mode', 'sar:frequency_band', 'sar:product_type', 'sar:polarizations'];

/** Properties without those of radar, unless all are there that must be. */
function withWholeRadar(properties: Record<string, unknown>): Record<string, unknown> {
  if (RADAR_NEEDS.every((name) => properties[name] !== undefined)) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith('sar:')));
}

function toRadar({ dataset, fields }: SceneHit): Record<string, unknown> {
  const sensor = sensorByDataset(dataset);
  if (sensor === null || sensor.facts.radar === undefined) return {};
  const { polarization } = fields;
  const known = typeof polarization === 'string' ? POLARIZATIONS[polarization.toUpperCase()] : undefined;
  return known === undefined ? {} : { 'sar:polarizations': known };
}

function listExtensions(
  exported: readonly string[],
  properties: Readonly<Record<string, unknown>>,
  links: readonly StacLink[],
): readonly string[] {
  const used = new Set(Object.keys(properties).map((name) => name.split(':')[0]));
  const hasEo = exported.some((address) => address.includes('/eo/'));
  return [
    // Clouds and the sun are taken from the fields of search, which a record may lack or have in addition.
    ...exported.filter((address) => !address.includes('/eo/') && !address.includes('/view/')),
    ...(hasEo || used.has('eo') ? ['https://stac-extensions.github.io/eo/v2.0.0/schema.json'] : []),
    ...(used.has('view') ? ['https://stac-extensions.github.io/view/v1.0.0/schema.json'] : []),
    ...Object.entries(EXTENSIONS).flatMap(([prefix, address]) => (used.has(prefix) ? [address] : [])),
    ...(links.some(({ rel }) => rel === 'xyz' || rel === 'tilejson') ? [WEB_MAP_LINKS] : []),
  ];
}

/** Files as an export describes them, without what only Swath needs, and with addresses of ours. */
function toFileAssets(
  { viewId, assets }: Scene,
  exported: StacItemJson,
  { toFile }: ItemTools,
): Record<string, unknown> {
  const described = exported.assets as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.fromEntries(
    Object.entries(assets).map(([name, asset]) => {
      const { 'swath:asset': _, ...shown } = described[name] ?? {};
      // The affine of an image that lies along an orbit is only near: saying it would place its pixels wrongly.
      const isPlaced = asset.lattice === undefined;
      const placed = Object.entries(shown).filter(
        ([field]) => isPlaced || (field !== 'proj:transform' && field !== 'proj:code'),
      );
      return [
        name,
        {
          ...Object.fromEntries(placed),
          href: toFile(viewId, name, asset.href),
          title: name,
          ...(isPlaced ? { gsd: toPixelM(asset) } : {}),
        },
      ];
    }),
  );
}

/** Metres of a pixel, of images in a projection. */
function toPixelM({ epsg, transform }: Scene['assets'][string]): number | undefined {
  const size = Math.abs(transform[1]);
  return epsg === 4326 || size < 0.01 ? undefined : size;
}

function toThumbnailAsset(scene: SceneHit, { toThumbnail }: ItemTools): Record<string, unknown> {
  const { thumbnail } = toSearchFields(scene);
  if (typeof thumbnail !== 'string') return {};
  const { viewId, provenance } = scene;
  const href = toThumbnail({ stored: thumbnail, viewId, isLive: provenance === 'live' });
  const type = /\.jpe?g(?:[?#]|$)/i.test(href) ? 'image/jpeg' : 'image/png';
  return { thumbnail: { href, type, roles: ['thumbnail'], title: 'Thumbnail' } };
}

/** Bands of the tiles that a link shows: the default composition of the bands that there are. */
function toBands(dataset: string, names: readonly string[] | null): string | null {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) return null;
  return chooseComposition(sensor, (name) => names?.includes(name) ?? true)?.join() ?? null;
}

function toLinks(
  { viewId, dataset, sceneId }: SceneHit,
  { addresses, publicUrl }: ItemTools,
  names: readonly string[] | null,
): readonly StacLink[] {
  const self = addresses.item(dataset, toItemId(viewId));
  const bands = toBands(dataset, names);
  const collection = addresses.collection(dataset);
  return [
    { rel: 'self', href: self, type: GEOJSON_TYPE, title: sceneId },
    { rel: 'parent', href: collection, type: JSON_TYPE },
    { rel: 'collection', href: collection, type: JSON_TYPE },
    toRootLink(addresses),
    ...(bands === null
      ? []
      : [
          {
            rel: 'xyz',
            href: `${publicUrl}${RENDER_ROOT}${viewId}/${bands}/{z}/{x}/{y}`,
            type: 'image/png',
            title: `Map tiles of ${bands}`,
          },
          { rel: 'tilejson', href: `${self}/tilejson.json`, type: JSON_TYPE, title: 'TileJSON' },
        ]),
  ];
}
