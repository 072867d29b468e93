import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { makeReportKind } from './kinds.ts';
import type { OrderedTask } from './task.ts';

/** A store of one file that writes down what happens to it. */
async function openBlobs(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'swath-file-kinds-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const calls: string[] = [];
  return {
    calls,
    stage: async (key: string) => ({
      path: join(folder, 'file'),
      async publish({ contentType }: { readonly contentType: string }) {
        calls.push(`publish ${key} ${contentType} ${await readFile(join(folder, 'file'), 'utf8')}`);
        return { bytes: 7, etag: '"e"', modifiedAtMs: 0 };
      },
      async discard() {
        calls.push(`discard ${key}`);
      },
    }),
    async remove(key: string) {
      calls.push(`remove ${key}`);
    },
    identify: async () => 'store 1',
  };
}

const task = { id: 'task', owner: 'key 1', kind: 'report', order: {}, area: null } as unknown as OrderedTask;

test('the file of a task is published when it is complete, and removed when it is no longer wanted', async (t) => {
  const blobs = await openBlobs(t);
  const kind = makeReportKind({
    blobs,
    fileName: 'report.json',
    make: async (_, { ticket: { owner, lane } }) => ({ owner, lane }),
  });
  const { signal } = new AbortController();
  const output = await kind.run(task, { storeKey: 'key', signal, reportProgress() {} });
  const contentType = 'application/json';
  const file = {
    kind: 'file',
    blobKey: 'key',
    storeId: 'store 1',
    fileName: 'report.json',
    contentType,
  } as const;
  assert.deepEqual(output, { ...file, bytes: 7, etag: '"e"' });
  await kind.discard({ ...file, bytes: 7, etag: '"e"' });
  const report = '{\n  "owner": "key 1",\n  "lane": "task"\n}\n';
  assert.deepEqual(blobs.calls, [`publish key ${contentType} ${report}`, 'remove key']);
});

test('a file that could not be written, or is no longer wanted, is discarded', async (t) => {
  const failing = await openBlobs(t);
  const broken = new Error('the scene is damaged');
  const work = { storeKey: 'key', reportProgress() {} };
  const { signal } = new AbortController();
  const fails = makeReportKind({ blobs: failing, fileName: 'r', make: () => Promise.reject(broken) });
  await assert.rejects(fails.run(task, { ...work, signal }), broken);
  assert.deepEqual(failing.calls, ['discard key']);
  const cancelled = await openBlobs(t);
  const cancel = new AbortController();
  const late = makeReportKind({
    blobs: cancelled,
    fileName: 'r',
    async make() {
      cancel.abort();
      return {};
    },
  });
  await assert.rejects(late.run(task, { ...work, signal: cancel.signal }), { name: 'AbortError' });
  assert.deepEqual(cancelled.calls, ['discard key']);
});
