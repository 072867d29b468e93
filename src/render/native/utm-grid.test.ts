import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridBounds } from '../../geo/index.ts';
import { makePixelMapping, makeProjection } from '../../proj/index.ts';
import { toUtmGrid, utmCodeAt } from './utm-grid.ts';

test('zones go by longitude and hemisphere, beyond the antimeridian too', () => {
  assert.deepEqual(
    [
      [-180, 1],
      [-123.1, 49],
      [2.9, -0.1],
      [3, 42],
      [179.99, 10],
      [181, 10],
      [-181, -10],
    ].map(([lon, lat]) => utmCodeAt(lon!, lat!)),
    [32_601, 32_610, 32_731, 32_631, 32_660, 32_601, 32_760],
  );
});

/** An image that lies askew in degrees, as radar in the geometry of its sensor does. */
function toSkewed(pixelM: number) {
  const { forward } = makeProjection(32_633, 4326);
  const [cols, rows] = [
    [0, 200, 400],
    [0, 150, 300],
  ];
  const spots = rows!.flatMap((row) =>
    cols!.map((col) => forward(420_000 + col * pixelM + row * 2, 5_300_000 + col * 3 - row * pixelM)),
  );
  return {
    epsg: 4326,
    transform: [14, 1e-4, 0, 47, 0, -1e-4] as const,
    width: 400,
    height: 300,
    lattice: { cols: cols!, rows: rows!, x: spots.map(([x]) => x), y: spots.map(([, y]) => y) },
  };
}

test('an image without a grid gets one in its UTM zone that holds all of it, in round numbers', () => {
  for (const [pixelM, spacingM] of [
    [10.02, 10],
    [30, 30],
    [39.7, 40],
    [448, 450],
  ] as const) {
    const image = toSkewed(pixelM);
    const grid = toUtmGrid(image);
    assert.equal(grid.epsg, 32_633);
    assert.deepEqual(grid.transform.slice(1, 3), [spacingM, 0]);
    assert.deepEqual([grid.transform[0] % spacingM, grid.transform[3] % spacingM], [0, 0]);
    const { toTarget } = makePixelMapping(grid, image);
    const { width, height } = grid;
    for (const [col, row] of [
      [0, 0],
      [400, 0],
      [0, 300],
      [400, 300],
    ] as const) {
      const [x, y] = toTarget(col, row);
      assert.ok(x >= -1e-6 && y >= -1e-6 && x <= width + 1e-6 && y <= height + 1e-6, `${x}, ${y}`);
    }
    const { minX, maxX } = gridBounds(grid);
    assert.ok(maxX - minX < 400 * pixelM + 700 + 2 * spacingM);
  }
});
