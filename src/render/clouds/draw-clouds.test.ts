import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toRgbaPlanes } from '../../color/index.ts';
import { loadKernels } from '../../raster/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { coverClouds } from './draw-clouds.ts';

const kernels = loadKernels();

/** What a picture of a palette looks like after it was covered, pixel by pixel. */
function cover(indexes: readonly number[], colors: readonly string[], cloud: readonly [number[], string]) {
  const allocate = kernels.begin();
  const indexesAt = allocate(indexes.length);
  new Uint8Array(kernels.buffer(), indexesAt, indexes.length).set(indexes);
  const palette = new Uint8Array(Buffer.from(colors.join(''), 'hex'));
  const isOpaque = indexes.every((index) => colors[index]!.endsWith('ff'));
  const [marks, color] = cloud;
  const deps = { kernels, allocate };
  const covered = coverClouds(
    { indexesAt, palette, isOpaque },
    { marks: Uint8Array.from(marks), color },
    deps,
  );
  const count = indexes.length;
  const isIndexed = 'palette' in covered;
  const planes = isIndexed ? toRgbaPlanes(kernels, allocate, { painted: covered, count }) : covered;
  const rgba = Buffer.from(kernels.buffer(), planes.rgbaAt, 4 * count).toString('hex');
  return { pixels: rgba.match(/.{8}/g) ?? [], isOpaque: covered.isOpaque, isIndexed };
}

const colorsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${(i * 65_793).toString(16).padStart(6, '0')}ff`);

test('with any palette and clouds, marked pixels get the colour, others keep theirs, and opacity is reported correctly', () => {
  const picture = fc
    .integer({ min: 1, max: 256 })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.tuple(fc.nat({ max: count - 1 }), fc.nat({ max: 1 })), { minLength: 1, maxLength: 600 }),
        fc.boolean(),
      ),
    );
  fc.assert(
    fc.property(picture, ([count, pixels, hasHole]) => {
      const colors = colorsOf(count);
      if (hasHole) colors[count - 1] = '00000000';
      const indexes = pixels.map(([index]) => index);
      const marks = pixels.map(([, mark]) => mark);
      const wanted = pixels.map(([index, mark]) => (mark === 1 ? '0a0b0cff' : colors[index]!));
      const { pixels: found, isOpaque } = cover(indexes, colors, [marks, '0a0b0c']);
      assert.deepEqual(found, wanted);
      assert.equal(
        isOpaque,
        wanted.every((pixel) => pixel.endsWith('ff')),
      );
    }),
    { numRuns: casesOf(200) },
  );
});

test('in a palette of 256 colours a covered colour is replaced; if all are visible, the palette is dropped', () => {
  const indexes = Array.from({ length: 257 }, (_, i) => i % 256);
  const colors = colorsOf(256);
  const one = cover(indexes, colors, [indexes.map((_, i) => Number(i === 7)), 'ff0001']);
  assert.ok(one.isIndexed && one.isOpaque);
  assert.equal(one.pixels[7], 'ff0001ff');
  const twice = cover(indexes, colors, [indexes.map((_, i) => Number(i === 256)), 'ff0001']);
  assert.ok(!twice.isIndexed && twice.isOpaque);
  assert.equal(twice.pixels[256], 'ff0001ff');
  assert.equal(twice.pixels[0], colors[0]);
});
