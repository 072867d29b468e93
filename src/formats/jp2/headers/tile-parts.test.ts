import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemorySource } from '../../tiff/testing/memory-source.ts';
import { makeJp2Decoder } from '../openjpeg/openjpeg-decoder.ts';
import { openJp2 } from '../reader/jp2-reader.ts';
import { readLevel } from '../testing/read-level.ts';
import { splitParts, tinyCodestream } from '../testing/tiny-jp2.ts';

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

test('a table of lengths gives the same index as the walk, whatever the order of its segments', async () => {
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

test('a table that does not fit the file is left aside', async () => {
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

test('a table that fits the file and lies about its tiles is found out when they are read', async () => {
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
