import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { encodeContourTile } from './encode-contour-tile.ts';
import { makeHeightGrid } from './testing/make-height-grid.ts';
import { distanceFrom, toPairs } from './testing/measure-line.ts';
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

test('lines are where they were traced, up to simplification and rounding, and end with the buffer', () => {
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

test('heights that are not whole stay what they are', () => {
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
