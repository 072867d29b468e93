import { sourceBroken } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { StacBand } from './band.ts';
import { toBands } from './band.ts';
import type { Json } from './json.ts';
import { isDeeperThan, toObjects, toText } from './json.ts';

/** One file of an item. */
export interface StacAsset {
  /** Its name in the item. */
  readonly key: string;
  /** Its addresses, best first: its own, then others (alternate-assets extension). */
  readonly hrefs: readonly string[];
  /** Media type in lower case, without parameters; empty if unknown. */
  readonly type: string;
  readonly roles: readonly string[];
  readonly bands: readonly StacBand[];
  /** The whole asset, for extensions. */
  readonly all: Json;
}

/** A STAC item of any version from 0.7 to 1.1. */
export interface StacItem {
  readonly id: string;
  readonly collection: string | null;
  readonly properties: Json;
  readonly geometry: unknown;
  readonly assets: readonly StacAsset[];
  /** Its own address, the base of relative ones. */
  readonly self: string | null;
}

/** Items of supported products have up to 60 files. */
const MAX_ASSETS = 500;
const MAX_LINKS = 1_000;
const MAX_ID = 300;
/** Definitions of reference systems are the deepest part of items, with some ten levels. */
const MAX_LEVELS = 50;

/** Parses an item; throws `stac-no-item` for any other JSON. */
export function parseItem(value: unknown): StacItem {
  if (!isObject(value) || value.type !== 'Feature' || !isObject(value.assets)) {
    throw noItem('It is not a STAC item, which is a Feature with assets.');
  }
  if (isDeeperThan(value, MAX_LEVELS)) throw noItem(`It is more than ${MAX_LEVELS} levels deep.`);
  const id = toText(value.id);
  if (id === null || id.length > MAX_ID) throw noItem(`It has no id, or one above ${MAX_ID} characters.`);
  const entries = Object.entries(value.assets);
  if (entries.length > MAX_ASSETS) throw noItem(`It has more than ${MAX_ASSETS} assets.`);
  const properties = isObject(value.properties) ? value.properties : {};
  const self = toObjects(value.links, MAX_LINKS).find(({ rel }) => rel === 'self');
  return {
    id,
    collection: toText(value.collection) ?? toText(properties.collection),
    properties,
    geometry: value.geometry,
    assets: entries.flatMap(([key, asset]) => (isObject(asset) ? toAsset(key, asset, properties) : [])),
    self: toText(self?.href),
  };
}

const noItem = (why: string) => sourceBroken('stac-no-item', why);

function toAsset(key: string, asset: Json, properties: Json): StacAsset[] {
  const alternates = isObject(asset.alternate) ? Object.values(asset.alternate) : [];
  const hrefs = [asset, ...toObjects(alternates, 10)].flatMap(({ href }) => toText(href) ?? []);
  if (hrefs.length === 0) return [];
  const roles = Array.isArray(asset.roles) ? asset.roles.filter((role) => typeof role === 'string') : [];
  const type = (toText(asset.type) ?? '').split(';')[0]!.trim().toLowerCase();
  return [{ key, hrefs, type, roles, bands: toBands(asset, properties), all: asset }];
}
