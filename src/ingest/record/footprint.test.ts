import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaGeometry, LonLat } from '../../geo/index.ts';
import { isPointInArea } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { isSimple, signedArea, simplifyLine, tidyFootprint, tidyRing, toFootprint } from './footprint.ts';
import { toOutline, toOutlineOnGlobe } from './image-area.ts';

const ringsOf = (area: AreaGeometry) =>
  area.type === 'Polygon' ? [area.coordinates[0]!] : area.coordinates.map((part) => part[0]!);

test('the footprint of an image has its corners, and points between them where edges are curved', () => {
  const image = { width: 10, height: 10, transform: [600_000, 10_980, 0, 5_500_000, 0, -10_980] } as const;
  const footprint = toFootprint(toOutline(image), 32631);
  const ring = ringsOf(footprint)[0]!;
  const { forward } = makeProjection(32631, 4326);
  for (const [x, y] of [
    [600_000, 5_500_000],
    [709_800, 5_390_200],
  ] as const) {
    const [lon, lat] = forward(x, y);
    assert.ok(ring.some(([a, b]) => Math.hypot(a - lon, b - lat) < 1e-6));
  }
  assert.ok(ring.length > 5 && ring.length < 40, `${ring.length} points`);
  assert.ok(signedArea(ring) > 0, 'counter-clockwise');
  // In the middle of the upper edge, where the curve is strongest: 60 m inside is in, 60 m outside is not.
  assert.ok(isPointInArea(forward(654_900, 5_499_940) as LonLat, footprint));
  assert.ok(!isPointInArea(forward(654_900, 5_500_060) as LonLat, footprint));
});

test('a footprint across 180 degrees is cut into two parts that cover the same area', () => {
  // Zone 1, just east of the antimeridian; the tile crosses it to the west.
  const image = { width: 10, height: 10, transform: [300_000, 10_980, 0, 7_200_000, 0, -10_980] } as const;
  const footprint = toFootprint(toOutline(image), 32601);
  assert.equal(footprint.type, 'MultiPolygon');
  for (const ring of ringsOf(footprint)) {
    assert.ok(ring.every(([lon]) => lon >= -180 && lon <= 180));
    assert.ok(isSimple(ring) && signedArea(ring) > 0);
  }
  const { forward } = makeProjection(32601, 4326);
  for (const x of [305_000, 350_000, 400_000]) {
    for (const y of [7_195_000, 7_150_000, 7_095_000]) {
      assert.ok(isPointInArea(forward(x, y) as LonLat, footprint), `${x} ${y}`);
    }
  }
  assert.ok(!isPointInArea([0, 65], footprint));
});

test("a provider's outline across 180 degrees is cut", () => {
  const leaping: AreaGeometry = {
    type: 'Polygon',
    coordinates: [
      [
        [179, 10],
        [-179, 10],
        [-179, 12],
        [179, 12],
        [179, 10],
      ],
    ],
  };
  const footprint = tidyFootprint(leaping);
  assert.equal(footprint.type, 'MultiPolygon');
  assert.ok(isPointInArea([179.5, 11], footprint) && isPointInArea([-179.5, 11], footprint));
  assert.ok(!isPointInArea([0, 11], footprint));
});

test('outlines that are not footprints are refused', () => {
  const refuse = (ring: readonly LonLat[], why: RegExp) =>
    assert.throws(() => tidyFootprint({ type: 'Polygon', coordinates: [ring] }), {
      code: 'no-footprint',
      message: why,
    });
  refuse(
    [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 1],
      [0, 0],
    ],
    /crosses itself/,
  );
  refuse(
    [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 0],
    ],
    /empty/,
  );
  refuse([], /empty/);
  refuse(
    [
      [0, 80],
      [90, 80],
      [180, 80],
      [-90, 80],
      [0, 80],
    ],
    /around a pole/,
  );
  refuse(
    [
      [0, 91],
      [1, 91],
      [1, 92],
      [0, 91],
    ],
    /leaves the Earth/,
  );
  assert.throws(
    () =>
      toFootprint(
        [
          [1e9, 1e9],
          [2e9, 1e9],
          [2e9, 2e9],
        ],
        32631,
      ),
    { code: 'no-footprint' },
  );
});

