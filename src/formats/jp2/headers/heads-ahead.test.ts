import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteSource } from '../../../sources/index.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { openJp2 } from '../reader/jp2-reader.ts';
import { LONG_PARTS, makeLongParts } from '../testing/long-parts.ts';

/** Answers later, and counts how many reads wait at the same time. */
function makeRemote(bytes: Uint8Array) {
  const memory = makeMemorySource(bytes);
  const counts = { inFlight: 0, most: 0 };
  const source: ByteSource = {
    ...memory,
    async read(offset, length, signal) {
      counts.most = Math.max(counts.most, ++counts.inFlight);
      await new Promise(setImmediate);
      counts.inFlight--;
      return memory.read(offset, length, signal);
    },
  };
  return { source, counts, reads: memory.reads };
}

test('parts of a remote file are found from several positions at once, with fewer bytes', async () => {
  const bytes = makeLongParts();
  const { source, counts, reads } = makeRemote(bytes);
  const remote = await openJp2(source);
  const near = await openJp2({ ...makeMemorySource(bytes), isNear: true });
  assert.deepEqual(remote.tileParts, near.tileParts);
  assert.ok(counts.most >= 5, `${counts.most} reads at once`);
  const after = reads.slice(1).reduce((sum, [, length]) => sum + length, 0);
  assert.ok(after < LONG_PARTS * 4_096, `${after} bytes`);
});

test('bytes that look like a head lead nowhere', async () => {
  const parts = [
    [0xff, 0x90, 0, 10, 0, 7, 0, 0, 0, 14, 0, 1],
    [0xff, 0x90, 0, 10, 0, 7, 0, 0, 0, 0, 0, 1],
    [0xff, 0x90, 0, 10, 255, 255, 255, 255, 255, 255, 255, 255],
  ];
  for (const fill of parts) {
    const bytes = makeLongParts(Uint8Array.from(fill));
    const remote = await openJp2(makeRemote(bytes).source);
    const near = await openJp2({ ...makeMemorySource(bytes), isNear: true });
    assert.deepEqual(remote.tileParts, near.tileParts);
  }
});

test('a file that is cut off is refused, and a failed read is told', async () => {
  const bytes = makeLongParts();
  await assert.rejects(openJp2(makeRemote(bytes.subarray(0, 500_000)).source), { code: 'jp2-truncated' });
  const { source } = makeRemote(bytes);
  const read: ByteSource['read'] = (offset, ...rest) =>
    offset > 300_000 ? Promise.reject(new Error('gone')) : source.read(offset, ...rest);
  await assert.rejects(openJp2({ ...source, read }), { message: 'gone' });
});
