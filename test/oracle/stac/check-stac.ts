/**
 * Takes a folder of real STAC items into a catalog and asks whether searches over it agree with a brute-force look at the
 * JSON; then reads the files of those items whose images lie in the folder too, as if they came from their hosts, and
 * compares the records with those that an ingest of the folder makes of the same files.
 *   npm run node -- test/oracle/stac/check-stac.ts <folder>      (or SWATH_SAMPLES=<folder>)
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { FieldFilter, Scene, SceneQuery } from '../../../src/catalog/index.ts';
import { sourceBroken } from '../../../src/errors.ts';
import type { IngestReport } from '../../../src/ingest/index.ts';
import { ingestStac, toStacItem } from '../../../src/ingest/index.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';
import type { RawItem, Wanted } from './brute-force.ts';
import { matchesItem } from './brute-force.ts';
import { compareMirrored } from './compare-mirrored.ts';
import { findRawItems } from './find-raw-items.ts';

const folder = process.argv[2] ?? process.env.SWATH_SAMPLES;
if (folder === undefined) {
  console.log('No folder of items was given (argument, or SWATH_SAMPLES): nothing was checked.');
  process.exit(0);
}
const root = resolve(folder);
const faults: string[] = [];
const everything = { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] };
const common = { from: root, filters: everything, toHref: (path: string) => path, fetch: null };

const directory = await mkdtemp(join(tmpdir(), 'swath-stac-'));
const { scenes: store, close } = openSqliteStore(directory);
try {
  const open = () => Promise.reject(sourceBroken('source-gone', 'Nothing is read.'));
  const startedMs = performance.now();
  const report = await ingestStac({ ...common, store, open, isAllowedHref: () => true, probe: false });
  const tookMs = performance.now() - startedMs;
  const scenes = await listAll();
  const raw = findRawItems(root);
  printTable(report, raw);
  const listed =
    report.totals.ingested + report.totals.unchanged + report.totals.skipped + report.totals.broken;
  if (listed !== raw.length) faults.push(`the report has ${listed} lines, the folder ${raw.length} items`);
  console.log(`\n${raw.length} items in ${Math.round(tookMs)} ms: ${scenes.length} scenes.`);

  const items = matchScenes(
    report,
    raw.map(({ item }) => item),
  );
  faults.push(...(await compareSearches(items)));
  faults.push(...(await checkAgain(scenes)));
  faults.push(...(await compareMirrored(root, directory)));
} finally {
  await close();
  await rm(directory, { recursive: true });
}
for (const fault of faults.slice(0, 20)) console.error(`DIFFERS: ${fault}`);
console.log(faults.length === 0 ? '\nAll agree.' : `\n${faults.length} faults.`);
process.exit(faults.length === 0 ? 0 : 1);

function printTable({ products }: IngestReport, raw: readonly { set: string; item: RawItem }[]): void {
  const names = new Map(raw.map(({ set, item }) => [nameOf(item), set]));
  const rows = new Map<string, number>();
  for (const { product, outcome, code, reason } of products) {
    const collection = product.split('/').slice(0, -1).join('/') || '-';
    const why = code === undefined ? '' : `${code}: ${reason}`;
    const row = [names.get(product) ?? '?', collection, outcome, why].join(' | ');
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  for (const [row, count] of [...rows].sort()) console.log(`${String(count).padStart(5)} | ${row}`);
}

function nameOf({ id, collection }: RawItem): string {
  return collection ? `${collection}/${id}` : id;
}

/** Which item each scene is: of several, the one that was put last. */
function matchScenes({ products }: IngestReport, raw: readonly RawItem[]): ReadonlyMap<string, RawItem> {
  const byName = Map.groupBy(raw, nameOf);
  const found = new Map<string, RawItem>();
  for (const { product, outcome, viewId } of products) {
    const item = byName.get(product)?.at(-1);
    if (outcome === 'ingested' && viewId !== undefined && item !== undefined) found.set(viewId, item);
  }
  return found;
}

async function listAll(): Promise<Scene[]> {
  const all: Scene[] = [];
  for await (const scene of store.list()) all.push(scene);
  return all;
}

