/**
 * Asks pystac-client whether our search of a live catalog is right. stac-fastapi with pgstac serves some thousand items in
 * the shapes of several providers from a PostgreSQL of its own; random searches go to it through Swath and through
 * pystac-client, and both must give the same scenes, in the same order, with the same count. Once the API counts what
 * matches, and once it does not.
 *   npm run oracle earth
 *   npm run node -- test/oracle/earth/check-earth.ts FOLDER     (the items of a folder instead of generated ones)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseItem, toItemHit } from '../../../src/ingest/index.ts';
import { knownCollections } from '../../../src/live/presets/all-presets.ts';
import { startPostgres } from '../../ports/postgres-cluster.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';
import { startSwath, waitUntilReady } from '../../support/start-swath.ts';
import type { RawItem } from '../stac/brute-force.ts';
import { findRawItems } from '../stac/find-raw-items.ts';
import type { Sides } from './compare-search.ts';
import { compareSearch, toItemKey } from './compare-search.ts';
import { makeContent, toCollections } from './make-content.ts';
import { PYTHON_PACKAGES } from './packages.ts';
import { startPystacClient } from './pystac-client.ts';
import type { NamedItem } from './random-searches.ts';
import { makeRandom, makeSearch } from './random-searches.ts';
import { fillDatabase, startStacFastapi } from './start-stac-fastapi.ts';

/** Random searches for each way of asking. */
const SEARCHES = 120;

/** How Swath may ask the API: as its landing page says, in the older language without counts, and without any help. */
const WAYS = [
  { title: 'CQL2 and counts, by its landing page', counts: true, mostIds: 4, api: null },
  {
    title: 'the query extension, without counts',
    counts: false,
    // This server refuses lists in the query extension.
    mostIds: 1,
    api: { filter: 'query', sort: true, fields: true, counts: false, maxItems: 200 },
  },
  {
    title: 'neither filters nor sorting',
    counts: false,
    mostIds: 4,
    api: { filter: 'none', sort: false, fields: false, counts: false, maxItems: 250 },
  },
] as const;

if (!hasPython()) skip('python3');
const cluster = await startPostgres(
  // Nothing here outlives the check.
  ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  'postgres',
);
if (cluster === null) skip('PostgreSQL with PostGIS');
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-earth-'));
let faults = 0;
try {
  const bin = await installPython('swath-oracle-earth', PYTHON_PACKAGES, console.log);
  const { items, collections } = readContent(process.argv[2]);
  const named = (await Promise.all(items.map(nameItem))).filter((one) => one !== null);
  const database = { databaseUrl: cluster.url, bin, folder };
  await fillDatabase(database, { items, collections });
  console.log(`${items.length} items of ${collections.length} collections, ${named.length} of them scenes.`);
  for (const [seed, { counts, api: abilities, ...way }] of WAYS.entries()) {
    await using api = await startStacFastapi({ ...database, counts });
    await using pystac = startPystacClient(bin, api.url);
    await using swath = await startSwath({ env: toSettings(api.url, abilities) });
    await waitUntilReady(swath.url);
    const sides = { swathUrl: swath.url, pystac, ...toIndex(named) };
    faults += await compareAll(sides, { ...way, random: makeRandom(20_261_117 + seed) });
  }
} finally {
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(faults === 0 ? '\nAll agree.' : `\n${faults} searches differ.`);
process.exit(faults === 0 ? 0 : 1);

function skip(program: string): never {
  console.log(`This needs ${program}, which this machine does not have: nothing was checked.`);
  process.exit(0);
}

function readContent(path: string | undefined) {
  if (path === undefined) return makeContent();
  // pgstac holds one item of each name.
  const byKey = new Map(
    findRawItems(resolve(path)).flatMap(({ item }) =>
      item.collection && item.geometry !== null ? [[toItemKey(item.collection, item.id), item] as const] : [],
    ),
  );
  const items = [...byKey.values()];
  return { items, collections: toCollections(items) };
}

/** The names of an item's scene; null if it is none of ours, or of a collection that Swath does not look into. */
async function nameItem(item: RawItem): Promise<NamedItem | null> {
  try {
    const found = await toItemHit(parseItem(item), async () => null);
    if (found === null) return null;
    const { hit } = found;
    const isKnown = knownCollections.some(
      (one) => one.collection === item.collection && one.dataset === hit.dataset,
    );
    if (!isKnown) return null;
    return { item, dataset: hit.dataset, viewId: hit.viewId, sceneId: hit.sceneId };
  } catch {
    return null;
  }
}

/** Only this catalog, asked without a pause; no one reads the files of its items. */
function toSettings(url: string, api: (typeof WAYS)[number]['api']): Record<string, string> {
  const file = join(folder, 'catalogs.json');
  const sources = {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [Number(new URL(url).port)],
    privateNetworks: ['127.0.0.0/8'],
  };
  const limits = { requestsPerMinute: 100_000, concurrency: 8, deadlineMs: 60_000 };
  writeFileSync(file, JSON.stringify([{ name: 'stac-fastapi', url, api, sources, limits }]), { mode: 0o600 });
  return { SWATH_CATALOGS: file };
}

function toIndex(named: readonly NamedItem[]): Pick<Sides, 'items' | 'byViewId'> {
  return {
    items: new Map(named.map((one) => [toItemKey(one.item.collection, one.item.id), one])),
    byViewId: new Map(named.map((one) => [one.viewId, one])),
  };
}

/** Compares random searches and prints those that differ; gives their number. */
async function compareAll(
  sides: Sides,
  {
    title,
    mostIds,
    random,
  }: { readonly title: string; readonly mostIds: number; readonly random: () => number },
): Promise<number> {
  const groups = [...Map.groupBy(sides.items.values(), ({ dataset }) => dataset).values()];
  let [differ, hits, empty, partial] = [0, 0, 0, 0];
  for (let i = 0; i < SEARCHES; i += 1) {
    const wanted = makeSearch(groups, { random, mostIds });
    const compared = await compareSearch(sides, wanted, i % 2 === 0 ? 'cql2' : 'query');
    hits += compared.hits;
    if (compared.found === 0) empty += 1;
    if (compared.isPartial) partial += 1;
    if (compared.faults.length === 0) continue;
    differ += 1;
    const { scenes, ...rest } = wanted;
    const ids = scenes?.map(({ sceneId }) => sceneId) ?? null;
    console.error(`DIFFERS: ${JSON.stringify({ ...rest, ids })}`);
    for (const fault of compared.faults.slice(0, 5)) console.error(`  ${fault}`);
  }
  console.log(
    `With ${title}: ${SEARCHES} searches with ${hits} hits ` +
      `(${empty} without, ${partial} too many to sort) compared, ${differ} differ.`,
  );
  return differ;
}
