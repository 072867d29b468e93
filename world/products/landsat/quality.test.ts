import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exposure } from '../../light/exposure.ts';
import { markNearClouds, markPixels, measureClouds, toQualityBand } from './quality.ts';

/** Pixels: clear, water, cloud, shadow, snow, cirrus, and one that was not seen. */
const exposure = {
  opaque: Uint8Array.of(0, 0, 1, 0, 0, 0, 0),
  shadow: Uint8Array.of(0, 0, 0, 1, 0, 0, 0),
  cirrus: Uint8Array.of(0, 0, 0, 0, 0, 1, 0),
  painted: {
    water: Float32Array.of(0, 1, 0, 0.3, 0, 0, 0),
    snow: Float32Array.of(0, 0, 0, 0, 0.9, 0.2, 0),
  },
} as unknown as Exposure;

function mark(): Uint8Array {
  const flags = new Uint8Array(7);
  const seen = Uint8Array.of(1, 1, 1, 1, 1, 1, 0);
  markPixels({ exposure, boxWidth: 7, start: 0, seen, flags, rowWidth: 7 });
  return flags;
}

test('values of the quality bands match real products', () => {
  const [flags, dull] = [mark(), new Uint16Array(7)];
  const band = (collection: 1 | 2, quality: 'oli' | 'tm' | 'mss') => [
    ...toQualityBand(flags, dull, { collection, quality }),
  ];
  assert.deepEqual(band(2, 'oli'), [21824, 21952, 22280, 23888, 30048, 54596, 1]);
  assert.deepEqual(band(2, 'tm'), [5440, 5568, 5896, 7504, 13664, 5440, 1]);
  assert.deepEqual(band(2, 'mss'), [256, 256, 776, 256, 256, 256, 1]);
  assert.deepEqual(band(1, 'oli'), [2720, 2720, 2800, 2976, 3744, 6816, 1]);
  assert.deepEqual(band(1, 'tm'), [672, 672, 752, 928, 1696, 672, 1]);
});

test('collection 1 counts the saturated bands of a pixel', () => {
  const bright = Uint16Array.of(0, 0b1, 0b11, 0b111, 0b11110, 0b11111, 0b1);
  const band = toQualityBand(mark(), bright, { collection: 1, quality: 'oli' });
  assert.deepEqual(
    [...band].map((value) => (value >> 2) & 3),
    [0, 1, 1, 2, 2, 3, 0],
  );
  assert.equal(band[6], 1);
});

test('clouds are measured over what was seen, and over its land', () => {
  const { all, land } = measureClouds(mark());
  assert.ok(Math.abs(all - 100 / 6) < 1e-9 && Math.abs(land - 100 / 5) < 1e-9);
  assert.equal(measureClouds(Uint8Array.of(33, 35)).land, -1);
});

test('three pixels around a cloud are near it, but only what was seen', () => {
  const width = 11;
  const flags = new Uint8Array(width * 11).fill(1);
  flags[5 * width + 5] = 3;
  flags[4 * width + 4] = 0;
  markNearClouds(flags, width);
  for (const [i, flag] of flags.entries()) {
    const far = Math.max(Math.abs((i % width) - 5), Math.abs(Math.floor(i / width) - 5));
    assert.equal((flag & 64) !== 0, far <= 3 && i !== 4 * width + 4, `pixel ${i}`);
  }
});
