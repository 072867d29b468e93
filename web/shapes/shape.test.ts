import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPositions, toTidyLine, toTidyOutline } from './shape.ts';

test('a ring is rounded to 0.1 m, deduplicated and closed', () => {
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

test('an area on a map dragged around the world is normalised; across the antimeridian it continues', () => {
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

test('a polygon that encloses nothing is not an area: too few corners, holes without an outer ring', () => {
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

test('parts that enclose nothing are omitted; a single remaining part is a polygon', () => {
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
