import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

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
