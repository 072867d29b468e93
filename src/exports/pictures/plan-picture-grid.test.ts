import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { isSwathError } from '../../errors.ts';
import type { Bounds, Grid } from '../../geo/index.ts';
import { gridBounds, MERCATOR_HALF_SIDE_M, toOutline } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { ExportArea } from '../export.ts';
import { DEFAULT_PICTURE_LIMITS, planPictureGrid } from './plan-picture-grid.ts';

/** A Sentinel-2 tile at 10 m around 42 degrees north. */
const asset: Asset = {
  ...(makeScene(21).assets.B04 as Asset),
  transform: [399_960, 10, 0, 4_700_040, 0, -10],
  width: 10_980,
  height: 10_980,
  overviews: [],
};
const coarse: Asset = {
  ...asset,
  transform: [399_960, 20, 0, 4_700_040, 0, -20],
  width: 5_490,
  height: 5_490,
};

type Request = Parameters<typeof planPictureGrid>[0];
const plan = (more: Partial<Request> = {}) =>
  planPictureGrid({
    assets: [asset],
    area: null,
    pixel: null,
    epsg: 3857,
    limits: DEFAULT_PICTURE_LIMITS,
    ...more,
  });

const bounds = (minX: number, minY: number, maxX: number, maxY: number): ExportArea => ({
  kind: 'bounds',
  bounds: { minX, minY, maxX, maxY },
});

/** Metres on the ground from one pixel to the next, at the middle of a grid, in the system of the image. */
function groundOf({ epsg, transform, width, height }: Grid): readonly [x: number, y: number] {
  const { forward } = makeProjection(epsg, 32631);
  const at = (col: number, row: number) =>
    forward(transform[0] + col * transform[1], transform[3] + row * transform[5]);
  const [x, y] = at(width / 2, height / 2);
  const right = at(width / 2 + 1, height / 2);
  const lower = at(width / 2, height / 2 + 1);
  return [Math.hypot(right[0] - x, right[1] - y), Math.hypot(lower[0] - x, lower[1] - y)];
}

const isNear = (got: number, wanted: number, part: number): boolean => Math.abs(got / wanted - 1) < part;

test('without a pixel size the picture has the pixels of the finest band', () => {
  for (const assets of [[asset], [coarse, asset]]) {
    const { grid } = plan({ assets });
    for (const sideM of groundOf(grid)) assert.ok(isNear(sideM, 10, 0.01), `${sideM} m`);
    assert.ok(isNear(grid.width, 11_200, 0.03) && isNear(grid.height, 11_200, 0.03));
    // The full image is read, not an overview.
    const source = { ...asset, overviews: [{ width: 5_490, height: 5_490 }] };
    assert.equal(
      planWarp({ target: { ...grid, width: 64, height: 64 }, source, method: 'cubic' })?.level ?? 0,
      0,
    );
  }
  const [sideM] = groundOf(plan({ assets: [coarse] }).grid);
  assert.ok(isNear(sideM, 20, 0.01));
});

test('a pixel size is in metres on the ground, or in metres of the map', () => {
  for (const groundM of [60, 480, 12.5]) {
    const [x, y] = groundOf(plan({ pixel: { groundM } }).grid);
    // The map is of a sphere, the ground of an ellipsoid.
    assert.ok(isNear(x, groundM, 0.006) && isNear(y, groundM, 0.006), `${x} × ${y}`);
  }
  assert.equal(plan({ pixel: { mapM: 60 } }).grid.transform[1], 60);
});

test('pixels are at multiples of their size, and those of adjacent areas fit together', () => {
  for (const epsg of [3857, 4326] as const) {
    const whole = plan({ epsg }).grid;
    const part = plan({ epsg, area: bounds(2.2, 41.8, 2.5, 42) }).grid;
    for (const { transform } of [whole, part]) {
      const [x, width, , y, , height] = transform;
      for (const offset of [x / width, y / height]) {
        assert.ok(Math.abs(offset - Math.round(offset)) < 1e-6, `${offset}`);
      }
    }
    assert.deepEqual([part.transform[1], part.transform[5]], [whole.transform[1], whole.transform[5]]);
  }
});

test('the picture covers the image, or the part of the area inside the image', () => {
  const holds = (outer: Bounds, inner: Bounds, sparePx: number): boolean =>
    outer.minX <= inner.minX + sparePx &&
    outer.minY <= inner.minY + sparePx &&
    outer.maxX >= inner.maxX - sparePx &&
    outer.maxY >= inner.maxY - sparePx;
  const { forward } = makeProjection(32631, 3857);
  const frame = gridBounds(plan().grid);
  for (let i = 0; i <= 1_000; i += 1) {
    const at = 399_960 + (i / 1_000) * 109_800;
    for (const [x, y] of [forward(at, 4_700_040), forward(at, 4_590_240), forward(399_960, at + 4_190_280)]) {
      // Less than a pixel of the edge may lie outside.
      assert.ok(holds(frame, { minX: x, minY: y, maxX: x, maxY: y }, 2), `${i}`);
    }
  }
  const toMap = makeProjection(4326, 3857).forward;
  const [minX, minY] = toMap(2.2, 41.8);
  const [maxX, maxY] = toMap(2.5, 42);
  const cropped = gridBounds(plan({ area: bounds(2.2, 41.8, 2.5, 42) }).grid);
  assert.ok(holds(cropped, { minX, minY, maxX, maxY }, 1e-3));
  assert.ok(cropped.maxX - cropped.minX < maxX - minX + 30);
  // Of an area that is larger than the scene, what the scene shows.
  assert.deepEqual(plan({ area: bounds(-10, 30, 20, 60) }).grid.transform, plan().grid.transform);
  // Bounds of any turn around the Earth.
  const turned = plan({ area: bounds(362.2, 41.8, 362.5, 42) }).grid;
  assert.deepEqual(turned, plan({ area: bounds(2.2, 41.8, 2.5, 42) }).grid);
});

