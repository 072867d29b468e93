import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import type { Scene } from '../catalog/index.ts';
import { sourceBroken } from '../errors.ts';
import { makeFolderBlobs } from '../objects/blob-store.ts';
import { listAll } from '../objects/testing/blob-store-contract.ts';
import type { JobRunner } from '../pool/index.ts';
import { makeRunnerHere } from '../pool/testing/run-here.ts';
import { askDuckDb } from '../vector/testing/duckdb.ts';
import { makeMeasureHere, toTestArea } from '../zonal/testing/statistics-here.ts';
import type { BulkOrder } from './bulk-order.ts';
import type { Jobs } from './testing/bulk-runs.ts';
import { makeBulkRuns, shapes, toRows, withKit } from './testing/bulk-runs.ts';

const { folder, scenes, handlers, makeKit, close } = await makeBulkRuns();
after(close);

test('the table has a row for each field, scene and expression, with the numbers of single areas', () =>
  withKit(async (kit) => {
    const { bytes, progress } = await makeKit(kit).run();
    const rows = toRows(bytes);
    // Two of the fields lie in the three scenes.
    assert.equal(rows.length, 2 * 3 * 2);
    assert.deepEqual(
      rows.slice(0, 7).map((row) => [row.field_id, row.external_id, row.date, row.scene_id, row.expression]),
      [
        ['id-0', 'ex 0', '2026-06-03', 'scene-3', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-03', 'scene-3', 'B04'],
        ['id-0', 'ex 0', '2026-06-02', 'scene-2', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-02', 'scene-2', 'B04'],
        ['id-0', 'ex 0', '2026-06-01', 'scene-1', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-01', 'scene-1', 'B04'],
        ['id-1', '', '2026-06-03', 'scene-3', 'NDVI'],
      ],
    );
    const area = toTestArea([5, 5, 25, 25]);
    const [alone] = await makeMeasureHere(folder)({ scene: scenes[0] as Scene, expressions: ['NDVI'], area });
    const { variance: _, ...summary } = alone?.statistics ?? { variance: 0 };
    const [row] = rows;
    for (const [name, value] of Object.entries(summary)) assert.equal(Number(row?.[name]), value, name);
    assert.equal(Number(row?.data_percent), 100);
    assert.ok(progress.length > 3 && progress.every(({ done, total }) => total >= done));
  }));

test('the wide layout has a row for each field and scene, and a limit takes the newest', () =>
  withKit(async (kit) => {
    const long = toRows((await makeKit(kit).run()).bytes);
    const wide = toRows((await makeKit(kit).run({ layout: 'wide', limit: 2 })).bytes);
    assert.deepEqual(
      wide.map((row) => [row.field_id, row.date]),
      ['id-0', 'id-1'].flatMap((id) => ['2026-06-03', '2026-06-02'].map((date) => [id, date])),
    );
    assert.equal(wide[0]?.B04_median, long[1]?.median);
    assert.equal(wide[0]?.NDVI_p90, long[0]?.p90);
  }));

test('work that is stopped repeatedly measures no part twice, and ends with the same bytes', () =>
  withKit(async (kit) => {
    const wanted = (await withKit((other) => makeKit(other).run())).bytes;
    const measured: string[] = [];
    let attempts = 0;
    for (let bytes: Buffer | null = null; bytes === null; attempts += 1) {
      const killed = new AbortController();
      const here = makeRunnerHere<Jobs>(handlers);
      let jobs = 0;
      const pool: JobRunner<Jobs> = {
        async run(kind, input, ticket) {
          // The process dies some jobs later than the last time.
          jobs += 1;
          if (jobs > 2 + attempts) killed.abort(new Error('killed'));
          killed.signal.throwIfAborted();
          return here.run(kind, input, ticket);
        },
      };
      const known = new Set(
        (await listAll(makeFolderBlobs({ folder: kit.blobFolder }))).map(({ key }) => key),
      );
      const result = await makeKit({ ...kit, pool })
        .run({}, killed.signal)
        .catch((error: unknown) => {
          assert.ok(killed.signal.aborted, String(error));
          return null;
        });
      for (const { kind, input } of here.asked) {
        if (kind !== 'measure-window') continue;
        const { viewId } = (input as { piece: { pixels: { viewId: string } } }).piece.pixels;
        const position = scenes.findIndex((scene) => scene.viewId === viewId);
        assert.ok(!known.has(`task-1.part-0-${position}`), 'a stored part is not measured');
        measured.push(viewId);
      }
      bytes = result?.bytes ?? null;
      if (bytes !== null) assert.deepEqual(bytes, wanted);
      assert.ok(attempts < 60, 'each attempt comes further');
    }
    assert.ok(attempts > 4 && new Set(measured).size === 3);
  }));

test('the result uses the shapes of the first attempt', () =>
  withKit(async (kit) => {
    const killed = new AbortController();
    const here = makeRunnerHere<Jobs>(handlers);
    const pool: JobRunner<Jobs> = {
      async run(kind, input, ticket) {
        if (kind === 'write-numbers') killed.abort(new Error('killed'));
        killed.signal.throwIfAborted();
        return here.run(kind, input, ticket);
      },
    };
    await assert.rejects(makeKit({ ...kit, pool }).run({}, killed.signal));
    const { bytes } = await makeKit({ ...kit, listed: [] }).run();
    assert.equal(toRows(bytes).length, 12);
  }));

test('every format has the same rows', () =>
  withKit(async (kit) => {
    const run = async (format: BulkOrder['format']) => (await makeKit(kit).run({ format })).bytes;
    const averages = toRows(await run('csv')).map((row) => Number(row.average));
    const { features } = JSON.parse((await run('geojson')).toString()) as {
      readonly features: readonly {
        readonly properties: Record<string, unknown>;
        readonly geometry: unknown;
      }[];
    };
    assert.deepEqual(
      features.map(({ properties }) => properties.average),
      averages,
    );
    assert.deepEqual(features[0]?.geometry, shapes[0]?.geometry);
    const arrow = tableFromIPC(await run('arrow'));
    assert.deepEqual(
      arrow.toArray().map((row) => (row as { average: number }).average),
      averages,
    );
    const path = join(kit.blobFolder, 'table.parquet');
    for (const format of ['parquet', 'geoparquet'] as const) {
      await writeFile(path, await run(format));
      const rows = await askDuckDb(`SELECT average FROM '${path}'`);
      assert.deepEqual(
        rows.map(({ average }) => average),
        averages,
      );
    }
  }));

test('with pixel shares the count is the size of the field', () =>
  withKit(async (kit) => {
    const rows = toRows((await makeKit(kit).run({ weights: 'fractions', layout: 'wide' })).bytes);
    assert.ok(Math.abs(Number(rows[0]?.NDVI_count) - 400) < 0.01);
    assert.ok(Math.abs(Number(rows[0]?.data_percent) - 100) < 0.001);
  }));

test('an order without shapes is refused', () =>
  withKit(async (kit) => {
    await assert.rejects(makeKit({ ...kit, listed: [] }).run(), { code: 'no-shapes' });
  }));

test('a scene that cannot be read is named in the rows of its fields; if all are broken the work fails', () =>
  withKit(async (kit) => {
    const failing = (viewIds: readonly string[]): JobRunner<Jobs> => {
      const here = makeRunnerHere<Jobs>(handlers);
      return {
        async run(kind, input, ticket) {
          const { piece } = input as { piece?: { pixels: { viewId: string } } };
          if (piece !== undefined && viewIds.includes(piece.pixels.viewId))
            throw sourceBroken('block-broken', 'A block is broken.');
          return here.run(kind, input, ticket);
        },
      };
    };
    const all = scenes.map(({ viewId }) => viewId);
    await assert.rejects(makeKit({ ...kit, pool: failing(all) }).run(), { code: 'bulk-computation' });
    const some = await makeKit({ ...kit, pool: failing(all.slice(0, 1)) }).run({ layout: 'wide' });
    const rows = toRows(some.bytes);
    assert.match(rows[0]?.notes ?? '', /could not be read: A block is broken/);
    assert.deepEqual([rows[0]?.scene_id, rows[0]?.NDVI_average], ['scene-3', '']);
    assert.notEqual(rows[1]?.NDVI_average, '');
    // The next attempt reads it.
    const { bytes } = await makeKit(kit).run({ layout: 'wide' });
    assert.notEqual(toRows(bytes)[0]?.NDVI_average, '');
  }));

test('progress counts stored bytes, also those of an earlier attempt', () =>
  withKit(async (kit) => {
    const first = await makeKit(kit).run();
    const stored = (await listAll(makeFolderBlobs({ folder: kit.blobFolder }))).reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
    assert.ok(stored > 3 * 4_096);
    assert.equal(first.progress.at(-1)?.storedBytes, stored);
    const again = await makeKit(kit).run();
    assert.equal(again.progress.at(-1)?.storedBytes, stored);
  }));
