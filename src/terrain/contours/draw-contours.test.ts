import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { contourIntervalM, encodeContourTile, toContourFeatures } from './draw-contours.ts';
import { distanceFrom, makeHeightGrid, toPairs } from './testing/contour-grid.ts';
import { traceContours } from './trace-contours.ts';

const SIZE = 64;
const MARGIN = 4;

const heightAt = (x: number, y: number) =>
  60 * Math.sin(x / 11) * Math.cos(y / 13) + 4 * Math.sin(x * 1.1 + y / 2);

/** The lines of a tile, from a grid with a margin around it. */
const traceTile = (column: number, row: number) =>
  traceContours(
    makeHeightGrid(SIZE + 2 * MARGIN, SIZE + 2 * MARGIN, (x, y) =>
      heightAt(column * SIZE + x - MARGIN, row * SIZE + y - MARGIN),
    ),
    { intervalM: 5, maxPoints: 100_000 },
  );
const TILE = {
  box: { minX: MARGIN, minY: MARGIN, maxX: MARGIN + SIZE, maxY: MARGIN + SIZE },
  bufferPx: 2,
};

/** The features of the layer as an independent decoder reads them. */
function decode(bytes: Uint8Array) {
  const layer = new VectorTile(new PbfReader(bytes)).layers.contours;
  if (layer === undefined) return null;
  const features = Array.from({ length: layer.length }, (_, i) => layer.feature(i)).map((feature) => ({
    type: feature.type,
    properties: { ...feature.properties },
    lines: feature.loadGeometry().map((points) => points.map(({ x, y }) => [x, y] as const)),
  }));
  return { name: layer.name, version: layer.version, extent: layer.extent, features };
}

test('a tile has a feature per height, with its elevation and whether it is an index contour', () => {
  const lines = traceTile(0, 0);
  const layer = decode(encodeContourTile(lines, TILE));
  assert.deepEqual([layer?.name, layer?.version, layer?.extent], ['contours', 2, 4096]);
  const heights = [...new Set(lines.map(({ heightM }) => heightM))];
  assert.ok(heights.includes(-25) && heights.includes(0) && heights.length > 15);
  assert.deepEqual(
    layer?.features.map(({ properties }) => properties),
    heights.map((ele) => ({ ele, index: ele % 25 === 0 })),
  );
  assert.ok(layer.features.every(({ type }) => type === 2));
});

test('lines are where they were traced, apart from simplification and rounding, and end with the buffer', () => {
  const lines = traceTile(0, 0);
  const layer = decode(encodeContourTile(lines, TILE))!;
  const unitPx = SIZE / 4096;
  let [count, outside] = [0, 0];
  for (const { properties, lines: decoded } of layer.features) {
    const traced = lines.filter(({ heightM }) => heightM === properties.ele);
    for (const [x, y] of decoded.flat()) {
      count++;
      const position = [MARGIN + x * unitPx, MARGIN + y * unitPx] as const;
      const distance = Math.min(...traced.map(({ points }) => distanceFrom(points, position)));
      assert.ok(distance <= unitPx, `${distance} pixels away`);
      assert.ok(x >= -128 && x <= 4096 + 128 && y >= -128 && y <= 4096 + 128, `${x}, ${y}`);
      if (x < 0 || x > 4096 || y < 0 || y > 4096) outside++;
    }
    // Where the line was, there is still one.
    const simple = decoded.map((points) =>
      Float64Array.from(points.flatMap(([x, y]) => [MARGIN + x * unitPx, MARGIN + y * unitPx])),
    );
    for (const [x, y] of traced.flatMap(({ points }) => toPairs(points))) {
      if (x < MARGIN || x > MARGIN + SIZE || y < MARGIN || y > MARGIN + SIZE) continue;
      const distance = Math.min(...simple.map((points) => distanceFrom(points, [x, y])));
      assert.ok(distance <= 0.1 + unitPx, `${distance} pixels away`);
    }
  }
  assert.ok(outside > 0);
  assert.ok(count < lines.reduce((sum, { points }) => sum + points.length / 2, 0) / 2, `${count} points`);
});

