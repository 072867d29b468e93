import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Document } from '../index.ts';
import { makeDocumentShape, readDocuments, streamDocuments, toGeoDocument } from '../index.ts';
import { checkDamagedBy } from '../testing/damage.ts';
import { askDuckDb } from '../testing/duckdb.ts';
import { withFolder } from '../testing/read-rows.ts';

const GEOMETRY = { type: 'Point', coordinates: [11, 48] } as const;
const BBOX = { xmin: 11, ymin: 48, xmax: 11, ymax: 48 };
const PLACE = { geometry: GEOMETRY, bbox: BBOX };

async function write(path: string, documents: readonly Document[], noted = documents): Promise<void> {
  const shape = makeDocumentShape();
  for (const document of noted) shape.note(toGeoDocument(document));
  async function* all() {
    yield* documents;
  }
  const chunks: Uint8Array[] = [];
  const options = { indexed: (name: string) => name === 'bbox', metadata: () => ({ more: 'x' }) };
  for await (const chunk of streamDocuments(all(), shape, options)) chunks.push(chunk);
  await writeFile(path, Buffer.concat(chunks));
}

async function read(path: string): Promise<unknown[]> {
  const documents: unknown[] = [];
  for await (const { document, fault } of readDocuments(path)) {
    assert.equal(fault, null);
    documents.push(document);
  }
  return documents;
}

const leaf = {
  text: fc.string({ unit: 'grapheme', maxLength: 12 }),
  number: fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0.5),
  whole: fc.maxSafeInteger(),
  flag: fc.boolean(),
};
const inner = fc.record(
  {
    ...leaf,
    texts: fc.array(leaf.text, { maxLength: 4 }),
    grid: fc.array(fc.array(leaf.whole, { maxLength: 3 }), { maxLength: 3 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const anyDocument = fc.record(
  {
    ...leaf,
    inner,
    parts: fc.array(inner, { maxLength: 4 }),
    'eo:odd.name': leaf.number,
    geometry: fc.constant(GEOMETRY),
    bbox: fc.constant(BBOX),
  },
  { requiredKeys: ['geometry', 'bbox'], noNullPrototype: true },
);

test('documents of lists, structures and nulls read back, over several row groups', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'any.parquet');
    const documents = fc.sample(anyDocument, { numRuns: 5_000, seed: 3 }) as Document[];
    await write(path, documents);
    const found = await read(path);
    assert.equal(found.length, documents.length);
    for (const [i, one] of found.entries()) assert.deepEqual(one, documents[i]);
    const [{ groups } = {}] = await askDuckDb(
      `SELECT max(row_group_id)::INT AS groups FROM parquet_metadata('${path}')`,
    );
    assert.equal(groups, 1);
  }));

test('output of DuckDB is read: lists of structures, maps, times and numbers that JSON lacks', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'duck.parquet');
    await askDuckDb(
      `COPY (SELECT i::INT AS i, CASE WHEN i = 1 THEN NULL ELSE [{'a': i, 'b': ['x', NULL]}, NULL] END AS parts, MAP {'k': i} AS m, TIMESTAMPTZ '2026-01-02 03:04:05.678Z' AS t, 'nan'::DOUBLE AS v, [] :: INT[] AS none, unhex('0101000000000000000000F03F0000000000000040') AS geometry FROM range(3) r(i)) TO '${path}' (FORMAT parquet)`,
    );
    const shared = {
      t: '2026-01-02T03:04:05.678Z',
      v: 'nan',
      none: [],
      geometry: { type: 'Point', coordinates: [1, 2] },
    };
    assert.deepEqual(await read(path), [
      { i: 0, parts: [{ a: 0, b: ['x', null] }, null], m: { k: 0 }, ...shared },
      { i: 1, m: { k: 1 }, ...shared },
      { i: 2, parts: [{ a: 2, b: ['x', null] }, null], m: { k: 2 }, ...shared },
    ]);
  }));

test('a field or a type that appears later refuses the file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'changed.parquet');
    const noted = [{ ...PLACE, a: 1 }];
    for (const later of [
      { ...PLACE, b: 1 },
      { ...PLACE, a: 'x' },
      { ...PLACE, a: 1.5 },
    ])
      await assert.rejects(write(path, [later], noted), { code: 'documents-changed' });
    await assert.rejects(
      write(path, [
        { ...PLACE, a: 1 },
        { ...PLACE, a: 'x' },
      ]),
      { code: 'mixed-types' },
    );
  }));

test('truncated and damaged files give documents or a refusal', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.parquet');
    await write(path, fc.sample(anyDocument, { numRuns: 20, seed: 4 }) as Document[]);
    const copy = join(folder, 'copy.parquet');
    const readCopy = async (bytes: Buffer): Promise<void> => {
      await writeFile(copy, bytes);
      for await (const _ of readDocuments(copy));
    };
    await checkDamagedBy(readCopy, await readFile(path), 300);
  }));
