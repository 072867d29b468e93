import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid, MultiPolygonGeometry } from '../geo/index.ts';
import type { Selection } from '../mosaic/index.ts';
import type { MosaicsHere, TestScene } from '../mosaic/testing/mosaics-here.ts';
import { cutGrid, makeMosaicsHere, NATIVE } from '../mosaic/testing/mosaics-here.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import { makeMeasureMosaic } from './measure-mosaic.ts';
import type { WatchedShape } from './subscription.ts';

/** A square of the middle of a zone, with room around the fields. */
const TILE: Grid = { ...NATIVE, width: 160, height: 160 };

/** Numbers that look random, the same in each run. */
const mix = (...parts: readonly number[]): number => {
  let state = 7;
  for (const part of parts) state = Math.imul(state ^ (part + 1), 0x9e3779b1) ^ (state >>> 13);
  return (state >>> 0) / 2 ** 32;
};

const sceneOf = (day: number, more: Partial<TestScene> = {}): TestScene => ({
  day,
  grid: TILE,
  bands: {
    B04: (column, row) => 200 + Math.floor(1_000 * mix(day, column, row)),
    B08: (column, row) => 1_500 + Math.floor(3_000 * mix(day, row, column)),
  },
  // Patches of clouds of several pixels.
  classAt: (column, row) => (mix(day, column >> 3, row >> 3) < 0.4 ? 9 : 4),
  ...more,
});

/** Fields with slanted sides in rows; a few lie across the edge of the scenes. */
const shapes: readonly WatchedShape[] = Array.from({ length: 36 }, (_, i) => {
  const { forward } = makeProjection(TILE.epsg, 4326);
  const [left, , , top] = TILE.transform;
  const toDegrees = (column: number, row: number) =>
    forward(left + 10 * column, top - 10 * row) as [number, number];
  const [column, row] = [(i % 6) * 28 + 3 * mix(i, 1), Math.floor(i / 6) * 28 + 3 * mix(i, 2)];
  const size = 9 + 12 * mix(i, 3);
  const ring = [
    toDegrees(column, row + 2),
    toDegrees(column + 1, row + size),
    toDegrees(column + size, row + size - 2),
    toDegrees(column + size - 1, row),
  ];
  const geometry: MultiPolygonGeometry = {
    type: 'MultiPolygon',
    coordinates: [[[...ring, ring[0] as [number, number]]]],
  };
  return { id: `field-${i}`, geometry } as WatchedShape;
});

/** Measures shapes in the mosaic of the scenes, all of one call together. */
async function measure(here: MosaicsHere, own: readonly WatchedShape[], selection: Selection, more = {}) {
  const measureMosaic = makeMeasureMosaic({
    mosaics: here.mosaics,
    atOnce: 2,
    onRefused: (_, __, error) => assert.fail(error as Error),
  });
  const composition = {
    selection,
    masked: { clouds: true, cirrus: true, shadows: true },
    dilateM: 20,
    featherPx: 0,
    ...more,
  };
  const { hits } = here.search();
  const readings = await measureMosaic(
    { name: '2026-07', from: '2026-07-01', to: '2026-07-31', scenes: hits },
    {
      shapes: own,
      value: {
        datasets: ['sentinel2l2a'],
        expressions: ['NDVI', 'B04'],
        minDataPercent: 10,
        maxCloudPercent: 100,
      },
      mosaic: { composition, isRanked: false, maxCloudPercent: null },
    } as unknown as Parameters<typeof measureMosaic>[1],
    { ...aTicket, signal: new AbortController().signal },
  );
  return readings.map((found) =>
    found.map(({ fieldId, value, scenes }) => [fieldId, value, ...scenes.map(({ viewId }) => viewId)]),
  );
}

/** The same, shape by shape. */
async function measureEach(here: MosaicsHere, selection: Selection, more = {}) {
  const all: Awaited<ReturnType<typeof measure>>[number][] = [[], []];
  for (const shape of shapes)
    for (const [i, found] of (await measure(here, [shape], selection, more)).entries())
      all[i]!.push(...found);
  return all;
}

const days = [3, 7, 12, 18, 24];
const SELECTIONS: readonly Selection[] = [
  { kind: 'newest' },
  { kind: 'highest', by: 'NDVI' },
  { kind: 'mean' },
  { kind: 'median' },
  { kind: 'medoid' },
];

for (const selection of SELECTIONS)
  test(`fields measured together have the values and scenes that each has alone: ${selection.kind}`, async () => {
    const here = makeMosaicsHere(...days.map((day) => sceneOf(day)));
    const together = await measure(here, shapes, selection);
    const reads = here.takeReads().length;
    assert.deepEqual(together, await measureEach(here, selection));
    assert.ok(together[0]!.length > 25, 'most fields have a value');
    // Two expressions: each reads its scenes once for all fields.
    const readsEach = here.takeReads().length;
    assert.ok(8 * reads < readsEach, `${reads} reads for all fields, ${readsEach} field by field`);
  });

test('faded edges equal those of each field alone', async () => {
  const here = makeMosaicsHere(...days.map((day) => sceneOf(day)));
  const faded = { featherPx: 4 };
  assert.deepEqual(
    await measure(here, shapes, { kind: 'newest' }, faded),
    await measureEach(here, { kind: 'newest' }, faded),
  );
});

test('if a scene has another zone, each field is measured by itself', async () => {
  const { forward } = makeProjection(TILE.epsg, 32632);
  const [x, y] = forward(TILE.transform[0], TILE.transform[3]);
  const transform: Grid['transform'] = [Math.round(x) - 200, 10, 0, Math.round(y) + 400, 0, -10];
  const other = { ...TILE, epsg: 32632, transform, width: 256, height: 256 };
  const here = makeMosaicsHere(sceneOf(3), sceneOf(28, { grid: other }), sceneOf(12));
  const together = await measure(here, shapes, { kind: 'newest' });
  assert.ok(here.takeReads().length > shapes.length);
  assert.deepEqual(together, await measureEach(here, { kind: 'newest' }));
});

test('fields without a scene have no value, and the others keep theirs', async () => {
  const half = cutGrid(TILE, 0, 0, 80, 160);
  const here = makeMosaicsHere(sceneOf(3, { grid: half }), sceneOf(7, { grid: half }));
  const [found] = await measure(here, shapes, { kind: 'newest' });
  assert.deepEqual(found, (await measureEach(here, { kind: 'newest' }))[0]);
  assert.ok(found!.length > 5 && found!.length < shapes.length);
});
