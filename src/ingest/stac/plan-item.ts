import { hash } from 'node:crypto';
import type { Band, Sensor } from '../../sensors/index.ts';
import { findBand, sensors } from '../../sensors/index.ts';
import { toSourceAdvice } from '../../sources/index.ts';
import { notAllowed, sourceBroken, unsupported } from '../errors.ts';
import { families } from '../families/all-families.ts';
import type {
  AcceptedItems,
  BandSource,
  FindScene,
  ItemRules,
  RefusedItems,
  SceneFacts,
} from '../families/family.ts';
import type { AddressRules, DocumentLocation } from './addresses.ts';
import { chooseAddress, withoutSignature } from './addresses.ts';
import type { StacAsset, StacBand, StacItem } from './item.ts';

/** Bump when the same items give other records, so that the next ingest makes them again. */
export const STAC_VERSION = 6;

/** A band and the file that will be read for it. */
export interface PlannedBand {
  readonly found: BandAsset;
  readonly href: string;
}

/** An item that is ready to be completed from its files. */
export interface PlannedItem {
  readonly item: StacItem;
  readonly known: KnownItem;
  readonly facts: SceneFacts;
  /** By band name, in the order of the sensor. */
  readonly bands: ReadonlyMap<string, PlannedBand>;
  readonly fingerprint: string;
}

/** The source of an item and the addresses its scene may refer to. */
export interface ItemContext {
  readonly location: DocumentLocation;
  readonly rules: AddressRules;
  readonly findScene: FindScene;
  /** Whether files will be read. */
  readonly probe: boolean;
}

/** What the names and fields of an item say about its scene, without its files. */
export async function describeItem(
  item: StacItem,
  findScene: FindScene,
): Promise<Pick<PlannedItem, 'known' | 'facts'>> {
  const known = findFamily(item);
  const facts = await known.rules.describe(item, known.sensors, { findScene, readText: async () => null });
  return { known, facts };
}

/** Plans the scene of an item without reading its files. */
export async function planItem(item: StacItem, context: ItemContext): Promise<PlannedItem> {
  const { known, facts } = await describeItem(item, context.findScene);
  const { probe } = context;
  const matched = matchBands(item, { rules: known.rules, sensor: facts.sensor });
  if (matched.size === 0) {
    throw sourceBroken('no-images', `It has no image of a band of ${facts.sensor.title}.`);
  }
  const bands = chooseFiles(matched, { item, ...context });
  return { item, known, facts, bands, fingerprint: toFingerprint(item, bands, probe) };
}

/** In messages, the source of a file without an address that can be used. */
const INVALID = 'an invalid address';

/** Chooses a file for each band. A forbidden file refuses the whole scene: half a scene would only be noticed later. */
function chooseFiles(
  matched: ReadonlyMap<string, readonly BandAsset[]>,
  context: ItemContext & { readonly item: StacItem },
): ReadonlyMap<string, PlannedBand> {
  const bands = new Map<string, PlannedBand>();
  const missing = new Set<string>();
  for (const [name, candidates] of matched) {
    const sources: string[] = [];
    for (const found of candidates) {
      const chosen = chooseAddress(found.asset, context);
      if (chosen.href !== null) {
        bands.set(name, { found, href: chosen.href });
        break;
      }
      sources.push(...chosen.sources);
    }
    if (!bands.has(name)) missing.add(sources[0] ?? INVALID);
  }
  if (missing.size === 0) return bands;
  const first = [...missing].find((source) => source !== INVALID);
  if (first === undefined) {
    throw notAllowed(
      'source-not-allowed',
      'Its files have no address that can be used: https, http, s3, or a path next to the item.',
    );
  }
  throw notAllowed(
    'source-not-allowed',
    `Its files are at ${[...missing].slice(0, 3).join(', ')}, which is not allowed; ${toSourceAdvice(first)}.`,
  );
}

/** Properties that change without a change of the scene. */
const VOLATILE = new Set(['created', 'updated', 'earthsearch:payload_id', 'processing:software']);

