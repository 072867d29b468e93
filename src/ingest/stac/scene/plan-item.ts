import { hash } from 'node:crypto';
import { notAllowed, sourceBroken } from '../../../errors.ts';
import { toSourceAdvice } from '../../../sources/index.ts';
import type { FindScene } from '../../families/family.ts';
import type { SceneFacts } from '../../families/scene-facts.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';
import type { AddressRules, DocumentLocation } from './addresses.ts';
import { chooseAddress, withoutSignature } from './addresses.ts';
import type { KnownItem } from './find-family.ts';
import { findFamily } from './find-family.ts';
import type { BandAsset } from './match-bands.ts';
import { matchBands } from './match-bands.ts';

/** Raised when the same items give other records, so that the next ingest makes them again. */
const STAC_VERSION = 6;

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

/** Plans the scene of an item without reading its files. */
export async function planItem(item: StacItem, context: ItemContext): Promise<PlannedItem> {
  const known = findFamily(item);
  const { findScene, probe } = context;
  const facts = await known.rules.describe(item, known.sensors, { findScene, readText: async () => null });
  const matched = matchBands(item, { rules: known.rules, sensor: facts.sensor });
  if (matched.size === 0) {
    throw sourceBroken('no-images', `It has no image of a band of ${facts.sensor.title}.`);
  }
  const bands = chooseFiles(matched, { item, ...context });
  return { item, known, facts, bands, fingerprint: toFingerprint(item, bands, probe) };
}

/** A forbidden file refuses the whole scene: half a scene would only be noticed later. */
/** In messages, the source of a file without an address that can be used. */
const INVALID = 'an invalid address';

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