test('the sides of a large scene can be halved six times', () => {
  const { width, height } = plan().grid;
  assert.deepEqual([width % 64, height % 64], [0, 0]);
  const tight = plan({ area: bounds(-10, 30, 20, 60) }).grid;
  assert.ok(width - tight.width < 64 && height - tight.height < 64);
  const small = plan({ pixel: { groundM: 100 } }).grid;
  assert.ok(small.width % 64 !== 0 && small.width < 1_300);
});

test('an area outside the scene is refused, also in a corner that only the bounding rectangle covers', () => {
  const { minX, maxY } = gridBounds(plan({ epsg: 4326 }).grid);
  const isOutside = (error: unknown): boolean =>
    isSwathError(error) && error.tag === 'bad-input' && error.code === 'area-outside-scene';
  assert.throws(() => plan({ area: bounds(20, 41.8, 21, 42) }), isOutside);
  assert.throws(() => plan({ area: bounds(2.2, 51.8, 2.5, 52) }), isOutside);
  assert.throws(() => plan({ area: bounds(minX, maxY - 1e-3, minX + 1e-3, maxY) }), isOutside);
  const triangle = toOutline({
    type: 'Polygon',
    coordinates: [
      [
        [1, 43.2],
        [5, 43.2],
        [1, 41],
        [1, 43.2],
      ],
    ],
  });
  assert.ok(plan({ area: { kind: 'outline', outline: triangle } }).grid.width > 1);
  assert.throws(
    () =>
      plan({
        area: {
          kind: 'outline',
          outline: toOutline({
            type: 'Polygon',
            coordinates: [
              [
                [0.5, 42.4],
                [1.6, 43],
                [0.5, 43],
                [0.5, 42.4],
              ],
            ],
          }),
        },
      }),
    isOutside,
  );
});

test('a scene across the antimeridian is one picture', () => {
  const over: Asset = { ...asset, epsg: 32660, transform: [600_000, 10, 0, 7_300_000, 0, -10] };
  const { grid } = plan({ assets: [over] });
  const { minX, maxX } = gridBounds(grid);
  assert.ok(minX < MERCATOR_HALF_SIDE_M && maxX > MERCATOR_HALF_SIDE_M);
  assert.ok(grid.width < 25_000);
  const part = plan({ assets: [over], area: bounds(-179.9, 65.2, -179.5, 65.4) }).grid;
  assert.ok(part.width < grid.width / 4 && gridBounds(part).minX > MERCATOR_HALF_SIDE_M);
});

test('a scene at a pole has no picture on this map', () => {
  const polar: Asset = { ...asset, epsg: 3413, transform: [-50_000, 10, 0, 50_000, 0, -10] };
  assert.throws(() => plan({ assets: [polar] }), { code: 'unmapped-scene' });
});

test('the grid for a globe has even steps of longitude and latitude, as large on the ground as those of the map', () => {
  const { grid } = plan({ epsg: 4326 });
  for (const sideM of groundOf(grid)) assert.ok(isNear(sideM, 10, 0.01), `${sideM} m`);
});

test('the probe is in the middle of the image on the lattice of the picture', () => {
  const { probe } = plan({ area: bounds(2.2, 41.8, 2.5, 42) });
  const { window } = planWarp({ target: probe, source: asset, method: 'near' })!;
  assert.ok(Math.abs(window.x + window.width / 2 - 5_490) < 2);
  assert.ok(Math.abs(window.y + window.height / 2 - 5_490) < 2);
  const offset = probe.transform[0] / probe.transform[1];
  assert.ok(Math.abs(offset - Math.round(offset)) < 1e-6);
});

test('a picture that is too large is refused with a pixel size that fits', () => {
  const refuse = (more: Partial<Request>): number => {
    try {
      plan(more);
    } catch (error) {
      assert.ok(isSwathError(error));
      assert.deepEqual([error.tag, error.code], ['bad-input', 'picture-too-large']);
      const [, said] = /A px_size of ([\d.]+) fits\.$/.exec(error.message) ?? [];
      assert.equal(Number(said), error.details.pxSize);
      return Number(said);
    }
    return assert.fail('not refused');
  };
  const cases: readonly Partial<Request>[] = [
    { pixel: { groundM: 5 } },
    { pixel: { groundM: 1 } },
    { pixel: { groundM: 0.001 } },
    { limits: { pixels: 1_000_000, sidePx: 65_500 } },
    { limits: { pixels: 300_000_000, sidePx: 2_000 } },
    { epsg: 4326, pixel: { groundM: 2 } },
  ];
  for (const more of cases) {
    const groundM = refuse(more);
    const { grid } = plan({ ...more, pixel: { groundM } });
    const { pixels, sidePx } = more.limits ?? DEFAULT_PICTURE_LIMITS;
    assert.ok(grid.width * grid.height <= pixels && Math.max(grid.width, grid.height) <= sidePx);
    // And not a much larger one.
    if (groundM > 10) assert.throws(() => plan({ ...more, pixel: { groundM: groundM * 0.9 - 1 } }));
  }
  assert.equal(refuse({ pixel: { groundM: 5 } }), 7);
});

test('a pixel size must be above zero', () => {
  for (const groundM of [0, -10, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => plan({ pixel: { groundM } }), { code: 'bad-px-size' });
  }
});
