import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { resamplers } from './plan-warp.ts';
import { makeSceneFixture, warpFixture } from './testing/scene-fixture.ts';

const kernels = loadKernels();

/** A scene at 70 degrees north, where the projection to Mercator bends strongly, and one at 48. */
const scenes: readonly Grid[] = [
  { epsg: 32633, transform: [300000, 60, 0, 7900000, 0, -60], width: 700, height: 700 },
  { epsg: 32636, transform: [600000, 10, 0, 5400000, 0, -10], width: 700, height: 700 },
];

/** The bytes of 256 pixels of a plane. */
function bytesOf(plane: Float32Array | Uint8Array, start: number): Buffer {
  const line = plane.subarray(start, start + 256);
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength);
}

for (const grid of scenes) {
  const scene = makeSceneFixture(grid, 0.01);
  const pixelM = grid.transform[1];
  const [x, y] = makeProjection(grid.epsg, 3857).forward(
    grid.transform[0] + 350 * pixelM,
    grid.transform[3] - 350 * pixelM,
  );
  for (const z of [6, 9, 10, 11, 12, 13, 14]) {
    for (const method of Object.keys(resamplers) as ResampleMethod[]) {
      // The two default methods at every zoom level, the others where they reduce and where they enlarge.
      if (method !== 'near' && method !== 'bilinear' && z !== 11 && z !== 14) continue;
      test(`EPSG:${grid.epsg}, zoom ${z}, ${method}: four tiles equal one image, to the bit`, () => {
        const first = tileAt(z, x, y);
        const corner = { ...first, x: first.x - (first.x % 2), y: first.y - (first.y % 2) };
        const block: Grid = { ...tileGrid(corner), width: 512, height: 512 };
        const whole = warpFixture(kernels, scene, block, method);
        for (const [dx, dy] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ] as const) {
          const target = tileGrid({ z, x: corner.x + dx, y: corner.y + dy });
          const tile = warpFixture(kernels, scene, target, method);
          for (let row = 0; row < 256; row++) {
            const start = (dy * 256 + row) * 512 + dx * 256;
            const isSame = (ours: Float32Array | Uint8Array, all: Float32Array | Uint8Array): boolean =>
              bytesOf(ours, row * 256).equals(bytesOf(all, start));
            assert.ok(isSame(tile.mask, whole.mask), `mask, row ${row}`);
            for (const [b, band] of tile.bands.entries()) {
              assert.ok(isSame(band, whole.bands[b]!), `band ${b}, row ${row}`);
            }
          }
        }
        assert.ok(whole.mask.includes(1));
      });
    }
  }
}
