import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unavailable } from '../errors.ts';
import { makeFolderObjects } from './folder-objects.ts';
import type { ObjectStore } from './object-store.ts';
import { makeSharedResults } from './shared-results.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-shared-'));
after(() => rmSync(scratch, { recursive: true }));

type Objects = Pick<ObjectStore, 'read' | 'put'>;

/** A node over objects; what fails is counted. A read is late only where a test has it wait for ever. */
function makeNode(objects: Objects, deadlineMs = 1_800_000) {
  const clock = { nowMs: 0 };
  const failures: unknown[] = [];
  const results = makeSharedResults({
    objects,
    toKey: async (name) => `aa/${name}`,
    nowMs: () => clock.nowMs,
    onFailure: (error) => failures.push(error),
    deadlineMs,
  });
  return { ...results, clock, failures };
}

const bytes = Uint8Array.of(1, 2, 3);

test('a result that one node has stored is found by another', async () => {
  const objects = makeFolderObjects({ folder: join(scratch, 'one') });
  const [first, second] = [makeNode(objects), makeNode(objects)];
  assert.equal(await second.find('a'), null);
  first.store('a', bytes);
  await first.settled();
  assert.deepEqual(await second.find('a'), bytes);
  assert.deepEqual(first.stats(), { hits: 0, misses: 0, late: 0, failed: 0, written: 1, dropped: 0 });
  assert.deepEqual(second.stats(), { hits: 1, misses: 1, late: 0, failed: 0, written: 0, dropped: 0 });
});

test('an object with other bytes than were stored is not served', async () => {
  const objects = makeFolderObjects({ folder: join(scratch, 'altered') });
  const node = makeNode(objects);
  node.store('a', bytes);
  await node.settled();
  const stored = await objects.read('aa/a', { maxBytes: 1_000 });
  assert.ok(stored !== null && stored !== 'same');
  const options = { contentType: 'x', when: 'always' } as const;
  for (const other of [stored.bytes.subarray(0, -1), stored.bytes.subarray(0, 10), new Uint8Array()]) {
    await objects.put('aa/a', other, options);
    assert.equal(await node.find('a'), null);
  }
  assert.deepEqual([node.stats().failed, node.failures.length], [3, 3]);
});

test('a store that does not answer in time is a miss, and is paused after a few of them', async () => {
  let asked = 0;
  const node = makeNode(
    {
      read: () => {
        asked += 1;
        return new Promise(() => {});
      },
      put: async () => 'etag',
    },
    0,
  );
  for (let i = 0; i < 8; i += 1) assert.equal(await node.find('a'), null);
  assert.deepEqual([asked, node.stats().late, node.stats().misses], [5, 5, 3]);
  node.clock.nowMs = 10_000;
  assert.equal(await node.find('a'), null);
  assert.equal(asked, 6, 'one read decides after the pause');
});

test('a failing store fails no request, and results that it cannot accept are dropped', async () => {
  const fail = async () => {
    throw unavailable('source-unavailable', 'away');
  };
  const node = makeNode({ read: fail, put: fail });
  assert.equal(await node.find('a'), null);
  for (let i = 0; i < 6; i += 1) {
    node.store('a', bytes);
    await node.settled();
  }
  node.store('large', new Uint8Array(2 ** 20 + 1));
  assert.deepEqual([node.stats().failed, node.stats().dropped], [1, 7]);
  assert.equal(node.failures.length, 6, 'the sixth write was not tried');
});

test('results that arrive faster than the store accepts them are dropped', async () => {
  const gate = Promise.withResolvers<string>();
  const node = makeNode({ read: async () => null, put: () => gate.promise });
  for (let i = 0; i < 300; i += 1) node.store(`n${i}`, bytes);
  assert.equal(node.stats().dropped, 44);
  gate.resolve('etag');
  await node.settled();
  assert.equal(node.stats().written, 256);
});
