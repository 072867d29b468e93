import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NewScene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { toTestAsset } from '../zonal/testing/statistics-here.ts';
import { describeMask, planCells, toRectangles } from './plan-mask.ts';

const imageOf = (name: string, pixelM: number) =>
  toTestAsset(name, { width: 6_000 / pixelM, height: 6_000 / pixelM, pixelM });
const fine = imageOf('fine', 10);
const middle = imageOf('middle', 20);
const coarse = imageOf('coarse', 60);

function describe(dataset: string, more: Partial<NewScene>) {
  const scene = toScene(makeScene(1, { dataset, ...more }));
  const found = describeMask(scene, sensorByDataset(dataset) as Sensor);
  return found === null ? null : [found.grid.transform[1], found.hasClouds, found.dataBand];
}

test('the pixels of a mask are those of its file, and it marks data if it has a value for that', () => {
  const classes = { kind: 'classes', band: 'SCL' } as const;
  const assets = { B02: fine, SCL: middle, B01: coarse };
  assert.deepEqual(describe('sentinel2l2a', { assets, cloudMask: classes }), [20, true, 'SCL']);
  const without = { ...assets, SCL: { ...middle, nodata: null }, B05: middle };
  assert.deepEqual(describe('sentinel2l2a', { assets: without, cloudMask: classes }), [20, true, 'B05']);
  const bits = { kind: 'quality', band: 'BQA', layout: 'collection-2' } as const;
  assert.deepEqual(describe('landsat8', { assets: { BQA: middle, B4: fine }, cloudMask: bits }), [
    20,
    true,
    'BQA',
  ]);
});

test('a separate mask has the data of the band with the nearest resolution; polygons use the finest pixels', () => {
  const assets = { B02: fine, B05: middle, B01: coarse };
  const flags = { kind: 'flags', asset: { ...coarse, href: 'mask.tif' } } as const;
  assert.deepEqual(describe('sentinel2', { assets, cloudMask: flags }), [60, true, 'B01']);
  const polygons = { kind: 'polygons', href: 'clouds.gml', epsg: 32_631 } as const;
  assert.deepEqual(describe('sentinel2', { assets, cloudMask: polygons }), [10, true, 'B02']);
});

test('a scene without a mask has the data of its coarsest band, and one without a regular grid has nothing', () => {
  assert.deepEqual(describe('sentinel2', { assets: { B02: fine, B01: coarse } }), [60, false, 'B01']);
  // The sensor's scenes have classes in a band; this one lacks its file.
  const cloudMask = { kind: 'classes', band: 'SCL' } as const;
  assert.deepEqual(describe('sentinel2l2a', { assets: { B02: fine }, cloudMask }), [10, false, 'B02']);
  const lattice = { cols: [0, 10], rows: [0, 10], x: [2, 3, 2, 3], y: [43, 43, 42, 42] };
  assert.equal(describe('sentinel1', { assets: { VV: { ...fine, lattice } } }), null);
});

test('property: rectangles contain exactly the cells, each once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(399), { maxLength: 120 }),
      fc.integer({ min: 1, max: 30 }),
      (given, across) => {
        const cells = given.toSorted((a, b) => a - b);
        const held = toRectangles(cells, across).flatMap(({ col, row, cols, rows }) => {
          assert.ok(cols <= 8 && rows <= 8 && col + cols <= across);
          return Array.from(
            { length: cols * rows },
            (_, i) => (row + Math.floor(i / cols)) * across + col + (i % cols),
          );
        });
        assert.deepEqual(
          held.toSorted((a, b) => a - b),
          cells,
        );
      },
    ),
    { numRuns: casesOf(300) },
  );
});

test('many cells are read by several jobs, and the cells of one field by one job in one piece', () => {
  const image = toTestAsset('SCL', { width: 5_490, height: 5_490, pixelM: 20 });
  const scene = toScene(
    makeScene(1, {
      dataset: 'sentinel2l2a',
      assets: { SCL: image },
      cloudMask: { kind: 'classes', band: 'SCL' },
    }),
  );
  const sensor = sensorByDataset('sentinel2l2a') as Sensor;
  const mask = describeMask(scene, sensor)!;
  const [field, ...others] = planCells({ scene, sensor, mask }, [44, 45, 87, 88]);
  assert.equal(others.length, 0);
  assert.deepEqual(
    field?.job.pieces.map(({ window }) => window),
    [{ x: 128, y: 128, width: 256, height: 256 }],
  );
  const whole = planCells(
    { scene, sensor, mask },
    Array.from({ length: 43 * 43 }, (_, i) => i),
  );
  assert.ok(whole.length >= (43 * 43) / 256);
  assert.ok(whole.every(({ bytes }) => bytes < 64 * 2 ** 20));
});
