import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { makeReadOutlines } from './read-outlines.ts';

test('a mask of 15 MiB is read in little more memory than its text', async () => {
  const worker = new Worker(new URL('testing/read-large-mask.ts', import.meta.url), {
    // The text is 15 of them and the program some ten; all features at once took a hundred.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  const [{ size, edges, wanted }] = await once(worker, 'message');
  assert.ok(size > 14 * 2 ** 20 && size < 16 * 2 ** 20, `${size}`);
  assert.equal(edges, wanted);
  await worker.terminate();
});

test('a mask that is not the one of the plan is not read', async () => {
  const text = new TextEncoder().encode('<gml/>');
  const source = {
    id: 'a.gml',
    version: 'now',
    size: text.length,
    read: async () => text,
    close: async () => {},
  };
  const readOutlines = makeReadOutlines(async () => source);
  const wanted = { kind: 'polygons', href: 'a.gml', epsg: 32631, warp: null, sceneVersion: 'v' } as const;
  const { signal } = new AbortController();
  await assert.rejects(readOutlines({ ...wanted, stamp: 'before' }, signal), { code: 'source-changed' });
  for (const stamp of [{ stamp: 'now' }, {}]) {
    const { opaque } = await readOutlines({ ...wanted, ...stamp }, signal).catch(
      (error: { code: string }) => {
        assert.notEqual(error.code, 'source-changed');
        return { opaque: [] };
      },
    );
    assert.deepEqual(opaque, []);
  }
});
