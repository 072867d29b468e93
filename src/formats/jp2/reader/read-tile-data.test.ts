import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import type { PixelArray } from '../../../raster/index.ts';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { makeJp2Decoder } from '../openjpeg.ts';
import { readLevel } from '../testing/read-level.ts';
import {
  changePartHeaders,
  packetFiles,
  readPacketFile,
  splitParts,
  withoutLengths,
} from '../testing/tiny-jp2.ts';
import { openJp2 } from './jp2-reader.ts';
import { listFirstRanges, makeTileHabits } from './read-tile-data.ts';
import { readJp2Tile } from './tile-reader.ts';

const decoder = makeJp2Decoder();
/** Tiles are small here: any saving is worth a part. */
const anyPart = () => makeTileHabits({ atOnce: 0, inTwo: 0 });
const neverPart = () => makeTileHabits({ atOnce: Infinity, inTwo: Infinity });

async function open(bytes: Uint8Array) {
  const source = makeMemorySource(bytes);
  const jp2 = await openJp2(source);
  const opened = source.reads.length;
  return { jp2, reads: () => source.reads.slice(opened) };
}

const read = async (bytes: Uint8Array, level: number, habits = anyPart()): Promise<PixelArray[]> =>
  readLevel((await open(bytes)).jp2, level, decoder, habits);

const sum = (reads: readonly (readonly [number, number])[]) =>
  reads.reduce((total, [, length]) => total + length, 0);

for (const name of packetFiles) {
  for (const [kind, bytes] of [
    ['with lengths', readPacketFile(name)],
    ['without lengths', withoutLengths(readPacketFile(name))],
  ] as const) {
    test(`${name} ${kind}: each level has the pixels of the whole tiles`, async () => {
      const { jp2 } = await open(bytes);
      for (let level = 0; level < jp2.resolutions; level++) {
        const whole = await read(bytes, level, neverPart());
        assert.deepEqual(await read(bytes, level), whole, `level ${level}`);
      }
    });
  }

  test(`${name}: the packets of a level are read, and little more`, async () => {
    const bytes = readPacketFile(name);
    const first = { level: 2, column: 0, row: 0 };
    const isInFront = ['LRCP-1', 'RLCP-1', 'RPCL-1'].includes(name);
    const { jp2, reads } = await open(bytes);
    const tileBytes = jp2.tileParts[0]![0]!.length;
    await readJp2Tile(jp2, first, { decoder, habits: anyPart() });
    assert.ok(sum(reads()) < tileBytes * 0.6, `${sum(reads())} of ${tileBytes} bytes`);
    if (isInFront) assert.equal(reads().length, 1);
    // Without lengths, packets of other resolutions in between cannot be skipped unread.
    const bare = await open(withoutLengths(bytes));
    await readJp2Tile(bare.jp2, first, { decoder, habits: anyPart() });
    if (isInFront) assert.ok(sum(bare.reads()) < tileBytes * 0.6, `${sum(bare.reads())} bytes`);
    assert.ok(sum(bare.reads()) <= tileBytes);
  });
}

for (const name of packetFiles) {
  test(`${name}: the first ranges of a tile are known before it is read`, async () => {
    for (let level = 0; level < 3; level++) {
      for (const makeHabits of [anyPart, neverPart]) {
        const { jp2, reads } = await open(readPacketFile(name));
        const ranges = listFirstRanges(jp2, { tile: 0, level }, makeHabits());
        await readJp2Tile(jp2, { level, column: 0, row: 0 }, { decoder, habits: makeHabits() });
        const expected = ranges.map(({ offset, length }) => [offset, length]);
        assert.deepEqual(reads().slice(0, ranges.length), expected, `level ${level}`);
      }
    }
  });
}

test('the next tile is read as far as the last one was needed', async () => {
  const { jp2, reads } = await open(readPacketFile('RPCL-1'));
  const habits = anyPart();
  const first = { level: 2, column: 0, row: 0 };
  await readJp2Tile(jp2, first, { decoder, habits });
  await readJp2Tile(jp2, first, { decoder, habits });
  const [[, before], [, after]] = reads() as [[number, number], [number, number]];
  assert.ok(after < before, `${after} bytes after ${before}`);
});

