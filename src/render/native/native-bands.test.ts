import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpressions } from '../../bandmath/index.ts';
import type { Asset } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { gridBounds } from '../../geo/index.ts';
import { makePixelMapping, makeProjection } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation, toExpressionNames } from '../../sensors/index.ts';
import { estimatePlanes, planInputs } from '../plan/plan-inputs.ts';
import { planWindow, planWindows, toUtmGrid, utmCodeAt } from './native-bands.ts';

const sensor = sensorByAbbreviation('S2') as Sensor;
const base = makeScene(21).assets.B04 as Asset;
const withPixel = (pixelM: number, shiftM = 0): Asset => ({
  ...base,
  transform: [500_000 + shiftM, pixelM, 0, 4_700_000, 0, -pixelM],
  width: 102_400 / pixelM,
  height: 102_400 / pixelM,
  overviews: [],
});

/** The plan of an expression on the grid of B11. */
function planOf(text: string, assets: Record<string, Asset>) {
  const scene = toScene(makeScene(21, { assets }));
  const tree = parseExpressions(text, toExpressionNames(sensor));
  const { epsg, transform, width, height } = assets.B11 as Asset;
  const grid = { epsg, transform, width, height };
  const inputs = planInputs(tree.inputs, { scene, sensor, calibrated: false, method: 'average', grid });
  return { plan: { viewId: scene.viewId, sceneVersion: scene.version, grid }, band: { tree, inputs } };
}

const window: PixelWindow = { x: 512, y: 1_024, width: 300, height: 200 };

test('bands on the file grid are read unchanged, finer ones are averaged', () => {
  const { plan, band } = planOf('B11/B04', { B04: withPixel(10), B11: withPixel(20) });
  const { inputs, grid } = planWindow(plan, band, window);
  const [coarse, fine] = inputs.map(({ warp }) => warp!);
  assert.deepEqual([coarse!.isCopy, coarse!.window], [true, window]);
  assert.equal(fine!.isCopy, undefined);
  assert.deepEqual([fine!.level, fine!.method], [0, 'average']);
  assert.ok(fine!.window.x >= 1_022 && fine!.window.x <= 1_024 && fine!.window.y <= 2_048);
  assert.ok(fine!.window.width >= 600 && fine!.window.width <= 604);
  assert.deepEqual(grid.transform, [510_240, 20, 0, 4_679_520, 0, -20]);
});

test('a band on another grid, or one that ends within the window, is resampled', () => {
  const shifted = planOf('B11/B12', { B12: withPixel(20, 7), B11: withPixel(20) });
  assert.deepEqual(
    planWindow(shifted.plan, shifted.band, window).inputs.map(({ warp }) => warp?.isCopy),
    [true, undefined],
  );
  const short = planOf('B11/B12', { B12: { ...withPixel(20), width: 700 }, B11: withPixel(20) });
  assert.equal(planWindow(short.plan, short.band, window).inputs[1]?.warp?.isCopy, undefined);
  assert.equal(planWindow(short.plan, short.band, { ...window, x: 100 }).inputs[1]?.warp?.isCopy, true);
  const whole = planWindow(short.plan, short.band, { ...window, x: 2_000 });
  assert.equal(whole.inputs[1]?.warp, null, 'beyond its end there is nothing to read');
});

test('a window whose inputs take too much memory is computed in pieces that cover it', () => {
  const { plan, band } = planOf('B11*B04*B03*B02', {
    B02: withPixel(2),
    B03: withPixel(2),
    B04: withPixel(2),
    B11: withPixel(20),
  });
  const strip = { x: 1_024, y: 512, width: 1_100, height: 500 };
  const pieces = [...planWindows(plan, band, strip)];
  assert.ok(pieces.length > 4);
  const covered = new Uint8Array(strip.width * strip.height);
  for (const { window: piece, pixels } of pieces) {
    assert.ok(estimatePlanes(pixels) <= 64 * 2 ** 20);
    assert.deepEqual([pixels.grid.width, pixels.grid.height], [piece.width, piece.height]);
    for (let y = 0; y < piece.height; y++) {
      const start = (piece.y - strip.y + y) * strip.width + piece.x - strip.x;
      for (let i = start; i < start + piece.width; i++) covered[i] = covered[i]! + 1;
    }
  }
  assert.ok(covered.every((count) => count === 1));
  assert.equal([...planWindows(plan, band, { ...strip, width: 10, height: 10 })].length, 1);
});

test('zones follow longitude and hemisphere, also beyond the antimeridian', () => {
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

test('an image without a grid gets one in its UTM zone that contains all of it, in round numbers', () => {
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
