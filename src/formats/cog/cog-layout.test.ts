import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { planCogLayout } from './cog-layout.ts';
import type { CogOptions } from './plan-cog.ts';
import { planCog } from './plan-cog.ts';

const options: CogOptions = {
  width: 1024,
  height: 1024,
  bandCount: 1,
  type: 'uint8',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: null,
  compression: 'none',
  predictor: 1,
};

/** Sizes that make a classic file exactly `fileBytes` long; nothing of that size is written. */
function sizesFor(fileBytes: number): Uint32Array[] {
  const sizes = [new Uint32Array(4).fill(100), new Uint32Array(1).fill(100)];
  const missing = fileBytes - planCogLayout(planCog(options), sizes).fileBytes;
  sizes[0]!.forEach((size, i) => {
    sizes[0]![i] = size + Math.floor(missing / 4) + (i === 0 ? missing % 4 : 0);
  });
  return sizes;
}

test('a file of 2³² − 1 bytes is still classic, one more byte makes it a BigTIFF', () => {
  const plan = planCog(options);
  const fits = planCogLayout(plan, sizesFor(2 ** 32 - 1));
  assert.equal(fits.fileBytes, 2 ** 32 - 1);
  assert.equal(fits.bigTiff, false);
  assert.equal(fits.head[2], 42);
  const tooLong = planCogLayout(plan, sizesFor(2 ** 32));
  assert.equal(tooLong.bigTiff, true);
  assert.equal(tooLong.head[2], 43);
  assert.ok(tooLong.fileBytes > 2 ** 32);
});

test('a file that must be classic and cannot is refused', () => {
  assert.throws(
    () => planCogLayout(planCog({ ...options, bigTiff: 'no' }), sizesFor(2 ** 32)),
    (error) => isSwathError(error) && error.tag === 'too-large' && error.code === 'classic-tiff-too-large',
  );
});

test('the ghost area states its own size and the layout', () => {
  for (const [bands, line] of [
    [1, ''],
    [3, 'INTERLEAVE=BAND\n'],
  ] as const) {
    const plan = planCog({ ...options, bandCount: bands, interleave: 'band' });
    const { head } = planCogLayout(plan, [
      new Uint32Array(4 * bands).fill(9),
      new Uint32Array(bands).fill(9),
    ]);
    const expected = `LAYOUT=IFDS_BEFORE_DATA
BLOCK_ORDER=ROW_MAJOR
BLOCK_LEADER=SIZE_AS_UINT4
BLOCK_TRAILER=LAST_4_BYTES_REPEATED
${line}KNOWN_INCOMPATIBLE_EDITION=NO
 `;
    const size = String(expected.length).padStart(6, '0');
    const text = `GDAL_STRUCTURAL_METADATA_SIZE=${size} bytes\n${expected}`;
    assert.equal(Buffer.from(head).toString('latin1', 8, 8 + text.length), text);
    assert.equal(new DataView(head.buffer).getUint32(4, true), 8 + text.length + (text.length % 2));
  }
});
