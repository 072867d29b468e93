import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { loadKernels } from '../raster/index.ts';
import { encodePngStrip, toPngStripsEnd, toPngStripsHead } from './png.ts';
import { readPng } from './testing/read-png.ts';

const kernels = loadKernels();

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

function encodeStrips({ width, height, rgba }: Picture, stripRows: number): Uint8Array {
  const count = Math.ceil(height / stripRows);
  const strips = Array.from({ length: count }, (_, i) => {
    const rows = Math.min(stripRows, height - i * stripRows);
    const allocate = kernels.begin();
    const rgbaAt = allocate(width * rows * 4);
    const from = i * stripRows * width * 4;
    new Uint8Array(kernels.buffer()).set(rgba.subarray(from, from + width * rows * 4), rgbaAt);
    const isLast = i + 1 === count;
    return encodePngStrip(kernels, allocate, { rgbaAt, width, height: rows, isLast });
  });
  const chunks = strips.map(({ bytes }) => bytes);
  return Buffer.concat([toPngStripsHead({ width, height }), ...chunks, toPngStripsEnd(strips)]);
}

const decode = (bytes: Uint8Array): Promise<Buffer> => sharp(bytes, { failOn: 'warning' }).raw().toBuffer();

type Paint = (i: number, seed: number) => number;
const noise: Paint = (i, seed) => Math.imul(i + seed, 0x9e3779b1) >>> 24;
const PAINTS: Readonly<Record<string, Paint>> = {
  noise,
  flat: (i) => (i % 4 === 3 ? 255 : 7),
  empty: () => 0,
  land: (i, seed) => (i % 4 === 3 ? 255 : 80 + ((i >> 7) & 63) + (noise(i, seed) & 15)),
};

for (const [name, toByte] of Object.entries(PAINTS)) {
  test(`${name}: a PNG of strips has the pixels of the picture, and valid checksums`, async () => {
    const size = fc.integer({ min: 1, max: 150 });
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        fc.integer({ min: 1, max: 64 }),
        fc.nat(),
        async (width, height, rows, seed) => {
          const rgba = new Uint8Array(width * height * 4).map((_, i) => toByte(i, seed));
          const file = encodeStrips({ width, height, rgba }, rows);
          assert.equal(Buffer.compare(readPng(file).samples, rgba), 0);
          assert.ok((await decode(file)).equals(rgba), 'in another decoder');
        },
      ),
      { numRuns: 25 },
    );
  });
}

test('a wrong checksum of one strip is noticed', () => {
  const rgba = new Uint8Array(40 * 40 * 4).map((_, i) => noise(i, 1));
  const file = encodeStrips({ width: 40, height: 40, rgba }, 16);
  const wrong = toPngStripsEnd([{ sum: 1, filteredBytes: 0 }]);
  assert.throws(() => readPng(Buffer.concat([file.subarray(0, -wrong.length), wrong])), /data check/);
});