async function compareSearches(items: ReadonlyMap<string, RawItem>): Promise<string[]> {
  const faults: string[] = [];
  const known = new Map<string, Scene>();
  for await (const scene of store.list()) known.set(scene.viewId, scene);
  const datasets = [...new Set([...known.values()].map(({ dataset }) => dataset))];
  let [queries, hits, unsure] = [0, 0, 0];
  let seed = 20261115;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const groups = [...Map.groupBy(items, ([viewId]) => known.get(viewId)!.dataset).values()];
  for (let i = 0; i < 1_500; i++) {
    // Each dataset alike, not each item: most are of one.
    const list = groups[Math.floor(random() * groups.length)]!;
    const [near, about] = list[Math.floor(random() * list.length)]!;
    const dataset =
      random() < 0.9 ? known.get(near)!.dataset : datasets[Math.floor(random() * datasets.length)]!;
    const wanted = toWanted(about, random);
    const ours = await search(dataset, wanted);
    if (ours === null) continue;
    queries++;
    hits += ours.size;
    for (const [viewId, item] of items) {
      if (known.get(viewId)?.dataset !== dataset) continue;
      const theirs = matchesItem(item, wanted);
      if (theirs === null) unsure++;
      else if (theirs !== ours.has(viewId)) {
        faults.push(`${viewId} ${theirs ? 'was not found' : 'was found'} by ${JSON.stringify(wanted)}`);
      }
    }
  }
  console.log(
    `${queries} searches with ${hits} hits compared; ${unsure} times a point was too near to an edge.`,
  );
  return faults;
}

function toWanted({ geometry, properties }: RawItem, random: () => number): Wanted {
  const numbers = JSON.stringify(geometry?.coordinates).match(/\[-?[\d.e-]+,-?[\d.e-]+/g) ?? [];
  const points = numbers.map((text) => text.slice(1).split(',').map(Number));
  const between = (index: number) => {
    const values = points.map((point) => point[index]!);
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return min + (max - min) * (random() * 1.2 - 0.1);
  };
  const turn = (lon: number) => lon - 360 * Math.round(lon / 360);
  const day = Date.parse(String(properties.datetime).slice(0, 10));
  const shift = (days: number) => new Date(day + days * 86_400_000).toISOString().slice(0, 10);
  return {
    point: random() < 0.7 ? [turn(between(0)), Math.max(-90, Math.min(90, between(1)))] : null,
    from: random() < 0.5 ? shift(-Math.floor(random() * 400)) : null,
    to: random() < 0.5 ? shift(Math.floor(random() * 400)) : null,
    // Ours are rounded to hundredths, as hits show them: a bound between two of those tells them apart alike.
    maxCloud: random() < 0.4 ? Math.floor(random() * 10_000) / 100 + 0.005 : null,
  };
}

/** By the store's own search; null when the dataset knows no clouds. */
async function search(dataset: string, { point, from, to, maxCloud }: Wanted): Promise<Set<string> | null> {
  const hasCloud = Object.hasOwn(sensorByDataset(dataset)?.hitFields ?? {}, 'cloudCoverage');
  if (maxCloud !== null && !hasCloud) return null;
  const filters: FieldFilter[] = [
    ...(from === null ? [] : [{ field: 'date', kind: 'range' as const, from }]),
    ...(to === null ? [] : [{ field: 'date', kind: 'range' as const, to }]),
    ...(maxCloud === null ? [] : [{ field: 'cloudCoverage', kind: 'range' as const, to: maxCloud }]),
  ];
  const query: SceneQuery = {
    datasets: [{ id: dataset, filters }],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 10_000,
  };
  const page = await store.search(
    point === null
      ? query
      : { ...query, shape: { geometry: { type: 'Point', coordinates: point }, relation: 'intersects' } },
  );
  return new Set(page.scenes.map(({ viewId }) => viewId));
}

/** A second run must leave the same catalog, and what is written out must come back equal. */
async function checkAgain(before: readonly Scene[]): Promise<string[]> {
  const faults: string[] = [];
  const open = () => Promise.reject(sourceBroken('source-gone', 'Nothing is read.'));
  await ingestStac({ ...common, store, open, isAllowedHref: () => true, probe: false });
  const after = await listAll();
  if (JSON.stringify(before) !== JSON.stringify(after)) faults.push('a second run has changed the catalog');
  const lines = join(directory, 'export.ndjson');
  await writeFile(lines, before.map((scene) => `${JSON.stringify(toStacItem(scene))}\n`).join(''));
  const back = await ingestStac({
    ...common,
    from: lines,
    store,
    open,
    isAllowedHref: () => true,
    probe: false,
  });
  if (back.totals.unchanged !== before.length) {
    faults.push(`of ${before.length} scenes written out, ${back.totals.unchanged} came back equal`);
  }
  console.log(`${before.length} scenes written out and taken in again: ${back.totals.unchanged} equal.`);
  return faults;
}
