import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { planCoverJob } from './measure-intensity.ts';

const l2a = sensorByDataset('sentinel2l2a')!;
const [asset] = Object.values(makeScene(21).assets);
const facts: Partial<NewScene> = {
  dataset: 'sentinel2l2a',
  viewId: 'S2L2A/31/T/DH/2026/8/17/0',
  assets: { B04: asset!, SCL: { ...asset!, type: 'uint8' } },
  cloudMask: { kind: 'classes', band: 'SCL' },
};

const countedOn = (sensor: Sensor): readonly string[] => {
  const scene = toScene(makeScene(21, facts));
  const planned = planCoverJob({
    scene,
    sensor,
    onlyOpaque: true,
    bounds: null,
    outlines: [],
    limits: DEFAULT_LIMITS.sample,
  });
  assert.ok(planned !== null);
  return planned.job.sample.inputs.map(({ band }) => band);
};

test('clouds are counted where the class band has data, or a measuring band if it has no nodata', () => {
  assert.deepEqual(countedOn(l2a), ['SCL']);
  const bands = l2a.bands.map((band) => (band.name === 'SCL' ? { ...band, nodata: null } : band));
  assert.deepEqual(countedOn({ ...l2a, bands }), ['B04']);
});
