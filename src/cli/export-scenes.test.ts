import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { askDuckDb } from '../vector/testing/duckdb.ts';
import { exportScenes } from './export-scenes.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'swath-export-'));
after(() => rmSync(folder, { recursive: true }));

async function* listScenes(count: number) {
  for (let day = 0; day < count; day += 1) yield toScene(makeScene(20 + day));
}

const run = async (count: number, output: string | null, format: 'ndjson' | 'geoparquet' = 'ndjson') => {
  const [{ terminal, err }, out] = [makeFakeTerminal(), new PassThrough()];
  const printed = text(out);
  await exportScenes(
    () => listScenes(count),
    { format, output },
    { terminal, out, dataDir: folder, outputMode: 0o644 },
  );
  out.end();
  return { notes: err(), printed: await printed };
};

test('the collections of the items are written next to the file', async () => {
  const output = join(folder, 'catalog.ndjson');
  const { notes } = await run(2, output);
  const items = readFileSync(output, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(items.length, 2);
  assert.deepEqual(readdirSync(folder).sort(), ['catalog.ndjson', 'sentinel2.collection.json']);
  const { type, id, extent } = JSON.parse(readFileSync(join(folder, 'sentinel2.collection.json'), 'utf8'));
  assert.deepEqual([type, id], ['Collection', 'sentinel2']);
  assert.deepEqual(extent.temporal.interval, [[items[0].properties.datetime, items[1].properties.datetime]]);
  assert.match(notes, /^Wrote 2 STAC items to .*next to it sentinel2\.collection\.json\.\n$/);
});

test('a table contains the items and their collections', async () => {
  const output = join(folder, 'catalog.parquet');
  const { notes } = await run(3, output, 'geoparquet');
  assert.match(notes, /^Wrote 3 STAC items to /);
  const rows = await askDuckDb(
    `SELECT collection, "swath:view_id" AS v FROM read_parquet('${output}') ORDER BY v`,
  );
  assert.deepEqual(
    rows.map(({ collection }) => collection),
    ['sentinel2', 'sentinel2', 'sentinel2'],
  );
  const [{ text: metadata } = {}] = await askDuckDb(
    `SELECT decode(value) AS text FROM parquet_kv_metadata('${output}') WHERE decode(key) = 'stac-geoparquet'`,
  );
  const { collections } = JSON.parse(String(metadata));
  assert.deepEqual(
    collections.sentinel2,
    JSON.parse(readFileSync(join(folder, 'sentinel2.collection.json'), 'utf8')),
  );
});

test('an empty export says so', async () => {
  const { notes } = await run(0, join(folder, 'empty.ndjson'));
  assert.match(notes, /^There are no scenes to export/);
});

test('standard output gets only the items', async () => {
  const { printed } = await run(1, null);
  assert.equal(JSON.parse(printed).collection, 'sentinel2');
});