/** A hash that changes with the item, but not with the signatures of its addresses. */
function toFingerprint(item: StacItem, bands: PlannedItem['bands'], probe: boolean): string {
  const { id, collection, properties, geometry } = item;
  const lasting = Object.entries(properties).filter(([name]) => !VOLATILE.has(name));
  const used = new Set([...bands.values()].map(({ found }) => found.asset));
  const assets = [...used].map(({ key, hrefs, all }: StacAsset) => [
    key,
    hrefs.map(withoutSignature),
    { ...all, href: null, alternate: null },
  ]);
  const hrefs = [...bands].map(([name, { href }]) => [name, href]);
  const whole = [STAC_VERSION, probe, id, collection, Object.fromEntries(lasting), geometry, assets, hrefs];
  return hash('sha256', JSON.stringify(whole, sortKeys), 'hex').slice(0, 16);
}

/** Servers write the keys of the same object in different orders. */
const sortKeys = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** How an item is read, and its candidate sensors. */
interface KnownItem {
  readonly rules: ItemRules;
  readonly sensors: readonly [Sensor, ...Sensor[]];
}

/** Collections of public catalogs that belong to no family. */
const REFUSED: readonly RefusedItems[] = [
  {
    collection: /^(?:cop-dem-|nasadem|alos-dem|3dep)/,
    reason: 'It is an elevation model, not a scene; terrain has its own settings.',
  },
];

const refusals = [...REFUSED, ...families.flatMap(({ items }) => items?.refused ?? [])];

interface Acceptance {
  readonly accepted: AcceptedItems;
  readonly known: KnownItem;
}

const acceptances: readonly Acceptance[] = families.flatMap(({ name, items }) =>
  items === null
    ? []
    : items.accepted.flatMap((accepted): Acceptance[] => {
        const [first, ...others] = sensors.filter(
          ({ dataset, family }) => family === name && (accepted.datasets?.includes(dataset) ?? true),
        );
        return first === undefined
          ? []
          : [{ accepted, known: { rules: items, sensors: [first, ...others] } }];
      }),
);

/** Finds the family of an item and its candidate sensors; throws `stac-collection` if there is none. */
function findFamily(item: StacItem): KnownItem {
  const refused = refusals.find(({ collection }) => collection.test(item.collection ?? ''));
  if (refused !== undefined) throw unsupported('stac-collection', refused.reason);
  const found =
    acceptances.find(({ accepted }) => accepted.collections.includes(item.collection ?? '')) ??
    acceptances.find(({ accepted }) => isTold(item, accepted.telltale));
  if (found !== undefined) return found.known;
  const collection = item.collection === null ? 'no collection' : `the collection ${item.collection}`;
  throw unsupported('stac-collection', `Its collection ${collection} is not supported.`);
}

function isTold({ id, properties }: StacItem, telltale: AcceptedItems['telltale']): boolean {
  if ('id' in telltale) return telltale.id.test(id);
  const value = properties[telltale.property];
  return typeof value === 'string' && (telltale.values?.includes(value) ?? true);
}

/** A file that holds a band of the sensor. */
interface BandAsset extends BandSource {
  readonly asset: StacAsset;
  readonly bandIndex: number;
}

/** Common names of the EO extension and their possible roles, the likeliest first; the wavelength decides. */
const rolesByCommonName: Readonly<Record<string, readonly NonNullable<Band['role']>[]>> = {
  coastal: ['COASTAL'],
  blue: ['BLUE'],
  green: ['GREEN'],
  red: ['RED'],
  rededge: ['REDEDGE1', 'REDEDGE2', 'REDEDGE3'],
  rededge071: ['REDEDGE1'],
  rededge075: ['REDEDGE2'],
  rededge078: ['REDEDGE3'],
  pan: ['PAN'],
  nir: ['NIR', 'NIR2'],
  nir08: ['NIR2', 'NIR'],
  nir09: ['WATERVAPOUR'],
  cirrus: ['CIRRUS'],
  swir16: ['SWIR1'],
  swir22: ['SWIR2'],
  lwir: ['THERMAL1'],
  lwir11: ['THERMAL1'],
  lwir12: ['THERMAL2'],
};

const IMAGE_TYPE =
  /^image\/(?:tiff|tif|geotiff|jp2|jpx|vnd\.stac\.geotiff|x\.geotiff|x-geotiff)$|^application\/x?-?geotiff$/;
const IMAGE_NAME = /\.(?:tif|tiff|jp2)$/i;
const OTHER_ROLES = ['thumbnail', 'overview', 'metadata', 'visual'];

