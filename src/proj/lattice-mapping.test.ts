import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Lattice } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeLatticeMapping } from './lattice-mapping.ts';
import type { SwathPass } from './testing/swath-lattice.ts';
import { latticeOfPass, locateInPass, pointsOfPass } from './testing/swath-lattice.ts';

const size = { width: 2563, height: 1674 };
const passes: Readonly<Record<string, SwathPass>> = {
  ascending: { size, lon: 11, lat: 47, headingDeg: -12, pixelM: 100 },
  'descending, mirrored': { size, lon: 77, lat: 10, headingDeg: 192, pixelM: 100, isMirrored: true },
  'over the antimeridian': { size, lon: 179.7, lat: -17, headingDeg: 192, pixelM: 100 },
  'over the pole': { size, lon: -30, lat: 89.8, headingDeg: 40, pixelM: 100 },
  'of few points': { size, lon: 5, lat: 50, headingDeg: 10, pixelM: 4, nodes: [3, 3] },
};

for (const [name, pass] of Object.entries(passes)) {
  test(`a pass ${name}: nodes map exactly, and all pixels map to the ground and back`, () => {
    const mapping = makeLatticeMapping(latticeOfPass(pass), size, true);
    for (const { column, row, x, y } of pointsOfPass(pass)) {
      const [col, line] = mapping.toImage(x, y);
      assert.ok(Math.hypot(col - column, line - row) < 1e-6, `${[col, line]} is not ${[column, row]}`);
      const [lon, lat] = mapping.toGround(column, row);
      assert.ok(Math.abs(lat - y) < 1e-11);
      assert.ok(Math.abs(Math.sin(((lon - x) * Math.PI) / 360)) * Math.cos((y * Math.PI) / 180) < 1e-12);
    }
    const inside = fc.record({
      col: fc.double({ min: -300, max: size.width + 300, noNaN: true }),
      row: fc.double({ min: -300, max: size.height + 300, noNaN: true }),
    });
    fc.assert(
      fc.property(inside, ({ col, row }) => {
        const [backCol, backRow] = mapping.toImage(...mapping.toGround(col, row));
        assert.ok(Math.hypot(backCol - col, backRow - row) < 1e-6);
      }),
      { numRuns: casesOf(300) },
    );
  });

  test(`a pass ${name}: between the nodes it is accurate to a hundredth of a pixel`, () => {
    const mapping = makeLatticeMapping(latticeOfPass(pass), size, true);
    for (let row = 0.5; row < size.height; row += 37) {
      for (let col = 0.5; col < size.width; col += 41) {
        const { x, y } = locateInPass(pass, col, row);
        const [foundCol, foundRow] = mapping.toImage(x, y);
        assert.ok(
          Math.hypot(foundCol - col, foundRow - row) < 0.01,
          `${[foundCol, foundRow]} at ${[col, row]}`,
        );
      }
    }
  });
}

test('locations all over the Earth map outside the image or to nothing', () => {
  for (const pass of Object.values(passes)) {
    const { toImage } = makeLatticeMapping(latticeOfPass(pass), size, true);
    for (let lat = -90; lat <= 90; lat += 7.5) {
      for (let lon = -180; lon <= 180; lon += 7.5) {
        const [col, row] = toImage(lon, lat);
        if (!(col >= 0 && row >= 0 && col <= size.width && row <= size.height)) continue;
        const there = locateInPass(pass, col, row);
        assert.ok(Math.abs(there.y - lat) < 0.01, `${lon} ${lat} is not at ${col} ${row}`);
      }
    }
  }
});

test('an image is unknown where its lattice does not extend, except for the pixel at its edge', () => {
  const lattice: Lattice = {
    cols: [10, 60, 99.5],
    rows: [0, 50],
    x: [0, 50, 89.5, 0, 50, 89.5],
    y: [0, 0, 0, 50, 50, 50],
  };
  const { toImage } = makeLatticeMapping(lattice, { width: 100, height: 80 }, false);
  const near = ([col, row]: readonly number[], wanted: readonly number[]) =>
    assert.ok(Math.hypot(col! - wanted[0]!, row! - wanted[1]!) < 1e-9, `${col} ${row}`);
  near(toImage(0, 25), [10, 25]);
  assert.deepEqual(toImage(-0.01, 25), [Number.NaN, Number.NaN]);
  near(toImage(89.9, 25), [99.9, 25]);
  near(toImage(200, 25), [210, 25]);
  near(toImage(40, -3), [50, -3]);
  assert.deepEqual(toImage(40, 50.01), [Number.NaN, Number.NaN]);
});

test('parabolas are interpolated exactly, whatever the spacing', () => {
  const cols = [0, 30, 77, 120, 121];
  const rows = [0, 10, 40];
  const locate = (col: number, row: number) =>
    [col + col * col * 1e-3, 500 - row - row * row * 2e-3] as const;
  const nodes = rows.flatMap((row) => cols.map((col) => locate(col, row)));
  const lattice = { cols, rows, x: nodes.map(([x]) => x), y: nodes.map(([, y]) => y) };
  const { toGround } = makeLatticeMapping(lattice, { width: 121, height: 40 }, false);
  for (const [col, row] of [
    [3, 2],
    [50, 9],
    [100, 20],
    [120.4, 39],
  ] as const) {
    const [x, y] = toGround(col, row);
    const [wantedX, wantedY] = locate(col, row);
    assert.ok(Math.hypot(x - wantedX, y - wantedY) < 1e-10);
  }
});
