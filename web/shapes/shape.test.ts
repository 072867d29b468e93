import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPositions, toTidyLine, toTidyOutline } from './shape.ts';

test('a ring is rounded to 0.1 m, freed of repetitions and closed', () => {
  const tidy = toTidyOutline({
    type: 'Polygon',
    coordinates: [
      [
        [1.00000049, 2],
        [1, 2.0000001],
        [3, 2],
        [3, 4],
      ],
    ],
  });
  assert.deepEqual(tidy, {
    type: 'Polygon',
    coordinates: [
      [
        [1, 2],
        [3, 2],
        [3, 4],
        [1, 2],
      ],
    ],
  });
  assert.equal(countPositions(tidy!), 4);
});

test('an area of a map that was dragged around the world comes back; across the antimeridian it runs on', () => {
  const ring = (...lons: readonly number[]) =>
    [
      [lons[0], 0],
      [lons[1], 0],
      [lons[1], 1],
      [lons[0], 0],
    ] as unknown as [number, number][];
  const lonsOf = (...lons: readonly number[]) => {
    const tidy = toTidyOutline({ type: 'Polygon', coordinates: [ring(...lons)] });
    return (tidy!.coordinates as unknown as number[][][])[0]?.map(([lon]) => lon);
  };
  assert.deepEqual(lonsOf(361, 362), [1, 2, 2, 1]);
  assert.deepEqual(lonsOf(-362, -361), [-2, -1, -1, -2]);
  assert.deepEqual(lonsOf(179, -179), [179, 181, 181, 179]);
  assert.deepEqual(lonsOf(-179, 179), [-179 + 360, 179, 179, 181]);
});

test('what encloses nothing is no area: too few corners, holes without an outer ring', () => {
  assert.equal(
    toTidyOutline({
      type: 'Polygon',
      coordinates: [
        [
          [1, 1],
          [1, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    }),
    null,
  );
  assert.equal(toTidyOutline({ type: 'MultiPolygon', coordinates: [] }), null);
  const withSpeck = toTidyOutline({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      [
        [0.5, 0.2],
        [0.5, 0.2],
        [0.5, 0.2],
        [0.5, 0.2],
      ],
    ],
  });
  assert.equal(withSpeck?.coordinates.length, 1);
});

test('parts that enclose nothing are left out; of one part a polygon is left', () => {
  const tidy = toTidyOutline({
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ],
      ],
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    ],
  });
  assert.equal(tidy?.type, 'Polygon');
});

test('a line has two different positions', () => {
  assert.equal(
    toTidyLine([
      [1, 1],
      [1.0000001, 1],
    ]),
    null,
  );
  assert.deepEqual(
    toTidyLine([
      [179, 1],
      [-179, 1],
    ]),
    [
      [179, 1],
      [181, 1],
    ],
  );
});
