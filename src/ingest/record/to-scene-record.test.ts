import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { SceneFacts } from '../families/scene-facts.ts';
import { DEFAULT_FACTS } from '../families/scene-facts.ts';
import type { SceneParts } from './to-scene-record.ts';
import { toSceneRecord } from './to-scene-record.ts';

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
