import assert from 'node:assert/strict';
import { makeTinyJp2, splitParts } from './tiny-jp2.ts';

/** Tile-parts of the file. */
export const LONG_PARTS = 60;

/** A file with parts of 10 to 30 kB, each of a length of its own; `fill` stands in all of them. */
export function makeLongParts(fill = new Uint8Array()): Buffer {
  const { head, parts } = splitParts(makeTinyJp2({ width: 640, height: 384, tileSide: 64 }));
  assert.equal(parts.length, LONG_PARTS);
  const longer = parts.map((part, tile) => {
    const bytes = Buffer.alloc(10_000 + ((tile * 7_919) % 20_000));
    bytes.set(part);
    bytes.set(fill, 2_000);
    bytes.writeUInt32BE(bytes.length, 6);
    return bytes;
  });
  return Buffer.concat([head, ...longer, Buffer.from([0xff, 0xd9])]);
}
