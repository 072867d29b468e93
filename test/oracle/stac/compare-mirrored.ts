import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NewScene } from '../../../src/catalog/index.ts';
import { sourceBroken } from '../../../src/errors.ts';
import type { IngestReport } from '../../../src/ingest/index.ts';
import { ingestFolder, ingestStac } from '../../../src/ingest/index.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import { makeMemoryStore } from '../ingest/memory-store.ts';

/**
 * Takes items in whose files have copies in the folder, opened as if they lay at their public addresses, and compares
 * the records with those of an ingest of the folder itself: two ways to the same files.
 */
export async function compareMirrored(root: string, scratch: string): Promise<string[]> {
  const roots = { dataDir: resolve('.nothing-here'), folders: [root] };
  const openFile = makeOpenSource(roots);
  const find = makeFind(globSync('**/*.{tif,TIF,tiff,jp2,json,txt,xml}', { cwd: root }));
  const fromItems = makeMemoryStore();
  const run = (from: string) =>
    ingestStac({
      from,
      filters: { bbox: null, date: null, maxCloudPercent: null, limit: null, collections: [] },
      store: fromItems.store,
      isAllowedHref: (href) => find(href) !== null,
      toHref: (path) => path,
      fetch: null,
      open: async (href) => {
        const file = find(href);
        if (file === null) throw sourceBroken('source-gone', 'There is no copy of the file.');
        return openFile(join(root, file));
      },
    });
  const reports = [await run(root), await run(await writeRadarItems(root, scratch))];
  const fromFolder = makeMemoryStore();
  await ingestFolder({
    path: root,
    store: fromFolder.store,
    open: openFile,
    toHref: (path) => toFileHref(path, roots),
  });
  console.log('\nWith files read, where copies of them are at hand:');
  return reports
    .flatMap(({ products }) => products.filter(({ outcome }) => outcome === 'ingested'))
    .flatMap((line) => compare(line, fromItems.scenes, fromFolder.scenes));
}

/** The file of the folder whose path has the longest common end with an address, of at least two names. */
function makeFind(files: readonly string[]): (href: string) => string | null {
  const byName = Map.groupBy(files, (file) => file.split('/').slice(-2).join('/'));
  const known = new Map<string, string | null>();
  return (href) => {
    const ends = href.split('/');
    const candidates = byName.get(ends.slice(-2).join('/')) ?? [];
    const found =
      known.get(href) ??
      candidates.toSorted((a, b) => commonEnd(b.split('/'), ends) - commonEnd(a.split('/'), ends))[0] ??
      null;
    known.set(href, found);
    return found;
  };
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/** Items as Earth Search writes them, for the products of Sentinel-1 that lie in the folder as in their bucket. */
async function writeRadarItems(root: string, scratch: string): Promise<string> {
  const folder = join(scratch, 'radar');
  await mkdir(folder);
  for (const info of globSync('**/GRD/**/productInfo.json', { cwd: root })) {
    const { id, startTime, stopTime } = JSON.parse(readFileSync(join(root, info), 'utf8'));
    const product = info.split('/').slice(0, -1).join('/');
    const bucket = `s3://sentinel-s1-l1c/${product.slice(product.indexOf('GRD/'))}`;
    const images = globSync('measurement/*.tiff', { cwd: join(root, product) });
    const assets = images.map((image) => [
      /(vv|vh|hh|hv)/.exec(image)?.[1] ?? '',
      { href: `${bucket}/${image}`, type: 'image/tiff; application=geotiff; profile=cloud-optimized' },
    ]);
    const properties = {
      datetime: `${startTime}Z`,
      start_datetime: `${startTime}Z`,
      end_datetime: `${stopTime}Z`,
    };
    const item = {
      type: 'Feature',
      id,
      collection: 'sentinel-1-grd',
      geometry: null,
      properties,
      assets: Object.fromEntries(assets),
    };
    await writeFile(join(folder, `${id}.json`), JSON.stringify(item));
  }
  return folder;
}

/** What both must say alike; addresses differ, and each has its own way to a footprint. */
function compare(
  { product, viewId, notes }: IngestReport['products'][number],
  items: ReadonlyMap<string, NewScene>,
  folders: ReadonlyMap<string, NewScene>,
): string[] {
  const [ours, theirs] = [items.get(viewId!)!, folders.get(viewId!)];
  const faults: string[] = [];
  const expect = (what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b)) {
      faults.push(`${viewId} ${what}: item ${JSON.stringify(a)}, folder ${JSON.stringify(b)}`);
    }
  };
  for (const [name, asset] of theirs === undefined ? [] : Object.entries(ours.assets)) {
    const { href: _, ...mine } = asset;
    const { href: __, ...other } = theirs!.assets[name] ?? { href: '' };
    expect(name, mine, other);
  }
  if (theirs !== undefined) {
    expect('day', ours.acquiredAt.slice(0, 10), theirs.acquiredAt.slice(0, 10));
    expect('scene id', ours.sceneId, theirs.sceneId);
    for (const band of Object.keys(ours.calibration?.bands ?? {})) {
      expect(`constants of ${band}`, ours.calibration?.bands[band], theirs.calibration?.bands[band]);
    }
  }
  const bands = Object.keys(ours.assets).join(' ');
  const judged =
    theirs === undefined ? 'not in the folder' : faults.length === 0 ? 'as from the folder' : 'DIFFERS';
  console.log(`${viewId} from ${product}: ${bands}; ${judged}${notes ? `; ${notes.join(' ')}` : ''}`);
  return faults;
}