test('the outline of a lattice runs once around its edge', () => {
  const lattice = { cols: [0, 5, 10], rows: [0, 10], x: [0, 1, 2, 0, 1, 2], y: [2, 2, 2, 0, 0, 0] };
  const outline = toOutline({ width: 10, height: 10, transform: [0, 1, 0, 0, 0, -1], lattice });
  assert.deepEqual(outline, [
    [0, 2],
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 2],
    [1, 2],
  ]);
});

test('simplified lines have the same ends and stay within the tolerance', () => {
  const points = fc.array(
    fc.tuple(fc.double({ min: 0, max: 10, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true })),
    {
      minLength: 2,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(points, (line) => {
      const simple = simplifyLine(line, 0.5);
      assert.deepEqual(simple[0], line[0]);
      assert.deepEqual(simple.at(-1), line.at(-1));
      const isNear = (point: LonLat) =>
        simple.some((_, i) => i > 0 && distance(point, simple[i - 1]!, simple[i]!) <= 0.5 + 1e-9);
      assert.ok(line.every(isNear));
    }),
    { numRuns: casesOf(200) },
  );
});

function distance(point: LonLat, from: LonLat, to: LonLat): number {
  const steps = Array.from({ length: 2001 }, (_, i) => i / 2000);
  const best = Math.min(
    ...steps.map((t) =>
      Math.hypot(point[0] - from[0] - t * (to[0] - from[0]), point[1] - from[1] - t * (to[1] - from[1])),
    ),
  );
  // Walked in steps: the true distance is at most half a step less.
  return Math.max(0, best - Math.hypot(to[0] - from[0], to[1] - from[1]) / 4000);
}

test('a tidied ring is closed, counter-clockwise and without doubled points', () => {
  const ring = tidyRing(
    [
      [0, 0],
      [0, 1],
      [0, 1],
      [0.5, 1],
      [1, 1],
      [1, 0],
    ],
    1e-6,
  );
  assert.deepEqual(ring, [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});

test('longitudes that continue beyond 180, as those of a lattice do, are cut like all others', () => {
  const footprint = toFootprint(
    [
      [175, 61],
      [175.5, 60],
      [181, 60.5],
      [180.5, 62],
    ],
    4326,
  );
  assert.equal(footprint.type, 'MultiPolygon');
  assert.ok(isPointInArea([-179.5, 61], footprint) && isPointInArea([179, 61], footprint));
});

const SINUSOIDAL = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m';
const MODIS_TILE = 1_111_950.51976652;
const toTile = (h: number, v: number) =>
  ({
    width: 240,
    height: 240,
    transform: [
      ...([(h - 18) * MODIS_TILE, MODIS_TILE / 240, 0] as const),
      ...([(9 - v) * MODIS_TILE, 0, -MODIS_TILE / 240] as const),
    ],
  }) as const;

test('a tile that reaches beyond the globe is cut at its edge', () => {
  // h00v08 ends at 180 degrees west; the sinusoid leaves it a strip at the equator.
  const edge = toFootprint(toOutlineOnGlobe(toTile(0, 8), SINUSOIDAL), SINUSOIDAL);
  const { forward } = makeProjection(4326, SINUSOIDAL);
  let [inside, outside] = [0, 0];
  for (let lat = 0.5; lat < 10; lat += 1) {
    for (let lon = -179.5; lon < -168; lon += 1) {
      const x = forward(lon, lat)[0];
      const isIn = x >= -18 * MODIS_TILE && x <= -17 * MODIS_TILE;
      if (isIn) inside++;
      else outside++;
      assert.equal(isPointInArea([lon, lat], edge), isIn, `${lon} ${lat}`);
    }
  }
  assert.ok(inside > 20 && outside > 10);
  assert.deepEqual(toOutlineOnGlobe(toTile(21, 11), SINUSOIDAL), toOutline(toTile(21, 11)));
  assert.deepEqual(toOutlineOnGlobe(toTile(0, 0), SINUSOIDAL), []);
});

test('an outline of many thousand points becomes one of few hundred', () => {
  const jagged = Array.from({ length: 20_000 }, (_, i): LonLat => {
    const turn = (2 * Math.PI * i) / 20_000;
    const radius = 1 + (i % 2) * 0.01;
    return [10 + radius * Math.cos(turn), 40 + radius * Math.sin(turn)];
  });
  const ring = ringsOf(tidyFootprint({ type: 'Polygon', coordinates: [[...jagged, jagged[0]!]] }))[0]!;
  assert.ok(ring.length <= 500, `${ring.length} points`);
  assert.ok(Math.abs(signedArea(ring) / 2 / Math.PI - 1) < 0.03);
});
