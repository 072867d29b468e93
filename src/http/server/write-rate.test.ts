import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp, OTHER_KEY, otherRecord, readError, TEST_KEY } from '../testing/make-test-app.ts';

const REF = '0'.repeat(32);

function makeWrites(ownRate: number | null = null) {
  let nowMs = 0;
  const [hash, record] = otherRecord;
  const { call } = makeTestApp({
    areas: { create: async () => REF, remove: async () => true, find: async () => null },
    writesPerMinute: 3,
    records: [[hash, { ...record, ratePerMinute: ownRate }]],
    nowMs: () => nowMs,
  });
  return {
    store: (key = TEST_KEY) => call('/api/render/cropper', { method: 'POST', body: '{}', key }),
    remove: (key = TEST_KEY) => call(`/api/render/cropper/${REF}`, { method: 'DELETE', key }),
    read: (key = TEST_KEY) => call(`/api/render/cropper/${REF}`, { key }),
    passMs(ms: number) {
      nowMs += ms;
    },
  };
}

const remaining = ({ headers }: Response) => headers.get('ratelimit-remaining');

test('writes of all routes are counted together, by key, and refused past the limit for a minute', async () => {
  const { store, remove, read, passMs } = makeWrites();
  assert.equal(remaining(await store()), '2');
  assert.equal(remaining(await remove()), '1');
  passMs(20_000);
  assert.equal(remaining(await store()), '0');
  const refused = await remove();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal(refused.headers.get('ratelimit-limit'), '3');
  assert.equal(refused.headers.get('ratelimit-remaining'), '0');
  assert.equal(refused.headers.get('ratelimit-reset'), '40');
  const { code, error } = await readError(refused);
  assert.equal(code, 'write-rate-limited');
  assert.match(error, /limit of 3 writes per minute/);
  assert.equal((await store(OTHER_KEY)).status, 200, 'another key');
  const reading = await read();
  assert.deepEqual([reading.status, remaining(reading)], [404, null], 'reads are not counted');
  passMs(40_000);
  assert.equal((await store()).status, 200);
});

test("a key's own rate holds beside, and answers tell the one with less left", async () => {
  const { store, read } = makeWrites(4);
  assert.equal(remaining(await store(OTHER_KEY)), '2');
  await read(OTHER_KEY);
  const write = await store(OTHER_KEY);
  assert.deepEqual([remaining(write), write.headers.get('ratelimit-limit')], ['1', '4']);
  await read(OTHER_KEY);
  assert.equal((await readError(await store(OTHER_KEY))).code, 'rate-limited');
});
