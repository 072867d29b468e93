import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { listLiveFiles } from '../../../test/support/live-files.ts';
import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import type { FieldFileJobs } from '../../fields/index.ts';
import {
  fieldFileJobs,
  makeCheckFile,
  makeExportFields,
  makeFields,
  makeImportFields,
} from '../../fields/index.ts';
import { makeRecipes } from '../../library/index.ts';
import { makeMemoryRecipes, unlimitedRecipes } from '../../library/testing/memory-library.ts';
import { openBlobs } from '../../objects/index.ts';
import { makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeFieldsKinds, makeTasks } from '../../tasks/index.ts';
import { ROOM } from '../../tasks/testing/open-tasks.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
} from '../testing/make-test-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-field-files-'));
const { store, close } = openTestStore();
after(async () => {
  await close();
  rmSync(directory, { recursive: true });
});

const pool = makeRunnerHere<FieldFileJobs>(fieldFileJobs);
const fields = makeFields({ store: store.fields, maxPerOwner: 10_000, now: () => new Date() });
const checkFile = makeCheckFile(pool);
const importFields = makeImportFields({ fields, checkFile });
const blobs = openBlobs({ dataDir: directory, bucketHref: null });
const kind = makeFieldsKinds({ importFields, blobs, bulk: null as never })['fields-import'];
const tasks = makeTasks({
  store: store.tasks,
  kinds: { 'fields-import': kind },
  timeoutS: 3_600,
  limits: ROOM,
  endedPerOwner: 100,
});
const { call } = makeTestApp({
  fields,
  fieldFiles: {
    importFields,
    checkFile,
    exportFields: makeExportFields({ store: store.fields, pool }),
    blobs,
  },
  tasks: { tasks },
  recipes: makeRecipes({ ...unlimitedRecipes, store: makeMemoryRecipes().store }),
  records: [readerRecord, otherRecord],
});

