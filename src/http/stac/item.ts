/** A scene as an item of the API: what STAC can say of it, and addresses that work. */
import type { Scene, SceneHit } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import { toStacItem } from '../../ingest/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, toRootLink, toWmtsLink, WEB_MAP_LINKS } from './addresses.ts';
import { writeFileAssets } from './item-assets.ts';
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

/** Properties that stand outside of `properties`. */
const OUTSIDE: ReadonlySet<string> = new Set(['id', 'collection']);

/** Whether a part of items is wanted. */
type IsWanted = (part: string) => boolean;

/**
 * Writes an item as JSON. A scene whose record was not read, such as a hit of a live catalog, has no files among its assets.
 */
export function writeApiItem(
  scene: Scene | SceneHit,
  tools: ItemTools,
  isWanted: IsWanted = () => true,
): string {
  const hasFiles = 'assets' in scene;
  const { stac_version, geometry, bbox } = toStacItem({ ...scene, assets: {} });
  const files =
    hasFiles && isWanted('assets') ? writeFileAssets(scene, tools.makeToFile(scene.viewId)) : NO_FILES;
  const properties = toProperties(scene);
  const links = toLinks(scene, tools, hasFiles ? Object.keys(scene.assets) : null);
  const hasMaps = links.some(({ rel }) => rel === 'xyz');
  const parts: readonly (readonly [name: string, write: () => string])[] = [
    ['type', () => '"Feature"'],
    ['stac_version', () => JSON.stringify(stac_version)],
    ['stac_extensions', () => JSON.stringify(listExtensions(files.extensions, { properties, hasMaps }))],
    ['id', () => JSON.stringify(toItemId(scene.viewId))],
    ['collection', () => JSON.stringify(scene.dataset)],
    ['geometry', () => JSON.stringify(geometry)],
    ['bbox', () => JSON.stringify(bbox)],
    ['properties', () => JSON.stringify(properties)],
    ['links', () => JSON.stringify(links)],
    ['assets', () => `{${[...files.texts, ...writeThumbnail(scene, tools)].join()}}`],
  ];
  return `{${parts.flatMap(([name, write]) => (isWanted(name) ? [`"${name}":${write()}`] : [])).join()}}`;
}

const NO_FILES: ReturnType<typeof writeFileAssets> = { texts: [], extensions: new Set() };

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
  ofFiles: ReadonlySet<string>,
  { properties, hasMaps }: { readonly properties: object; readonly hasMaps: boolean },
): readonly string[] {
  // The record has clouds and a sun that search may lack, and the other way round.
  const kept = [...ofFiles].filter((address) => !READ_HERE.some(([, own]) => own === address));
  const added = READ_HERE.flatMap(([prefix, address]) =>
    hasPrefix(properties, prefix) || (prefix === 'eo:' && ofFiles.has(address)) ? [address] : [],
  );
  return [...kept, ...added, ...(hasMaps ? [WEB_MAP_LINKS] : [])];
}

const hasPrefix = (part: object, prefix: string): boolean =>
  Object.keys(part).some((name) => name.startsWith(prefix));

function writeThumbnail(scene: SceneHit, { toThumbnail }: ItemTools): readonly string[] {
  const { thumbnail } = toSearchFields(scene);
  if (typeof thumbnail !== 'string') return [];
  const { viewId, provenance } = scene;
  const href = toThumbnail({ stored: thumbnail, viewId, isLive: provenance === 'live' });
  const type = /\.jpe?g(?:[?#]|$)/i.test(href) ? 'image/jpeg' : 'image/png';
  return [`"thumbnail":${JSON.stringify({ href, type, roles: ['thumbnail'], title: 'Thumbnail' })}`];
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
          toWmtsLink(publicUrl, `scene.${toItemId(viewId)}`),
        ]),
  ];
}
