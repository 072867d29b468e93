import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listLiveFiles } from '../../../test/support/live-files.ts';
import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import type { BulkOrder } from '../../bulk/index.ts';
import type { FieldFileJobs } from '../../fields/index.ts';
import { fieldFileJobs, listCheckedShapes, makeCheckFile } from '../../fields/index.ts';
import { openBlobs, toUploadKey } from '../../objects/index.ts';
import { makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeFieldsKinds, makeTasks } from '../../tasks/index.ts';
import { ROOM } from '../../tasks/testing/open-tasks.ts';
import { makeTestApp, READER_KEY, readError, readerRecord } from '../testing/make-test-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-collections-'));
const { store, close } = openTestStore();
after(async () => {
  await close();
  rmSync(directory, { recursive: true });
});

const blobs = openBlobs({ dataDir: directory, bucketHref: null });
const unused = null as never;
const tasks = makeTasks({
  store: store.tasks,
  kinds: makeFieldsKinds({ importFields: unused, blobs, bulk: unused }),
  timeoutS: 3_600,
  limits: ROOM,
  endedPerOwner: 100,
});
const { call } = makeTestApp({
  fieldFiles: {
    checkFile: makeCheckFile(makeRunnerHere<FieldFileJobs>(fieldFileJobs)),
    importFields: unused,
    exportFields: unused,
    blobs,
  },
  tasks: { tasks },
  records: [readerRecord],
});

const ORDER = { expressions: ['NDVI'], date_start: '2026-01-01', date_end: '2026-12-31' };
const send = (body: string, order: unknown = ORDER, query = '', key?: string) =>
  call(`/api/statistics/collection?order=${encodeURIComponent(JSON.stringify(order))}${query}`, {
    method: 'POST',
    body,
    ...(key === undefined ? {} : { key }),
  });

const wkt = (west: number): string =>
  `"POLYGON ((${west} 48, ${west + 0.001} 48, ${west + 0.001} 48.001, ${west} 48.001, ${west} 48))"`;

/** What lies in the folder of results. */
const listFiles = () => listLiveFiles(directory).filter((path) => path.includes('upload'));

test('a file larger than a JSON body is accepted, checked row by row, and read by its task', async () => {
  const rows = Array.from(
    { length: 6_000 },
    (_, i) => `F-${i},Field ${i},${'x'.repeat(300)},${wkt(i / 100)}`,
  );
  rows[1] = 'F-1,crossed,,"POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))"';
  rows[2] = `F-0,again,,${wkt(1)}`;
  rows[3] = 'F-3,turned,,"POLYGON ((48 170, 49 170, 49 171, 48 171, 48 170))"';
  const body = `external_id,name,note,wkt\n${rows.join('\n')}\n`;
  assert.ok(body.length > 2 * 2 ** 20);
  const response = await send(body);
  assert.equal(response.status, 202, await response.clone().text());
  const { task_id: id, ...more } = (await response.json()) as {
    task_id: string;
    rejected: { row: number }[];
  };
  assert.equal(response.headers.get('location'), `http://swath.test/api/gdw/api/${id}`);
  assert.deepEqual(
    { ...more, rejected: more.rejected.map(({ row }) => row) },
    {
      status: 'started',
      progress: 0,
      rows: 6_000,
      rejected: [2, 3, 4],
      rejected_count: 3,
      turned: [],
      warning: null,
    },
  );
  const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  const { task } = leased ?? assert.fail('the task is not queued');
  const { shapes, expressions } = task.order as BulkOrder;
  assert.deepEqual([shapes.kind, expressions], ['file', ['NDVI']]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await blobs.read(toUploadKey(id), null)) chunks.push(chunk);
  const path = join(directory, 'rows');
  await writeFile(path, Buffer.concat(chunks));
  const found = [];
  for await (const page of listCheckedShapes(path)) found.push(...page);
  assert.equal(found.length, 5_997);
  const [first] = found;
  assert.deepEqual([first?.id, first?.externalId, first?.name], ['F-0', 'F-0', 'Field 0']);
  assert.equal(first?.geometry.type, 'MultiPolygon');
  assert.equal(listFiles().length, 1, 'the file itself is not kept');
});

test('invalid orders and files are refused, and leave nothing behind', async () => {
  const before = listFiles();
  const good = `id,wkt\na,${wkt(1)}\n`;
  for (const [body, order, code] of [
    [good, { ...ORDER, group: 'north' }, 'several-areas'],
    [good, { ...ORDER, collection: { type: 'FeatureCollection', features: [] } }, 'several-areas'],
    [good, [], 'bad-order'],
    [good, { ...ORDER, layout: 'round' }, 'bad-layout'],
    [good, { ...ORDER, histogram: { bins: 3 } }, 'bad-histogram'],
    ['', ORDER, 'no-body'],
    ['neither this nor that', ORDER, 'no-shapes'],
    ['id,wkt\na,"POLYGON EMPTY"\n', ORDER, 'no-usable-feature'],
  ] as const)
    assert.equal((await readError(await send(body, order))).code, code, JSON.stringify(order));
  const missing = await call('/api/statistics/collection', { method: 'POST', body: good });
  assert.equal((await readError(missing)).code, 'bad-order');
  assert.equal((await send(good, ORDER, '', READER_KEY)).status, 403);
  assert.equal((await readError(await send(good, ORDER, '&format=pdf'))).code, 'bad-format');
  assert.deepEqual(listFiles(), before);
});
