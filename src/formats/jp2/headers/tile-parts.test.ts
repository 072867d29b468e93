import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteSource } from '../../../sources/index.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { makeJp2Decoder } from '../openjpeg.ts';
import { openJp2 } from '../reader/jp2-reader.ts';
import { readLevel } from '../testing/read-level.ts';
import { LONG_PARTS, makeLongParts, splitParts, tinyCodestream } from '../testing/tiny-jp2.ts';

const decoder = makeJp2Decoder();
const { head, parts } = splitParts(tinyCodestream);
const eoc = Buffer.from([0xff, 0xd9]);

const open = (bytes: Uint8Array) => openJp2(makeMemorySource(bytes));
const read = async (bytes: Uint8Array) => (await readLevel(await open(bytes), 0, decoder))[0]!;

/** A TLM segment: number, sizes of its fields, then tile number and length of each part. */
function toTlm(number: number, entries: readonly (readonly [tile: number | null, length: number])[]): Buffer {
  const withTiles = entries[0]?.[0] !== null;
  const rows = entries.map(([tile, length]) => {
    const row = Buffer.alloc(withTiles ? 6 : 4);
    if (tile !== null) row.writeUInt16BE(tile, 0);
    row.writeUInt32BE(length, row.length - 4);
    return row;
  });
  const segment = Buffer.concat([Buffer.from([0xff, 0x55, 0, 0, number, withTiles ? 0x60 : 0x40]), ...rows]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

const withTables = (...tables: readonly Buffer[]) => Buffer.concat([head, ...tables, ...parts, eoc]);
const lengths = parts.map(({ length }) => length);

test('a table of lengths gives the same index as a walk, whatever the order of its segments', async () => {
  const entries = lengths.map((length, tile) => [tile, length] as const);
  const whole = withTables(toTlm(0, entries));
  const split = withTables(toTlm(1, entries.slice(2)), toTlm(0, entries.slice(0, 2)));
  const bare = withTables(
    toTlm(
      0,
      lengths.map((length) => [null, length] as const),
    ),
  );
  const right = await read(tinyCodestream);
  for (const bytes of [whole, split, bare]) {
    const jp2 = await open(bytes);
    const first = bytes.length - 2 - lengths.reduce((sum, length) => sum + length, 0);
    let offset = first;
    for (const [tile, length] of lengths.entries()) {
      assert.deepEqual(jp2.tileParts[tile], [{ offset, length }]);
      offset += length;
    }
    assert.deepEqual(await read(bytes), right);
  }
});

test('a table that does not match the file is ignored', async () => {
  const right = await read(tinyCodestream);
  const entries = lengths.map((length, tile) => [tile, length] as const);
  for (const table of [
    toTlm(0, entries.slice(1)),
    toTlm(0, [...entries, [0, 20]]),
    toTlm(
      0,
      entries.map(([, length]) => [60_000, length]),
    ),
    toTlm(
      0,
      entries.map(([tile]) => [tile, 2 ** 32 - 1]),
    ),
    toTlm(
      0,
      entries.map(([tile]) => [tile, 0]),
    ),
    Buffer.from([0xff, 0x55, 0, 3, 0]),
    Buffer.from([0xff, 0x55, 0, 5, 0, 0x60, 1]),
  ]) {
    assert.deepEqual(await read(withTables(table)), right);
  }
});

test('a table that matches the file but is wrong about its tiles is detected when they are read', async () => {
  const swapped = [1, 0, 2, 3].map((tile, i) => [tile, lengths[i]!] as const);
  await assert.rejects(read(withTables(toTlm(0, swapped))), { code: 'jp2-bad-index' });
  const moved = lengths.map((length, tile) => [tile, length + [3, -3, 0, 0][tile]!] as const);
  await assert.rejects(read(withTables(toTlm(0, moved))), { code: 'jp2-bad-index' });
});

test('the last part may leave its length open', async () => {
  const last = Buffer.from(parts.at(-1)!);
  last.writeUInt32BE(0, 6);
  const bytes = Buffer.concat([head, ...parts.slice(0, -1), last, eoc]);
  assert.deepEqual(await read(bytes), await read(tinyCodestream));
});

test('tiles may be in any order', async () => {
  const bytes = Buffer.concat([head, ...[...parts].reverse(), eoc]);
  assert.deepEqual(await read(bytes), await read(tinyCodestream));
});

test('a missing tile is an error when the file is opened', async () => {
  await assert.rejects(open(Buffer.concat([head, ...parts.slice(1), eoc])), { code: 'jp2-bad-header' });
});

/** A tile-part of this many bytes, all of them empty packets after its head. */
const toPart = (part: Uint8Array, length: number): Buffer => {
  const longer = Buffer.alloc(length);
  longer.set(part.subarray(0, 14));
  longer.writeUInt32BE(length, 6);
  return longer;
};

/** A file of parts of that length, after a comment that leaves none of them in the first read. */
const withParts = (length: number, toTables: (lengths: readonly number[]) => readonly Buffer[]): Buffer => {
  const comment = Buffer.alloc(65_537);
  comment.set([0xff, 0x64, 0xff, 0xff]);
  const longer = parts.map((part) => toPart(part, length));
  return Buffer.concat([head, ...toTables(longer.map((part) => part.length)), comment, ...longer, eoc]);
};

test('with a table of lengths nothing is read after the main header', async () => {
  const entries = lengths.map((length, tile) => [tile, length] as const);
  const source = makeMemorySource(withTables(toTlm(0, entries)));
  await openJp2(source);
  assert.equal(source.reads.length, 1);
  const long = makeMemorySource(
    withParts(100_000, (all) => [
      toTlm(
        0,
        all.map((length, tile) => [tile, length] as const),
      ),
    ]),
  );
  await openJp2(long);
  assert.ok(long.reads.every(([offset]) => offset < 70_000));
});

test('without a table, long parts are read by their heads only, and short ones at once', async () => {
  const long = makeMemorySource(withParts(100_000, () => []));
  const jp2 = await openJp2(long);
  const offsets = jp2.tileParts.map(([part]) => part!.offset);
  assert.deepEqual(
    long.reads.slice(-3),
    offsets.slice(1).map((offset) => [offset, 12]),
  );
  const short = makeMemorySource(withParts(3_000, () => []));
  await openJp2(short);
  // the first part is reached by a read of its own, and shows that the others are short
  assert.ok(short.reads.length <= long.reads.length - 2, JSON.stringify(short.reads));
});

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

test('parts of a remote file are searched from several positions at once, with fewer bytes', async () => {
  const bytes = makeLongParts();
  const { source, counts, reads } = makeRemote(bytes);
  const remote = await openJp2(source);
  const near = await openJp2({ ...makeMemorySource(bytes), isNear: true });
  assert.deepEqual(remote.tileParts, near.tileParts);
  assert.ok(counts.most >= 5, `${counts.most} reads at once`);
  const after = reads.slice(1).reduce((sum, [, length]) => sum + length, 0);
  assert.ok(after < LONG_PARTS * 4_096, `${after} bytes`);
});

test('bytes that look like a head are not followed', async () => {
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

test('a truncated file is refused, and a failed read is reported', async () => {
  const bytes = makeLongParts();
  await assert.rejects(openJp2(makeRemote(bytes.subarray(0, 500_000)).source), { code: 'jp2-truncated' });
  const { source } = makeRemote(bytes);
  const read: ByteSource['read'] = (offset, ...rest) =>
    offset > 300_000 ? Promise.reject(new Error('gone')) : source.read(offset, ...rest);
  await assert.rejects(openJp2({ ...source, read }), { message: 'gone' });
});
