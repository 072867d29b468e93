import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isObject } from '../../json.ts';
import { askDuckDb } from '../../vector/testing/duckdb.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { toStacItem } from './export.ts';
import { readItems, streamItems } from './geoparquet.ts';
import { fromOwnItem } from './own-item.ts';
import { anyScene } from './testing/any-scene.ts';
import { addNaip, ingest } from './testing/ingest-items.ts';
import { earthSearchItem, landsatItem, modisItem, naipItem, sentinel1Item } from './testing/make-items.ts';

type Item = Readonly<Record<string, unknown>>;

/** Writes items as one table. */
async function write(path: string, items: readonly Item[]): Promise<void> {
  const chunks: Uint8Array[] = [];
  async function* all() {
    yield* items;
  }
  for await (const chunk of streamItems(all, () => ({ naip: { id: 'naip' } }))) chunks.push(chunk);
  await writeFile(path, Buffer.concat(chunks));
}

async function read(path: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { item, fault } of readItems(path)) {
    assert.equal(fault, null);
    items.push(item);
  }
  return items;
}

/** A table does not tell a field that is null from one that is missing. */
const withoutNulls = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutNulls)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, withoutNulls(one)]])),
        )
      : value;

test('every scene is restored from a table of all', async () => {
  const folder = await makeTestFolder();
  const path = join(folder.root, 'any.parquet');
  const scenes = fc.sample(anyScene, { numRuns: 300, seed: 5 });
  await write(
    path,
    scenes.map((scene) => JSON.parse(JSON.stringify(toStacItem(scene)))),
  );
  const found = await read(path);
  assert.equal(found.length, scenes.length);
  for (const [i, item] of found.entries())
    assert.deepEqual(fromOwnItem(item, { isAllowedHref: () => true }), scenes[i]);
});

test('items of public catalogs with unlike fields share a table', async () => {
  const folder = await makeTestFolder();
  const path = join(folder.root, 'public.parquet');
  const items = [
    ...[earthSearchItem(3), earthSearchItem(4), landsatItem('L1TP'), landsatItem('L2SP')],
    ...[naipItem(1), sentinel1Item(), modisItem()],
  ];
  await write(path, items);
  const inMs = (item: Item): unknown => {
    const { properties } = item as { properties: Item };
    const times = ['datetime', 'created', 'start_datetime', 'end_datetime'].flatMap((name) =>
      typeof properties[name] === 'string' ? [[name, new Date(properties[name]).toISOString()]] : [],
    );
    return withoutNulls({ ...item, properties: { ...properties, ...Object.fromEntries(times) } });
  };
  assert.deepEqual((await read(path)).map(inMs), items.map(inMs));
});

test('DuckDB reads times, boxes, assets and metadata of a table', async () => {
  const folder = await makeTestFolder();
  const path = join(folder.root, 'duck.parquet');
  await write(path, [naipItem(1), earthSearchItem(3)]);
  const rows = await askDuckDb(
    `SELECT id, epoch_ms("datetime")::DOUBLE AS t, bbox.xmin AS west, assets.red.href AS red, "eo:cloud_cover"::DOUBLE AS cloud FROM read_parquet('${path}') ORDER BY id`,
  );
  const item = earthSearchItem(3);
  assert.deepEqual(rows[0], {
    id: item.id,
    t: Date.parse('2022-06-03T10:56:21.123Z'),
    west: 1.8,
    red: item.assets.red?.href,
    cloud: 10,
  });
  assert.equal(rows[1]?.red, null);
  const [metadata] = await askDuckDb(
    `SELECT decode(value) AS text FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'stac-geoparquet'`,
  );
  assert.deepEqual(JSON.parse(String(metadata?.text)), {
    version: '1.0.0',
    collections: { naip: { id: 'naip' } },
  });
});

test('a table without items has the columns of the core', async () => {
  const folder = await makeTestFolder();
  const path = join(folder.root, 'none.parquet');
  await write(path, []);
  assert.deepEqual(await read(path), []);
  assert.deepEqual(await askDuckDb(`SELECT count(*)::INT AS n, max(id) AS id FROM read_parquet('${path}')`), [
    { n: 0, id: null },
  ]);
});

test('a table of a folder is ingested like a file of lines, and an export of it changes nothing', async () => {
  const folder = await makeTestFolder();
  await addNaip(folder, 1);
  await ingest(folder);
  const [before] = [...folder.scenes.values()];
  const own = join(folder.root, 'own.parquet');
  await write(own, [toStacItem(before!)]);
  const options = { from: own, isAllowedHref: () => true };
  assert.deepEqual((await ingest(folder, options)).totals, {
    ingested: 0,
    unchanged: 1,
    skipped: 0,
    broken: 0,
  });
  folder.scenes.clear();
  assert.deepEqual((await ingest(folder, options)).totals.ingested, 1);
  const { indexedAt: _, ...scene } = [...folder.scenes.values()][0]!;
  const { indexedAt: __, ...first } = before!;
  assert.deepEqual(scene, first);
  const report = await ingest(folder);
  assert.deepEqual(report.totals.broken, 0, 'the folder has the item twice: as JSON and in the table');
  await folder.write('broken.parquet', 'PAR1');
  const [fault] = (await ingest(folder)).products.filter(({ outcome }) => outcome === 'broken');
  assert.deepEqual([fault?.product, fault?.code], ['broken.parquet', 'bad-shape-file']);
});
