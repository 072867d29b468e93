/**
 * Takes a folder of real products into a catalog in memory and asks GDAL and the products' own texts whether the records
 * are right: every image's size, georeference, type and nodata; footprints; and date, cloud, sun and view id by a search in the
 * metadata that shares no code with ours.
 *   npm run node -- test/oracle/ingest/check-ingest.ts <folder>      (or SWATH_SAMPLES=<folder>)
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { makeOpenSource, toFileHref } from '../../../src/sources/index.ts';
import { findPython } from '../tiff/find-python.ts';
import { compareFootprint } from './compare-footprint.ts';
import type { GdalInfo } from './compare-image.ts';
import { compareImage } from './compare-image.ts';
import { compareTexts } from './compare-texts.ts';
import { makeMemoryStore } from './memory-store.ts';

const folder = process.argv[2] ?? process.env.SWATH_SAMPLES;
if (folder === undefined) {
  console.log('No folder of products was given (argument, or SWATH_SAMPLES): nothing was checked.');
  process.exit(0);
}
const root = resolve(folder);
const roots = { dataDir: resolve('.nothing-here'), folders: [root] };
const { store, scenes } = makeMemoryStore();
const ingest = () =>
  ingestFolder({
    path: root,
    store,
    open: makeOpenSource(roots),
    toHref: (path) => toFileHref(path, roots),
  });
const report = await ingest();
const again = await ingest();

const faults: string[] = [];
if (again.totals.ingested > 0) faults.push(`a second run has put ${again.totals.ingested} scenes again`);
for (const { product, reason } of report.products.filter(({ outcome }) => outcome === 'broken')) {
  faults.push(`${product} is broken: ${reason}`);
}
const assets = [
  ...new Map(
    [...scenes.values()].flatMap((scene) => Object.values(scene.assets).map((asset) => [asset.href, asset])),
  ).values(),
];
const requests = assets.map(({ href, bandIndex, nodata }) =>
  JSON.stringify({ path: href, band: bandIndex, nodata }),
);
const script = resolve(import.meta.dirname, 'gdal_info.py');
const judge = spawnSync(findPython(), [script], {
  input: requests.join('\n'),
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
if (judge.status !== 0) throw new Error(`GDAL failed: ${judge.stderr}`);
const infos = new Map(
  judge.stdout
    .split('\n')
    .flatMap((line, i) => (line === '' ? [] : [[assets[i]?.href, JSON.parse(line) as GdalInfo]])),
);
const rows: string[][] = [];
for (const scene of scenes.values()) {
  const own: string[] = [];
  const images = Object.entries(scene.assets).map((entry) => compareImage(entry, infos.get(entry[1].href)!));
  const footprint = compareFootprint(scene, infos.get(Object.values(scene.assets)[0]!.href)!);
  own.push(...images.flat(), ...footprint.faults, ...compareTexts(scene));
  faults.push(...own.map((fault) => `${scene.viewId}: ${fault}`));
  rows.push([
    scene.viewId,
    scene.acquiredAt.slice(0, 19),
    String(scene.cloudPercent ?? '-'),
    String(scene.sunElevationDeg?.toFixed(2) ?? '-'),
    String(scene.coveragePercent ?? '-'),
    String(images.length),
    footprint.text,
    own.length === 0 ? 'agrees' : 'DIFFERS',
  ]);
}

const head = ['view id', 'acquired', 'cloud', 'sun', 'coverage', 'bands', 'footprint and wgs84Extent', ''];
const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
for (const row of [head, ...rows]) console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
console.log(JSON.stringify(report.totals));
for (const { product, code, files = 1 } of report.products.filter(({ outcome }) => outcome === 'skipped')) {
  console.log(`skipped ${code} ${files} ${product}`);
}
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 && rows.length > 0 ? 0 : 1);