interface Matching {
  readonly rules: ItemRules;
  readonly sensor: Sensor;
}

/** The files of an item by band; of several files of one band the best comes first. */
function matchBands(item: StacItem, { rules, sensor }: Matching): ReadonlyMap<string, readonly BandAsset[]> {
  const found = item.assets.filter(isImage).flatMap((asset) => matchAsset(asset, { rules, sensor }));
  const groups = Map.groupBy(found, ({ band }) => band.name);
  return new Map(
    sensor.bands.flatMap(({ name }) => {
      const group = groups.get(name);
      return group === undefined ? [] : [[name, group.toSorted((a, b) => rank(a) - rank(b))] as const];
    }),
  );
}

function isImage({ type, hrefs, roles }: StacAsset): boolean {
  if (roles.some((role) => OTHER_ROLES.includes(role)) && !roles.includes('data')) return false;
  return type === '' ? IMAGE_NAME.test(pathOf(hrefs[0]!)) : IMAGE_TYPE.test(type);
}

/** Small pixels first, then TIFF, of which a part is read faster than of JPEG 2000. */
const rank = ({ asset, stated }: BandAsset): number => {
  const pixels = stated?.gsd ?? Number(/_(\d{2})m$/.exec(asset.key)?.[1] ?? 0);
  return pixels + (/jp2/.test(asset.type) || asset.key.endsWith('-jp2') ? 1e6 : 0);
};

function matchAsset(asset: StacAsset, { rules, sensor }: Matching): BandAsset[] {
  const { bandsInImage } = rules;
  if (bandsInImage !== undefined) return matchImage(asset, bandsInImage, sensor);
  // An image of several bands is a composite.
  if (asset.bands.length > 1) return [];
  const stated = asset.bands[0] ?? null;
  const band = findOne(asset, stated, { rules, sensor });
  return band === null ? [] : [{ band, asset, bandIndex: 0, stated }];
}

function matchImage(asset: StacAsset, bandsInImage: readonly string[], sensor: Sensor): BandAsset[] {
  const names = asset.bands.map(({ commonName, name }) => commonName ?? name ?? '');
  const isNamed = names.some((name) => name !== '');
  return (isNamed ? names : bandsInImage).flatMap((name, bandIndex) => {
    const band = findBand(sensor, name);
    return band === null ? [] : [{ band, asset, bandIndex, stated: asset.bands[bandIndex] ?? null }];
  });
}

/** By the name of the band, of the asset, of the file, then by common name and wavelength. */
function findOne(
  { key, hrefs }: StacAsset,
  stated: StacBand | null,
  { rules, sensor }: Matching,
): Band | null {
  const file = pathOf(hrefs[0]!).split('/').at(-1)!.replace(IMAGE_NAME, '');
  for (const name of [stated?.name ?? '', key, file]) {
    for (const { pattern, band } of rules.bandSpellings) {
      const matched = pattern.exec(name);
      const known = matched === null ? null : findBand(sensor, band.replace('$1', matched[1] ?? ''));
      if (known !== null) return known;
    }
  }
  return findByMeaning(stated, sensor) ?? findBand(sensor, key);
}

/** Max difference from the sensor's wavelength: catalogs round to hundredths of a micrometre. */
const WAVELENGTH_SLACK_NM = 15;

function findByMeaning(stated: StacBand | null, { bands }: Sensor): Band | null {
  if (stated === null) return null;
  const { commonName, wavelengthNm } = stated;
  const roles =
    commonName !== null && Object.hasOwn(rolesByCommonName, commonName) ? rolesByCommonName[commonName]! : [];
  const meant = roles.flatMap((role) => bands.find((band) => band.role === role) ?? []);
  const distance = ({ centreNm }: Band) => Math.abs((centreNm ?? Infinity) - (wavelengthNm ?? 0));
  if (meant.length > 0) {
    return wavelengthNm === null ? meant[0]! : meant.toSorted((a, b) => distance(a) - distance(b))[0]!;
  }
  if (wavelengthNm === null) return null;
  const near = bands.filter((band) => distance(band) <= (band.widthNm ?? 0) / 2 + WAVELENGTH_SLACK_NM);
  return near.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Without query and fragment. */
const pathOf = (href: string): string => href.split(/[?#]/)[0]!;
