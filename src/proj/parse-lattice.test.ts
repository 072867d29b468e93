import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../errors.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeLatticeMapping } from './lattice-mapping.ts';
import type { GroundControlPoint } from './parse-lattice.ts';
import { parseLattice } from './parse-lattice.ts';

/** Three columns, two rows, in a metric system. */
const points: readonly GroundControlPoint[] = [0, 1, 2, 3, 4, 5].map((i) => {
  const [column, row] = [(i % 3) * 50, Math.floor(i / 3) * 40];
  return { column, row, x: 500_000 + 10 * column, y: 5_000_000 - 10 * row };
});

test('points become a lattice in any order', () => {
  const lattice = parseLattice(points, 32631);
  assert.deepEqual(lattice.cols, [0, 50, 100]);
  assert.deepEqual(lattice.rows, [0, 40]);
  assert.deepEqual(lattice.x.slice(0, 3), [500_000, 500_500, 501_000]);
  assert.deepEqual(lattice.y, [5e6, 5e6, 5e6, 4_999_600, 4_999_600, 4_999_600]);
  assert.deepEqual(parseLattice(points.toReversed(), 32631), lattice);
});

test('columns and rows that differ by rounding are the same', () => {
  const rounded = points.map((point, i) => ({ ...point, column: point.column + (i % 2) * 5e-5 }));
  assert.equal(parseLattice(rounded, 32631).cols.length, 3);
});

test('longitudes do not jump at the antimeridian', () => {
  const lons = [179, -179.5, -178, 178.5, 180, -178.5];
  const crossing = points.map((point, i) => ({ ...point, x: lons[i]!, y: 10 - Math.floor(i / 3) }));
  assert.deepEqual(parseLattice(crossing, 4326).x, [179, 180.5, 182, 178.5, 180, 181.5]);
});

const change = (index: number, more: Partial<GroundControlPoint>): readonly GroundControlPoint[] =>
  points.map((point, i) => (i === index ? { ...point, ...more } : point));

const bad: Readonly<Record<string, readonly GroundControlPoint[]>> = {
  'too few': points.slice(0, 3),
  'too many': Array.from({ length: 5_000 }, (_, i) => ({
    column: i % 100,
    row: Math.floor(i / 100),
    x: i,
    y: i,
  })),
  'a point missing': points.slice(0, 5),
  'a point twice': [...points.slice(0, 5), points[4]!],
  'a point off the lattice': change(4, { row: 39 }),
  'not a number': change(2, { x: Number.NaN }),
  'a fold': change(2, { x: 500_100 }),
  'all in one line': points.map((point) => ({ ...point, y: 5_000_000 })),
  'far outside of any system': change(2, { x: 1e30 }),
};

for (const [name, list] of Object.entries(bad)) {
  test(`points do not form a lattice: ${name}`, () => {
    assert.throws(() => parseLattice(list, 32631), { code: 'no-lattice' });
  });
}

test('a latitude beyond the pole and an unknown CRS are refused', () => {
  assert.throws(() => parseLattice(points, 4326), { code: 'no-lattice' });
  assert.throws(() => parseLattice(points, 2), { code: 'unknown-crs' });
});

test('a ring of points around a centre is refused, not drawn as something else', () => {
  const ring = Array.from({ length: 26 }, (_, i) => {
    const [across, down] = [i % 13, Math.floor(i / 13)];
    const angle = (across / 12) * 2 * Math.PI;
    const radius = 1000 + 500 * down;
    return { column: across * 10, row: down * 10, x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  assert.throws(() => parseLattice(ring, 32631), isSwathError);
});

test('any points give a lattice that can be evaluated, or a named error', () => {
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -200, max: 200, noNaN: true }),
    fc.constantFrom(0, 90, -90, 180, -180, 1e-9, 1e9),
  );
  const anyLattice = fc.record({
    cols: fc.uniqueArray(fc.double({ min: -10, max: 3e4, noNaN: true }), { minLength: 2, maxLength: 5 }),
    rows: fc.uniqueArray(fc.double({ min: -10, max: 3e4, noNaN: true }), { minLength: 2, maxLength: 5 }),
    noise: fc.array(number, { minLength: 50, maxLength: 50 }),
    size: fc.constantFrom(0, 1e-6, 1e-3, 1),
    location: fc.tuple(number, number),
    crs: fc.constantFrom(4326, 32631, 3857),
  });
  fc.assert(
    fc.property(anyLattice, ({ cols, rows, noise, size, location, crs }) => {
      const list = rows.flatMap((row, j) =>
        cols.map((column, i) => {
          const [a, b] = [noise[2 * (j * 5 + i)]!, noise[2 * (j * 5 + i) + 1]!];
          return { column, row, x: column / 1000 + size * a, y: row / 1000 + size * b };
        }),
      );
      try {
        const lattice = parseLattice(list, crs);
        const { toImage } = makeLatticeMapping(lattice, { width: 30_000, height: 30_000 }, crs === 4326);
        assert.equal(toImage(...location).length, 2);
      } catch (error) {
        assert.ok(isSwathError(error), String(error));
      }
    }),
    { numRuns: casesOf(2_000) },
  );
});
