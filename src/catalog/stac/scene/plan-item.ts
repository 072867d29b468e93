import { createHash } from 'node:crypto';
import { notAllowed, sourceBroken } from '../../../errors.ts';
import type { FindScene } from '../../families/family.ts';
import type { SceneFacts } from '../../families/scene-facts.ts';
import type { StacAsset, StacItem } from '../../item/item.ts';
import type { AddressRules, DocumentOrigin } from './addresses.ts';
import { chooseAddress, withoutSignature } from './addresses.ts';
import type { KnownItem } from './find-family.ts';
import { findFamily } from './find-family.ts';
import type { BandAsset } from './match-bands.ts';
import { matchBands } from './match-bands.ts';

/** Changes when records of the same items would come out differently, so that they are made again. */
const STAC_VERSION = 6;

/** A band and the file that will be read for it. */
export interface PlannedBand {
  readonly found: BandAsset;
  readonly href: string;
}

/** An item of which all is known but what its files say. */
export interface PlannedItem {
  readonly item: StacItem;
  readonly known: KnownItem;
  readonly facts: SceneFacts;
  /** By band name, in the order of the sensor. */
  readonly bands: ReadonlyMap<string, PlannedBand>;
  readonly fingerprint: string;
}

/** Where an item comes from and what its scene may refer to. */
export interface ItemContext {
  readonly origin: DocumentOrigin;
  readonly rules: AddressRules;
  readonly findScene: FindScene;
  /** Whether files will be read. */
  readonly probe: boolean;
}

/** Decides what an item would become, without reading any of its files. */
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

/** A file that may not be read keeps the whole scene out: a missing half would only be noticed later. */
function chooseFiles(
  matched: ReadonlyMap<string, readonly BandAsset[]>,
  context: ItemContext & { readonly item: StacItem },
): ReadonlyMap<string, PlannedBand> {
  const bands = new Map<string, PlannedBand>();
  const missing = new Set<string>();
  for (const [name, candidates] of matched) {
    const needed: string[] = [];
    for (const found of candidates) {
      const chosen = chooseAddress(found.asset, context);
      if (chosen.href !== null) {
        bands.set(name, { found, href: chosen.href });
        break;
      }
      needed.push(...chosen.needed);
    }
    if (!bands.has(name)) missing.add(needed[0] ?? 'an unknown address');
  }
  if (missing.size === 0) return bands;
  const [first] = missing;
  throw notAllowed(
    'source-not-allowed',
    `Its files lie at ${[...missing].slice(0, 3).join(', ')}, which is not allowed; add ${first} to SWATH_SOURCES.`,
  );
}

/** Properties that change without anything else. */
const VOLATILE = new Set(['created', 'updated', 'earthsearch:payload_id', 'processing:software']);

/** Changes when the item does, but not when its addresses are signed anew. */
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
  return createHash('sha256').update(JSON.stringify(whole, sortKeys)).digest('hex').slice(0, 16);
}

/** The same object is written in another order by another server. */
const sortKeys = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