test('lines of neighbouring tiles cross the border between them at the same points', () => {
  const crossings = (column: number, row: number, pick: (x: number, y: number) => number | null) =>
    decode(encodeContourTile(traceTile(column, row), TILE))!
      .features.flatMap(({ properties, lines }) =>
        lines.flat().flatMap(([x, y]) => {
          const along = pick(x, y);
          return along === null || along < 0 || along > 4096 ? [] : [`${properties.ele} m at ${along}`];
        }),
      )
      .sort();
  const east = crossings(0, 0, (x, y) => (x === 4096 ? y : null));
  assert.ok(east.length > 10);
  assert.deepEqual(
    crossings(1, 0, (x, y) => (x === 0 ? y : null)),
    east,
  );
  const south = crossings(0, 0, (x, y) => (y === 4096 ? x : null));
  assert.ok(south.length > 10);
  assert.deepEqual(
    crossings(0, 1, (x, y) => (y === 0 ? x : null)),
    south,
  );
});

test('fractional heights stay unchanged', () => {
  const lines = traceContours(
    makeHeightGrid(4, 4, (x) => x / 2 - 1.3),
    { intervalM: 0.5, maxPoints: 1000 },
  );
  const box = { minX: 0, minY: 0, maxX: 4, maxY: 4 };
  assert.deepEqual(
    decode(encodeContourTile(lines, { box, bufferPx: 0 }))?.features.map(({ properties }) => properties),
    [
      { ele: -1, index: false },
      { ele: -0.5, index: false },
      { ele: 0, index: true },
    ],
  );
});

test('without lines a tile is empty', () => {
  assert.equal(encodeContourTile([], TILE).length, 0);
});

test('lines become one MultiLineString per height, from the lowest up', () => {
  // A roof: every height has a line on both sides of the ridge.
  const roof = makeHeightGrid(9, 3, (x) => 12 - 3 * Math.abs(x - 4));
  const lines = traceContours(roof, { intervalM: 5, maxPoints: 1000 });
  const toLonLat = (x: number, y: number) => [10 + x / 3, 50 - y / 3] as const;
  assert.deepEqual(toContourFeatures(lines, toLonLat), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { ele: 5, index: false },
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [12.2777778, 49.8333333],
              [12.2777778, 49.1666667],
            ],
            [
              [10.7222222, 49.1666667],
              [10.7222222, 49.8333333],
            ],
          ],
        },
      },
      {
        type: 'Feature',
        properties: { ele: 10, index: false },
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [11.7222222, 49.8333333],
              [11.7222222, 49.1666667],
            ],
            [
              [11.2777778, 49.1666667],
              [11.2777778, 49.8333333],
            ],
          ],
        },
      },
    ],
  });
});

test('lines that rounding reduces to a point are omitted with their feature', () => {
  const slope = makeHeightGrid(2, 2, (x) => 10 * x + 1);
  const lines = traceContours(slope, { intervalM: 5, maxPoints: 100 });
  assert.equal(lines.length, 2);
  assert.deepEqual(toContourFeatures(lines, (x, y) => [x / 1e9, -y / 1e9]).features, []);
  assert.deepEqual(toContourFeatures([], () => [0, 0]).features, []);
});

/** Metres a pixel at the equator, in tiles of 256 pixels at zoom 0. */
const PIXEL_M = 156_543.03;

test('intervals shrink with the zoom level, and stay constant beyond the table', () => {
  const intervals = Array.from({ length: 23 }, (_, zoom) => contourIntervalM(zoom));
  assert.deepEqual(
    intervals,
    intervals.toSorted((one, other) => other - one),
  );
  assert.deepEqual(
    [15, 14, 13, 12, 1].map((zoom) => contourIntervalM(zoom)),
    [5, 10, 20, 50, 2000],
  );
  assert.deepEqual([contourIntervalM(22), contourIntervalM(14.9), contourIntervalM(-1)], [5, 10, 2000]);
});

test('on a slope of 10° lines are 5 to 8 pixels apart, where pixels are fine enough for slopes', () => {
  for (let zoom = 10; zoom <= 15; zoom++) {
    const spacingPx = contourIntervalM(zoom) / (Math.tan(Math.PI / 18) * (PIXEL_M / 2 ** zoom));
    assert.ok(spacingPx > 5 && spacingPx < 8, `${spacingPx} pixels at zoom ${zoom}`);
  }
});
