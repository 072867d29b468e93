import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid, Lattice } from '../geo/index.ts';
import { applyAffine, nearestAffine, tileAt, tileGrid } from '../geo/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makeProjection, parseLattice } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { planWarp } from './plan-warp.ts';
import type { SceneFixture } from './testing/scene-fixture.ts';
import { warpFixture } from './testing/scene-fixture.ts';

const kernels = loadKernels();

/** An image that an affine georeferences exactly, rotated by some degrees against its grid. */
const even: Grid = { epsg: 32633, transform: [420_000, 29, 6, 5_300_000, 7, -30], width: 700, height: 500 };

/** Its control points: 8 by 6 in longitude and latitude, up to the last line of pixels. */
function latticeOf({ epsg, transform, width, height }: Grid): Lattice {
  const { forward } = makeProjection(epsg, 4326);
  const points = Array.from({ length: 48 }, (_, i) => {
    const [column, row] = [((i % 8) / 7) * (width - 1), (Math.floor(i / 8) / 5) * (height - 1)];
    const [x, y] = forward(...applyAffine(transform, column, row));
    return { column, row, x, y };
  });
  return parseLattice(points, 4326);
}

const lattice = latticeOf(even);
const bent: GeoreferencedGrid = { ...even, epsg: 4326, transform: nearestAffine(lattice), lattice };

/** Hills some pixels wide and, in the second band, one value per pixel. */
const bands = [
  new Float32Array(350_000).map((_, i) => {
    const [col, row] = [i % 700, Math.floor(i / 700)];
    return 5000 + 2000 * Math.sin(col / 9) + 2000 * Math.cos(row / 7);
  }),
  new Float32Array(350_000).map((_, i) => i),
];
const scene = (grid: GeoreferencedGrid): SceneFixture => ({ grid, bands, mask: null });

const [x, y] = makeProjection(even.epsg, 3857).forward(...applyAffine(even.transform, 600, 450));

for (const z of [8, 10, 12, 14]) {
  for (const method of ['near', 'bilinear', 'average'] as const) {
    test(`zoom ${z}, ${method}: control points of an affine place the image like the affine`, () => {
      const target = tileGrid(tileAt(z, x, y));
      const wanted = warpFixture(kernels, scene(even), target, method);
      const got = warpFixture(kernels, scene(bent), target, method);
      let [valid, other, worst] = [0, 0, 0];
      for (const [i, isValid] of wanted.mask.entries()) {
        if (isValid !== got.mask[i]) other++;
        if (isValid === 0 || got.mask[i] === 0) continue;
        valid++;
        worst = Math.max(worst, Math.abs(got.bands[0]![i]! - wanted.bands[0]![i]!));
        if (method === 'near' && got.bands[1]![i] !== wanted.bands[1]![i]) other++;
      }
      assert.ok(valid > 10);
      // A position may lie on the other side of a pixel's edge, hundredths of a pixel away.
      assert.ok(other <= Math.max(2, 0.03 * valid), `${other} of ${valid} pixels differ`);
      if (method === 'bilinear') assert.ok(worst < 15, `values differ by ${worst}`);
    });
  }
}

test('the same overview and nearly the same window are read', () => {
  const overviews = [1, 2, 3].map((n) => ({
    width: Math.ceil(700 / 2 ** n),
    height: Math.ceil(500 / 2 ** n),
  }));
  for (const z of [6, 8, 9, 10, 11, 12]) {
    const target = tileGrid(tileAt(z, x, y));
    const plan = (source: GeoreferencedGrid) =>
      planWarp({ target, source: { ...source, overviews }, method: 'bilinear' });
    const [wanted, got] = [plan(even)!, plan(bent)!];
    assert.equal(got.level, wanted.level);
    // Larger cells bound their part of the image less tightly.
    const [less, more] = [wanted.window, got.window];
    assert.ok(more.x <= less.x + 1 && more.x + more.width >= less.x + less.width - 1);
    assert.ok(more.y <= less.y + 1 && more.y + more.height >= less.y + less.height - 1);
    assert.ok(more.width * more.height <= 1.3 * less.width * less.height);
    assert.deepEqual(JSON.parse(JSON.stringify(got)), got);
    assert.equal(got.lattice?.cols.at(-1), (699 * got.levelSize.width) / 700);
  }
});

for (const method of ['near', 'bilinear', 'cubic', 'average'] satisfies ResampleMethod[]) {
  test(`${method}: four tiles equal one image, to the bit`, () => {
    const first = tileAt(12, x, y);
    const corner = { ...first, x: first.x - (first.x % 2), y: first.y - (first.y % 2) };
    const whole = warpFixture(kernels, scene(bent), { ...tileGrid(corner), width: 512, height: 512 }, method);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const target = tileGrid({ ...corner, x: corner.x + dx, y: corner.y + dy });
      const tile = warpFixture(kernels, scene(bent), target, method);
      const cut = (plane: Float32Array | Uint8Array) =>
        Array.from({ length: 256 * 256 }, (_, i) => {
          return plane[(dy * 256 + Math.floor(i / 256)) * 512 + dx * 256 + (i % 256)];
        });
      assert.deepEqual(Array.from(tile.mask), cut(whole.mask));
      assert.deepEqual(Array.from(tile.bands[0]!), cut(whole.bands[0]!));
    }
    assert.ok(whole.mask.includes(1));
  });
}
