import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../catalog/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { chooseCoverSource } from './plan-clouds.ts';

const MASK = { cloudMask: { kind: 'classes', band: 'SCL' } } as const;
const pixels = (onlyOpaque: boolean) => ({ kind: 'pixels', onlyOpaque });
const UNKNOWN = { kind: 'unknown' };
const stated = (percent: number) => ({ kind: 'known', percent, isCorrection: true });

function choose(dataset: string, facts: Partial<Scene>, [isWhole, onlyOpaque]: readonly [boolean, boolean]) {
  const scene = { cloudPercent: 41.2, ...facts } as Scene;
  return chooseCoverSource({ scene, sensor: sensorByDataset(dataset)!, isWhole, onlyOpaque });
}

test('if the mask distinguishes clouds, metadata are used only for all clouds of the whole scene, otherwise pixels', () => {
  for (const dataset of ['sentinel2', 'sentinel2l2a', 'landsat8', 'landsat9']) {
    assert.deepEqual(choose(dataset, MASK, [true, false]), stated(41.2));
    for (const how of [
      [true, true],
      [false, false],
      [false, true],
    ] as const) {
      assert.deepEqual(choose(dataset, MASK, how), pixels(how[1]));
    }
  }
});

test('a scene without a mask uses its metadata for the whole scene, and nothing for parts', () => {
  assert.deepEqual(choose('sentinel2', {}, [true, true]), stated(41.2));
  assert.deepEqual(choose('sentinel2', {}, [false, true]), UNKNOWN);
  assert.deepEqual(choose('sentinel2', { cloudPercent: null }, [true, false]), UNKNOWN);
  assert.deepEqual(choose('sentinel2', { cloudPercent: null, ...MASK }, [true, false]), pixels(false));
});

test('Landsat 4, 5 and 7 know clouds for whole scenes only; a value that was not computed counts as none', () => {
  for (const dataset of ['landsat4tm', 'landsat5tm', 'landsat7']) {
    assert.deepEqual(choose(dataset, MASK, [true, true]), stated(41.2));
    assert.deepEqual(choose(dataset, MASK, [false, false]), UNKNOWN);
    assert.deepEqual(choose(dataset, { cloudPercent: -1 }, [true, false]), stated(0));
    assert.deepEqual(choose(dataset, { cloudPercent: null }, [true, false]), stated(0));
  }
});

test('MODIS has no clouds left to correct for; for CBERS-4, NAIP and Sentinel-1 they are unknown', () => {
  const none = { kind: 'known', percent: 0, isCorrection: false };
  assert.deepEqual(choose('modis', {}, [true, false]), none);
  assert.deepEqual(choose('modis', {}, [false, true]), none);
  for (const dataset of ['cbers4mux', 'naip', 'sentinel1']) {
    assert.deepEqual(choose(dataset, {}, [true, false]), UNKNOWN);
  }
});
