import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../blocks/index.ts';
import type { Scene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { Mosaics } from '../mosaic/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { LayerJobs } from '../zonal/measuring.ts';
import { makeLayerJobs, makeReadLayers } from '../zonal/measuring.ts';
import { THIRDS_PX as SIDE, toTestArea, writeThirds } from '../zonal/testing/statistics-here.ts';
import type { ClassesMade, ClassesOrder } from './classes.ts';
import { makeClassMeasurer } from './classes.ts';
import type { ClassJobs } from './write-classes.ts';
import { classJobs } from './write-classes.ts';

const [BEFORE, AFTER] = ['S2L2A/31/T/DH/2026/6/1/0', 'S2L2A/31/T/DH/2026/6/4/0'];

let folder = '';
let scenes: readonly Scene[];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'classes-'));
  scenes = await Promise.all([
    writeThirds(folder, { day: 4, clouds: 25, gain: 2000 }),
    writeThirds(folder, { day: 1, clouds: 99, gain: 1000 }),
  ]);
});
after(() => rm(folder, { recursive: true, force: true }));

const order: ClassesOrder = {
  outline: toTestArea([0, 0, SIDE, SIDE]).outline,
  source: { kind: 'scene', viewId: AFTER },
  before: null,
  expressions: ['B04'],
  thresholds: [0.3, 0.5],
  masksClouds: true,
  filtersSpeckle: false,
  pixelM: null,
  minHectares: 0,
  bins: 10,
  range: null,
};

async function measure(change: Partial<ClassesOrder> = {}, mosaics: Partial<Mosaics> = {}) {
  const thread = makeThreadTools({
    files: { dataDir: folder, folders: [] },
    blocks: makeBlockCache(16 * 2 ** 20).handle,
  });
  const pool = makeRunnerHere<ClassJobs & LayerJobs>({ ...makeLayerJobs(thread), ...classJobs });
  const layers = makeReadLayers({
    scenes: { findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null },
    compareScene: async (scene) => scene,
    watch: { renew: () => Promise.reject(new Error('no file has changed')) },
    pool,
  });
  let made: ClassesMade | null = null;
  const bytes = await makeClassMeasurer({ layers, mosaics: mosaics as Mosaics, pool }).measure(
    { ...order, ...change },
    (found) => {
      made = found;
      return { kind: 'json', about: {}, legend: null };
    },
    aTicket,
  );
  const answer = JSON.parse(new TextDecoder().decode(bytes));
  return {
    pixels: answer.classes.map(({ pixels }: { pixels: number }) => pixels),
    answer,
    made: made! as ClassesMade,
  };
}

test('classes of a scene omit clouds unless they are to be counted', async () => {
  const { pixels, answer, made } = await measure();
  assert.deepEqual(pixels, [1200, 1200, 600]);
  assert.ok(Math.abs(answer.area.clear_percent - (100 * 50) / 60) < 1e-6);
  assert.deepEqual(made.scenes, [{ viewId: AFTER, date: '2026-06-04', isBefore: false }]);
  assert.deepEqual((await measure({ masksClouds: false })).pixels, [1200, 1200, 1200]);
});

test('a difference uses pixels that are clear in both scenes, in the requested order', async () => {
  const source = { kind: 'scene', viewId: BEFORE } as const;
  const later = await measure({ before: { source, difference: 'after-before' }, thresholds: [0.15] });
  assert.deepEqual(later.pixels, [1200, 1800]);
  assert.deepEqual(
    later.made.scenes.map(({ isBefore }) => isBefore),
    [false, true],
  );
  const earlier = await measure({ before: { source, difference: 'before-after' }, thresholds: [-0.15] });
  assert.deepEqual(earlier.pixels, [1800, 1200]);
});

test('larger pixels are means of the smaller ones', async () => {
  const { pixels, made, answer } = await measure({
    pixelM: 50,
    thresholds: [0.21, 0.39],
    masksClouds: false,
  });
  assert.deepEqual([made.grid.width, made.grid.transform[1]], [12, 50]);
  // Columns of 50 m from 0 to 600 m: borders lie at 200 and 400 m.
  assert.deepEqual(pixels, [48, 0, 96]);
  assert.ok(Math.abs(answer.area.hectares - 36.03) < 0.01, `${answer.area.hectares}`);
});

test('the first of several expressions whose bands exist is used', async () => {
  const { made } = await measure({ expressions: ['VV_DB', 'NDVI', 'B04'] });
  assert.equal(made.expression, 'B04');
});

const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

test('requests that cannot be measured are refused with the reason', async () => {
  await assert.rejects(measure({ source: { kind: 'scene', viewId: 'S2L2A/none' } }), isCode('unknown-scene'));
  await assert.rejects(measure({ expressions: ['NOPE'] }), isCode('unknown-band'));
  const elsewhere = toTestArea([9000, 9000, 9010, 9010]).outline;
  await assert.rejects(measure({ outline: elsewhere }), isCode('area-outside-scene'));
});

test('a mosaic is read on its own pixels, and large ones are refused with a size that fits', async () => {
  const search = {
    datasets: ['sentinel2l2a'],
    period: { from: '', to: '' },
    maxCloudPercent: null,
    area: null,
  };
  const composition = {
    selection: { kind: 'newest' },
    masked: { clouds: true, cirrus: true, shadows: true },
    dilateM: 0,
    featherPx: 0,
  } as const;
  const source = { kind: 'mosaic', mosaic: { search, composition } } as unknown as ClassesOrder['source'];
  const mosaics = {
    plan: async ({ grid, bands }: { grid: ClassesMade['grid']; bands: string }) => ({ grid, bands }),
    readValues: async ({ grid, bands }: { grid: ClassesMade['grid']; bands: string }) => {
      assert.equal(bands, 'B04');
      const count = grid.width * grid.height;
      return {
        channels: [new Float32Array(count).fill(0.4)],
        mask: new Uint8Array(count).fill(1),
        sources: [{ hit: { viewId: AFTER, acquiredAt: '2026-06-04T10:00:00Z' }, pixels: count }],
      };
    },
  } as unknown as Mosaics;
  const { answer, made } = await measure({ source }, mosaics);
  assert.deepEqual([made.grid.epsg, made.grid.transform[1]], [32_631, 10]);
  assert.equal(answer.classes[1].percent, 100);
  assert.ok(Math.abs(answer.area.hectares / 36.03 - 1) < 0.02, `${answer.area.hectares}`);
  const large = { source, outline: toTestArea([0, 0, 3000, 3000]).outline };
  await assert.rejects(
    measure(large, mosaics),
    (error) => isSwathError(error) && error.code === 'classes-too-large' && error.details.suggestion === 30,
  );
});