test('a guess that is too short is followed by a read of the rest, and the pixels are the same', async () => {
  for (const bytes of [readPacketFile('RPCL-1'), withoutLengths(readPacketFile('RPCL-1'))]) {
    for (const level of [1, 2]) {
      const { jp2, reads } = await open(bytes);
      const habits = { ...anyPart(), guess: () => 60 };
      const tile = await readJp2Tile(jp2, { level, column: 0, row: 0 }, { decoder, habits });
      assert.ok(reads().length > 1);
      const ranges = reads().toSorted(([a], [b]) => a - b);
      ranges.slice(1).forEach(([start], i) => {
        assert.ok(start >= ranges[i]![0] + ranges[i]![1], 'bytes are read twice');
      });
      const whole = await readJp2Tile(jp2, { level, column: 0, row: 0 }, { decoder, habits: neverPart() });
      assert.deepEqual(tile, whole);
    }
  }
});

test('resolutions in separate parts are read exactly', async () => {
  const bytes = readFileSync(new URL('../../../../test/golden/jp2/tile-parts.j2k', import.meta.url));
  const { jp2, reads } = await open(bytes);
  const parts = jp2.tileParts[0]!;
  assert.equal(parts.length, 3);
  for (const [level, count] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const before = reads().length;
    await readJp2Tile(jp2, { level, column: 0, row: 0 }, { decoder, habits: anyPart() });
    const needed = parts.slice(0, count).map(({ offset, length }) => [offset, length]);
    assert.deepEqual(reads().slice(before), needed);
  }
});

test('small tiles and the full resolution are read as a whole, in one request', async () => {
  const { jp2, reads } = await open(readPacketFile('RPCL-1'));
  const { offset, length } = jp2.tileParts[0]![0]!;
  await readJp2Tile(jp2, { level: 2, column: 0, row: 0 }, { decoder });
  await readJp2Tile(jp2, { level: 0, column: 0, row: 0 }, { decoder, habits: anyPart() });
  assert.deepEqual(reads(), [
    [offset, length],
    [offset, length],
  ]);
});

test('wrong packet lengths never change a pixel', async () => {
  const right = [1, 2, 3].map((level) => read(readPacketFile('RPCL-1'), level, neverPart()));
  for (const name of ['RPCL-1', 'PCRL-1'] as const) {
    const lies: ((table: Buffer) => Buffer)[] = [
      (table) => table.subarray(0, -1),
      (table) => Buffer.concat([table, Buffer.of(1)]),
      (table) => Buffer.concat([table.subarray(0, 5), Buffer.from(table.subarray(5)).reverse()]),
      (table) => Buffer.concat([table.subarray(0, 5), table.subarray(6), Buffer.of(1)]),
      (table) => Buffer.concat([table.subarray(0, 5), Buffer.alloc(table.length - 5, 1)]),
      (table) => Buffer.concat([table.subarray(0, 5), Buffer.alloc(table.length - 5, 0x7f)]),
    ];
    for (const [i, lie] of lies.entries()) {
      const bytes = changePartHeaders(readPacketFile(name), (segments) =>
        segments.map((segment) => {
          const table = Buffer.from(lie(segment));
          table.writeUInt16BE(table.length - 2, 2);
          return table;
        }),
      );
      for (const level of [1, 2, 3]) {
        assert.deepEqual(await read(bytes, level), await right[level - 1], `${name} lie ${i} level ${level}`);
      }
    }
  }
});

test('a tile whose data end early is an error, or has the right pixels if none of them are missing', async () => {
  const whole = readPacketFile('LRCP-1');
  const { head, parts } = splitParts(whole);
  const level = 2;
  const right = await read(whole, level);
  let wrong = 0;
  for (let length = 60; length < parts[0]!.length; length += 97) {
    const cut = Buffer.from(parts[0]!.subarray(0, length));
    cut.writeUInt32BE(cut.length, 6);
    const bytes = Buffer.concat([head, cut, ...parts.slice(1), Buffer.from([0xff, 0xd9])]);
    try {
      assert.deepEqual(await read(bytes, level), right, `${length} bytes`);
    } catch (error) {
      assert.ok(isSwathError(error) && error.tag === 'source-broken', `${length} bytes: ${error}`);
      wrong++;
    }
  }
  assert.ok(wrong > 0);
});
