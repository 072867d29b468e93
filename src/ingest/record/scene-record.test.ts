import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, sensors } from '../../sensors/index.ts';
import type { SceneFacts } from '../families/family.ts';
import { DEFAULT_FACTS } from '../families/family.ts';
import type { SceneParts } from './scene-record.ts';
import { chooseScale, toSceneRecord } from './scene-record.ts';

const [asset] = Object.values(makeScene(21).assets) as [Asset];

function toParts(
  sensor: Sensor,
  facts: Partial<SceneFacts> = {},
  more: Partial<SceneParts> = {},
): SceneParts {
  const [band] = sensor.bands as [Sensor['bands'][number]];
  return {
    facts: {
      ...DEFAULT_FACTS,
      sensor,
      viewId: `${sensor.abbreviation}/${sensor.sceneName.example}`,
      sceneId: 'x',
      acquiredAt: '2026-06-21T10:00:00.000Z',
      fields: {},
      ...facts,
    },
    sources: [{ band, asset: null, stated: null }],
    assets: { [band.name]: asset },
    cloudFlags: null,
    toFootprint: (extent) => extent,
    measuredPercent: null,
    provenance: 'folder',
    origin: { fingerprint: 'x', processed: '' },
    ...more,
  };
}

const [sentinel2] = sensors as [Sensor];
const coverageOf = (...[facts, more]: [Partial<SceneFacts>?, Partial<SceneParts>?]) => {
  const { coveragePercent, fields } = toSceneRecord(toParts(sentinel2, facts, more));
  assert.equal(fields.dataCoveragePercentage, coveragePercent);
  return coveragePercent;
};

/** The western half of an area's rectangle, or a rectangle larger than it. */
function toBox(extent: AreaGeometry, share: number): AreaGeometry {
  const { west, south, east, north } = geometryBounds(extent);
  const end = west + (east - west) * share;
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [end, south],
        [end, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

test('records of every sensor have a coverage', () => {
  for (const sensor of sensors) {
    const { fields } = toSceneRecord(toParts(sensor));
    assert.equal(fields.dataCoveragePercentage, 100, sensor.title);
    assert.equal(sensor.hitFields.dataCoveragePercentage, 'number', sensor.title);
  }
});

test('coverage is as stated, or as measured, or that of the footprint, and at most 100 %', () => {
  const measured = { measuredPercent: 61.5 };
  assert.equal(coverageOf({ coveragePercent: 72.25 }, measured), 72.25);
  assert.equal(coverageOf({ coveragePercent: 0 }, measured), 0);
  assert.equal(coverageOf({}, measured), 61.5);
  const half = coverageOf({}, { toFootprint: (extent) => toBox(extent, 0.5) });
  assert.ok(half !== null && Math.abs(half - 50) < 2, `${half}`);
  assert.equal(half, Number(half?.toFixed(2)));
  assert.equal(coverageOf({}, { toFootprint: (extent) => toBox(extent, 2) }), 100);
});

test('a mask in a missing band is ignored, and flags of an image replace it', () => {
  const classes = { cloudMask: { kind: 'classes', band: 'SCL' } } as const;
  const maskOf = (more: Partial<SceneParts>) => toSceneRecord(toParts(sentinel2, classes, more)).cloudMask;
  assert.equal(maskOf({}), undefined);
  assert.deepEqual(maskOf({ cloudFlags: asset }), { kind: 'flags', asset });
  const withClasses = { assets: { SCL: asset }, cloudFlags: asset };
  assert.deepEqual(maskOf(withClasses), classes.cloudMask);
});

test('constants of missing bands are not stored', () => {
  const facts = { earthSunDistanceAu: null, calibrationOf: () => ({ radiance: { mult: 2, add: 1 } }) };
  const bandsOf = (more: Partial<SceneParts>) =>
    toSceneRecord(toParts(sentinel2, facts, more)).calibration?.bands ?? null;
  assert.deepEqual(bandsOf({}), { B01: { radiance: { mult: 2, add: 1 } } });
  assert.equal(bandsOf({ assets: { B02: asset } }), null);
});

const bandOf = (dataset: string, band: string) =>
  findBand(sensors.find((sensor) => sensor.dataset === dataset)!, band)!;
const plain = { scale: 1, offset: 0 };
const own = { scale: 0.5, offset: -3 };

test('a band without a scale of its own takes that of its file, and the report says so', () => {
  const { note, ...scale } = chooseScale(bandOf('naip', 'R'), { stated: plain, ofFile: own });
  assert.deepEqual(scale, own);
  assert.equal(note, 'R: CALIBRATE uses the scale 0.5 and offset -3 of its file.');
});

test('product metadata take precedence over the file; a difference is reported, rounding is not', () => {
  const stated = { scale: 0.0001, offset: 0 };
  const band = bandOf('modis', 'B01');
  const { note, ...scale } = chooseScale(band, { stated, ofFile: own });
  assert.deepEqual(scale, stated);
  assert.match(note ?? '', /^B01: .* 0\.5 and offset -3 .* not used: .* say 0\.0001 and 0/);
  const rounded = { scale: Math.fround(0.0001), offset: 0 };
  assert.deepEqual(chooseScale(band, { stated, ofFile: rounded }), { ...stated, note: null });
});

test('bit masks and rules that need the stored numbers are never scaled', () => {
  for (const [dataset, band] of [
    ['landsat8', 'BQA'],
    ['landsat8', 'B4'],
    ['cbers4mux', 'BAND7'],
    ['sentinel1', 'VV'],
  ] as const) {
    const { note, ...scale } = chooseScale(bandOf(dataset, band), { stated: plain, ofFile: own });
    assert.deepEqual([scale, note?.includes('not used')], [plain, true], `${dataset} ${band}`);
  }
});

test('an invalid scale is ignored', () => {
  for (const ofFile of [plain, { scale: 0, offset: 1 }, { scale: Number.NaN, offset: 0 }])
    assert.deepEqual(chooseScale(bandOf('naip', 'R'), { stated: plain, ofFile }), { ...plain, note: null });
});
