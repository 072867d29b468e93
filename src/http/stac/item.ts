/** A scene as an item of the API: what STAC can say of it, and addresses that work. */
import type { Scene, SceneHit } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import { toStacItem } from '../../ingest/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink } from './addresses.ts';
import type { ItemProperty } from './item-properties.ts';
import { itemProperties, toItemId } from './item-properties.ts';

/** What items are written with. */
export interface ItemTools {
  readonly publicUrl: string;
  readonly addresses: StacAddresses;
  readonly toThumbnail: ToThumbnailAddress;
  /** Makes the addresses of a scene's own files, which work without a key for some time. */
  readonly makeToFile: (viewId: string) => (asset: string, href: string) => string;
}

/** A STAC item. */
export type StacItemJson = Readonly<Record<string, unknown>>;

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
    stac_extensions: listExtensions(exported, {
      properties,
      hasMaps: links.some(({ rel }) => rel === 'xyz'),
    }),
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

/** Properties that items of a dataset may have, in their order; those that all of them share have their values. */
interface DatasetProperties {
  readonly sensor: Sensor;
  readonly shared: Readonly<Record<string, unknown>>;
  readonly own: readonly (readonly [name: string, property: ItemProperty])[];
}

const knownDatasets = new Map<string, DatasetProperties | null>();

/** Found once for each dataset: a page has hundreds of items. */
function propertiesOf(dataset: string): DatasetProperties | null {
  const known = knownDatasets.get(dataset);
  if (known !== undefined) return known;
  const sensor = sensorByDataset(dataset);
  const made = sensor === null ? null : toDatasetProperties(sensor);
  if (sensor !== null) knownDatasets.set(dataset, made);
  return made;
}

function toDatasetProperties(sensor: Sensor): DatasetProperties {
  const all = Object.entries<ItemProperty>(itemProperties).filter(([name]) => !OUTSIDE.has(name));
  const { instruments } = sensor.facts;
  const shared = all.flatMap(([name, { isOfDataset, read }]) => {
    const value = isOfDataset ? read({} as never, sensor) : null;
    return value === null ? [] : [[name, value] as const];
  });
  return {
    sensor,
    shared: { ...Object.fromEntries(shared), ...(instruments.length === 0 ? {} : { instruments }) },
    own: all.filter(([, { isOfDataset }]) => isOfDataset !== true),
  };
}

function toProperties(scene: SceneHit): Record<string, unknown> {
  const known = propertiesOf(scene.dataset);
  const properties: Record<string, unknown> = {
    datetime: scene.acquiredAt,
    title: scene.sceneId,
    ...known?.shared,
  };
  for (const [name, property] of known?.own ?? []) {
    const value = property.read(scene, (known as DatasetProperties).sensor);
    if (value !== null) properties[name] = value;
  }
  if (scene.productId !== undefined) properties['swath:product_id'] = scene.productId;
  return known?.sensor.facts.radar === undefined ? properties : withRadar(properties, scene);
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

/** Properties of radar as far as they are known, and none of them unless all are there that must be. */
function withRadar(properties: Record<string, unknown>, { fields }: SceneHit): Record<string, unknown> {
  const { polarization } = fields;
  const known = typeof polarization === 'string' ? POLARIZATIONS[polarization.toUpperCase()] : undefined;
  const whole = known === undefined ? properties : { ...properties, 'sar:polarizations': known };
  if (RADAR_NEEDS.every((name) => whole[name] !== undefined)) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !name.startsWith('sar:')));
}

/** Extensions by the prefix of properties that are read of search and not of the record. */
const READ_HERE: readonly (readonly [prefix: string, address: string])[] = [
  ['eo:', 'https://stac-extensions.github.io/eo/v2.0.0/schema.json'],
  ['view:', 'https://stac-extensions.github.io/view/v1.0.0/schema.json'],
  ['sat:', 'https://stac-extensions.github.io/sat/v1.0.0/schema.json'],
  ['sar:', 'https://stac-extensions.github.io/sar/v1.0.0/schema.json'],
];

/** Extensions of what is there: one that is named but not used makes an item invalid. */
function listExtensions(
  exported: StacItemJson,
  { properties, hasMaps }: { readonly properties: object; readonly hasMaps: boolean },
): readonly string[] {
  const assets = Object.values(
    exported.assets as Readonly<Record<string, { readonly bands: readonly object[] }>>,
  );
  const hasSpectra = assets.some(({ bands }) => bands.some((band) => hasPrefix(band, 'eo:')));
  // The record has clouds and a sun that search may lack, and the other way round.
  const kept = (exported.stac_extensions as readonly string[]).filter(
    (address) => !READ_HERE.some(([, own]) => own === address),
  );
  const added = READ_HERE.flatMap(([prefix, address]) =>
    hasPrefix(properties, prefix) || (prefix === 'eo:' && hasSpectra) ? [address] : [],
  );
  return [...kept, ...added, ...(hasMaps ? [WEB_MAP_LINKS] : [])];
}

const hasPrefix = (part: object, prefix: string): boolean =>
  Object.keys(part).some((name) => name.startsWith(prefix));

/** Files as an export describes them, without what only Swath needs, and with addresses of ours. */
function toFileAssets(
  { viewId, assets }: Scene,
  exported: StacItemJson,
  { makeToFile }: ItemTools,
): Record<string, unknown> {
  const toFile = makeToFile(viewId);
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
          href: toFile(name, asset.href),
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

const compositions = new Map<string, string | null>();

/** Bands of the tiles that a link shows: the default composition, of the bands that the scene has. */
function toBands(dataset: string, names: readonly string[] | null): string | null {
  const key = `${dataset} ${names?.join() ?? '*'}`;
  const known = compositions.get(key);
  if (known !== undefined) return known;
  const sensor = sensorByDataset(dataset);
  const bands =
    sensor === null
      ? null
      : (chooseComposition(sensor, (name) => names?.includes(name) ?? true)?.join() ?? null);
  // Scenes of a dataset have one of a few sets of bands.
  if (compositions.size < MAX_COMPOSITIONS) compositions.set(key, bands);
  return bands;
}

const MAX_COMPOSITIONS = 256;

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
