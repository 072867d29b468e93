import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { summarize } from '../numbers/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { Measured } from './statistics-order.ts';
import { describeScene } from './statistics-order.ts';

const some = summarize(Float32Array.of(0.25, 0.5), null);

const measured = (more: Partial<Measured> = {}): Measured => ({
  statistics: some,
  areaPx: 100,
  validPx: 100,
  cloudPx: 20,
  isTouched: false,
  histogram: null,
  ...more,
});

interface Told {
  readonly dataset?: string;
  readonly scene?: Partial<NewScene>;
  readonly values?: readonly Measured[];
  readonly maxPercent?: number | null;
  readonly lacksClasses?: boolean;
  readonly lacksSun?: boolean;
}

function tell({
  dataset = 'sentinel2',
  scene = {},
  values = [measured()],
  maxPercent = null,
  ...lacks
}: Told) {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw new Error(dataset);
  return describeScene(
    {
      scene: toScene(makeScene(5, { dataset, ...scene })),
      sensor,
      measured: values,
      lacksClasses: false,
      lacksSun: false,
      ...lacks,
    },
    { histogram: null, clouds: { maxPercent, masked: 'none', level: null } },
  );
}

const notesOf = (told: Told): readonly string[] => tell(told).notes;
const cloudsOf = (told: Told) => {
  const outcome = tell(told);
  return 'cloudPercent' in outcome ? outcome.cloudPercent : outcome.message;
};

test('a scene is described by its name, clouds and values', () => {
  assert.deepEqual(tell({}), {
    viewId: 'S2/31/T/DH/2026/6/5/0',
    sceneId: 'S2A_tile_20260605_31TDH_0',
    date: '2026-06-05',
    cloudPercent: 20,
    notes: [],
    values: [some],
    histograms: null,
  });
});

test('the cloud percentage refers to the pixels with data in the first expression', () => {
  const values = [measured({ validPx: 40, cloudPx: 10 }), measured({ validPx: 100, cloudPx: 100 })];
  assert.equal(cloudsOf({ values }), 25);
});

test('without a mask the cloud percentage is that of the whole scene, and a note says so', () => {
  const told: Told = {
    dataset: 'landsat7',
    scene: { cloudPercent: 33 },
    values: [measured({ cloudPx: null })],
  };
  assert.equal(cloudsOf(told), 33);
  assert.deepEqual(notesOf(told), ['cloud is that of the whole scene']);
  // −1 in the metadata of Landsat: not computed.
  assert.equal(cloudsOf({ ...told, scene: { cloudPercent: -1 } }), 0);
});

test('sensors without cloud information have no cloud percentage and no note', () => {
  for (const dataset of ['modis', 'sentinel1', 'cbers4mux', 'naip']) {
    const told = { dataset, values: [measured({ cloudPx: null })] };
    assert.equal(cloudsOf(told), 0, dataset);
    assert.deepEqual(notesOf(told), [], dataset);
  }
});

test('coverage is partial if less than nine tenths of the area have data', () => {
  assert.deepEqual(notesOf({ values: [measured({ validPx: 89, cloudPx: 0 })] }), ['partial coverage']);
  assert.deepEqual(notesOf({ values: [measured({ validPx: 90, cloudPx: 0 })] }), []);
});

test('notes report a touched area, missing classes and a missing sun elevation', () => {
  assert.match(notesOf({ values: [measured({ isTouched: true })] })[0]!, /touches/);
  assert.match(notesOf({ lacksClasses: true })[0]!, /cloud_masking_level/);
  assert.match(notesOf({ lacksSun: true })[0]!, /sun/);
});

test('a scene without data in the area has no statistics', () => {
  const outcome = tell({ values: [measured({ validPx: 0, cloudPx: 0, statistics: null })] });
  assert.deepEqual('code' in outcome && [outcome.code, outcome.notes], ['no-data', []]);
});

test('a scene without data for its first expression still has data for the second', () => {
  const values = [measured({ validPx: 0, cloudPx: 0, statistics: null }), measured()];
  const outcome = tell({ values });
  assert.deepEqual('values' in outcome && [outcome.values, outcome.cloudPercent], [[null, some], null]);
});

const masked = measured({ statistics: null, cloudPx: 100 });

test('a completely masked scene has null values and a note', () => {
  const outcome = tell({ values: [masked], maxPercent: 100 });
  assert.deepEqual('values' in outcome && outcome.values, [null]);
  assert.deepEqual(outcome.notes, ['all pixels are masked as clouds']);
});

test('a scene with more clouds than allowed is left out', () => {
  const outcome = tell({ maxPercent: 19.9 });
  assert.ok('code' in outcome);
  assert.equal(outcome.code, 'clouds');
  assert.match(outcome.message, /20\.0 %.*19\.9/);
  assert.ok('values' in tell({ maxPercent: 20 }), 'as many clouds as allowed');
  assert.ok('values' in tell({ maxPercent: 0, values: [measured({ cloudPx: 0 })] }));
});

test('a scene left out for being completely cloudy says so', () => {
  const outcome = tell({ values: [masked], maxPercent: 50 });
  assert.deepEqual('code' in outcome && [outcome.code, outcome.message], [
    'clouds',
    'AOI contains clouds only',
  ]);
});