const feature = (id: number, properties: object = {}) => {
  const [west, south] = [(id % 300) / 10, Math.floor(id / 300) / 10];
  const ring = [
    [west, south],
    [west + 0.01, south],
    [west + 0.01, south + 0.01],
    [west, south + 0.01],
    [west, south],
  ];
  return { type: 'Feature', id, properties, geometry: { type: 'Polygon', coordinates: [ring] } };
};
const collection = (ids: readonly number[], properties: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', features: ids.map((id) => feature(id, properties)) });

const send = (query: string, body: string, init: RequestInit & { key?: string } = {}) =>
  call(`/api/fields/import${query}`, { method: 'POST', body, ...init });

interface Report {
  readonly rows: number;
  readonly created: number;
  readonly unchanged: number;
  readonly report: readonly { readonly row: number; readonly status: string; readonly code: string | null }[];
}

/** What lies in the folder of results, staged files included. */
const listFiles = (): readonly string[] =>
  listLiveFiles(join(directory, 'results')).map((path) => basename(path));

test('a small file is imported at once, for its key alone, and leaves no file behind', async () => {
  const response = await send('?group=Small', collection([1, 2]), {
    headers: { 'content-type': 'application/geo+json' },
  });
  assert.equal(response.status, 200, await response.clone().text());
  const report = (await response.json()) as Report;
  assert.deepEqual([report.rows, report.created, report.report.length], [2, 2, 2]);
  const again = (await (await send('?group=Small', collection([1, 2]))).json()) as Report;
  assert.equal(again.unchanged, 2);
  assert.equal(await fields.count({ owner: 'o1' }), 0);
  assert.equal((await send('', collection([1]), { key: READER_KEY })).status, 403);
  const files = listFiles();
  assert.deepEqual(
    files.filter((name) => /upload|rows|export/.test(name)),
    [],
  );
});

test('an unreadable file is refused as a whole, with the reason', async () => {
  for (const [query, body, status, code] of [
    ['', '', 400, 'no-body'],
    ['?format=geojson', 'not a file', 400, 'bad-shape-file'],
    ['', 'neither this nor that', 400, 'no-shapes'],
    ['?format=pdf', '{}', 400, 'bad-format'],
  ] as const) {
    const response = await send(query, body);
    assert.deepEqual([response.status, (await readError(response)).code], [status, code], query);
  }
});

test('a long file becomes a task, which can be killed and restarted', async () => {
  const ids = Array.from({ length: 2_500 }, (_, i) => i + 10);
  const body = collection(ids, { farm: 'Long' });
  const ordered = await send('?reference=mine', body, { key: OTHER_KEY });
  assert.equal(ordered.status, 202, await ordered.clone().text());
  const { task_id: id } = (await ordered.json()) as { task_id: string };
  assert.equal(await fields.count({ owner: 'o1' }), 0);
  const twice = (await (await send('?reference=mine', body, { key: OTHER_KEY })).json()) as {
    task_id: string;
  };
  assert.equal(twice.task_id, id, 'the same file under the same reference is the same task');
  assert.deepEqual(listFiles().filter((name) => name.includes('upload')).length, 1);

  const [leased] = await store.tasks.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  const { task } = leased ?? assert.fail('the task is not queued');
  const stop = new AbortController();
  const killed = kind.run(task, {
    storeKey: `${id}.1`,
    signal: stop.signal,
    reportProgress({ done }) {
      if (done >= 400) stop.abort(new Error('killed'));
    },
  });
  await assert.rejects(killed);
  const partly = await fields.count({ owner: 'o1' });
  assert.ok(partly >= 400 && partly < 2_500, `${partly} fields`);
  const output = await kind.run(task, {
    storeKey: `${id}.2`,
    signal: new AbortController().signal,
    reportProgress: () => {},
  });
  assert.ok(output.kind === 'file');
  const chunks: Uint8Array[] = [];
  for await (const chunk of await blobs.read(output.blobKey, null)) chunks.push(chunk);
  const report = JSON.parse(Buffer.concat(chunks).toString()) as Report;
  assert.deepEqual([report.rows, report.created + report.unchanged], [2_500, 2_500]);
  assert.equal(report.unchanged, partly);
  assert.equal(await fields.count({ owner: 'o1', group: 'Long' }), 2_500);
});

test('an export contains the selected fields in the requested format', async () => {
  const read = async (query: string) => {
    const response = await call(`/api/fields/export${query}`);
    assert.equal(response.status, 200, await response.clone().text());
    return { headers: response.headers, text: await response.text() };
  };
  const { headers, text } = await read('?group=Small');
  assert.equal(headers.get('content-type'), 'application/geo+json');
  assert.match(headers.get('content-disposition') ?? '', /fields\.geojson/);
  const { features } = JSON.parse(text) as { features: { properties: Record<string, unknown> }[] };
  assert.deepEqual(features.map(({ properties }) => properties.external_id).sort(), ['1', '2']);
  const again = (await (await send('', text)).json()) as Report;
  assert.equal(again.unchanged, 2, 'an import of the export');
  const csv = await read('?group=Small&format=csv');
  assert.equal(csv.text.trim().split('\n').length, 3);
  assert.deepEqual(JSON.parse((await read('?group=None')).text).features, []);
  assert.equal((await call('/api/fields/export?format=pdf')).status, 400);
  assert.deepEqual(
    listFiles().filter((name) => name.includes('export')),
    [],
    'no file is left behind',
  );
});

test('a key can import or export only one file at a time', async () => {
  const both = await Promise.all([send('', collection([1])), send('', collection([2]))]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 503]);
  const exports = await Promise.all([1, 2].map(() => call('/api/fields/export?group=Small')));
  assert.deepEqual(exports.map(({ status }) => status).sort(), [200, 503]);
  for (const response of exports) await response.arrayBuffer();
  const theirs = await Promise.all([
    call('/api/fields/export?group=Small'),
    call('/api/fields/export?group=None', { key: OTHER_KEY }),
  ]);
  assert.deepEqual(
    theirs.map(({ status }) => status),
    [200, 200],
  );
  for (const response of theirs) await response.arrayBuffer();
});

test('a shared group is a GeoJSON file without a key', async () => {
  const body = JSON.stringify({ group: 'Small', public: true });
  const shared = await call('/api/fields/groups', { method: 'PATCH', body });
  const { token } = ((await shared.json()) as { public: { token: string } }).public;
  const response = await call(`/api/public/${token}/fields.geojson`, { key: null });
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { features: unknown[] }).features.length, 2);
});
