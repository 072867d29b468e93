import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makePixelMapping, makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import { makeSceneFixture, warpFixture } from './testing/scene-fixture.ts';

const kernels = loadKernels();

/** At 50 degrees north and far from its meridian, so that rows of a tile cross rows of the image. */
const image: Grid = { epsg: 32636, transform: [690000, 30, 0, 5610000, 0, -30], width: 256, height: 256 };
const [x, y] = makeProjection(32636, 3857).forward(690000 + 128 * 30, 5610000 - 128 * 30);
const target = tileGrid(tileAt(13, x, y));

test('bilinear positions are exact to 2e-5 pixels', () => {
  const { toSource } = makePixelMapping(target, image);
  for (const axis of [0, 1] as const) {
    // A band of positions around a middle of 0: float32 holds those near it to 1e-6.
    const middle = toSource(128, 128)[axis];
    const length = image.width * image.height;
    const band = new Float32Array(length).map((_, i) => {
      const at = axis === 0 ? i % image.width : Math.floor(i / image.width);
      return at + 0.5 - Math.round(middle);
    });
    const { bands, mask } = warpFixture(
      kernels,
      { grid: image, bands: [band], mask: null },
      target,
      'bilinear',
    );
    let [compared, worst] = [0, 0];
    for (let i = 0; i < mask.length; i++) {
      const exact = toSource((i % 256) + 0.5, Math.floor(i / 256) + 0.5)[axis] - Math.round(middle);
      if (mask[i] === 0 || Math.abs(exact) > 15) continue;
      compared++;
      worst = Math.max(worst, Math.abs(bands[0]![i]! - exact));
    }
    assert.ok(compared > 5_000, `${compared} pixels`);
    assert.ok(worst < 2e-5, `axis ${axis}: ${worst} pixels`);
  }
});

test('pixels are the same to the bit whether or not others of the image are missing', () => {
  const whole = makeSceneFixture(image, 0);
  // Every 40th row lacks a pixel in every 40th column: groups of pixels near them take another path.
  const holes = whole.bands[0]!.map((_, i) => Number(i % 40 !== 0 || Math.floor(i / 256) % 40 !== 0));
  const mask = Uint8Array.from(holes);
  const expected = warpFixture(kernels, whole, target, 'bilinear');
  const actual = warpFixture(kernels, { ...whole, mask }, target, 'bilinear');
  const { toSource } = makePixelMapping(target, image);
  let compared = 0;
  for (let i = 0; i < expected.mask.length; i++) {
    const [col, row] = toSource((i % 256) + 0.5, Math.floor(i / 256) + 0.5);
    const first = Math.floor(row - 0.5) * 256 + Math.floor(col - 0.5);
    if ([first, first + 1, first + 256, first + 257].some((at) => mask[at] !== 1)) continue;
    compared++;
    assert.equal(actual.mask[i], 1);
    for (const [b, band] of expected.bands.entries()) assert.equal(actual.bands[b]![i], band[i]);
  }
  assert.ok(compared > 20_000, `${compared} pixels`);
});
