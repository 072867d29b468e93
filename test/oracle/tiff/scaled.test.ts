import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { planBandInput } from '../../../src/render/plan/calibration.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';

const golden = new URL('../../golden/scaled/', import.meta.url);
const { values } = JSON.parse(readFileSync(new URL('unscaled.json', golden), 'utf8')) as {
  readonly values: readonly (readonly number[])[];
};

test('CALIBRATE scales the bands of a file as GDAL unscales them (make_scaled.py)', () =>
  withFolder(async (folder) => {
    await folder.write(
      'al/2011/1m/rgbir/30085/m_3008501_ne_16_1_20110815.tif',
      readFileSync(new URL('scaled.tif', golden)),
    );
    const { totals } = await ingestFolder(folder.options);
    assert.deepEqual([totals.ingested, totals.broken], [1, 0]);
    const [scene] = [...folder.scenes.values()];
    for (const [index, band] of ['R', 'G', 'B', 'N'].entries()) {
      const sensor = sensorByDataset('naip')!;
      const { rule, parameters } = planBandInput({ scene: scene!, sensor, band, calibrated: true });
      assert.equal(rule, 'linear', band);
      const [shift = 0, mult = 1] = parameters;
      for (const [pixel, expected] of values[index]!.entries()) {
        const stored = (4 * pixel + index) % 256;
        const value = Math.fround(Math.fround(stored + shift) * mult);
        // Both round to float32, GDAL once and the pass after each step.
        assert.ok(Math.abs(value - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), `${band} ${stored}`);
      }
    }
  }));
