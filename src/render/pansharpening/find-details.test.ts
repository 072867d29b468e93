import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileGrid } from '../../geo/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeFindContrast } from '../intensity/find-contrast.ts';
import type { IntensityJobs } from '../intensity/measure-intensity.ts';
import { makeMeasureIntensity } from '../intensity/measure-intensity.ts';
import type { RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { makeTestTools } from '../pixels/testing/compute-plan.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import type { DetailJobs } from './sharpen-channels.ts';
import { makeMeasureDetail } from './sharpen-channels.ts';
import { computeSharp } from './testing/compute-sharp.ts';
import { landsat, MIDDLE, makeLandsat, paintScene } from './testing/landsat-scene.ts';

const scene = makeLandsat('L8');
const images = paintScene(scene);

const planOf = (
  bands: string,
  more: Partial<RenderOptions> = {},
  tile: { z: number; x: number; y: number } = MIDDLE,
) =>
  planPicture(
    {
      sensor: landsat('L8'),
      bands,
      grid: tileGrid(tile),
      options: { ...defaultOptions, isSharpened: true, ...more },
    },
    scene,
  );

/** The real jobs, run at once. */
function makeFind(store = new Map<string, { min: number; max: number }>()) {
  const tools = makeTestTools(images);
  const pool = makeRunnerHere<IntensityJobs & DetailJobs>({
    intensity: makeMeasureIntensity(tools),
    'index-detail': makeMeasureDetail(tools),
  });
  const find = makeFindContrast({
    limits: DEFAULT_LIMITS,
    pool,
    onForgotten: (error) => assert.fail(String(error)),
    store: {
      find: async (key) => store.get(key) ?? null,
      put: async (key, range) => void store.set(key, range),
    },
  });
  /** Kinds of the jobs so far. */
  const listRan = (): readonly string[] => {
    for (const { ticket } of pool.asked) assert.ok(ticket.bytes > 0 && ticket.bytes < 256 * 2 ** 20);
    return pool.asked.map(({ kind }) => kind);
  };
  return {
    listRan,
    store,
    find: (plan: ReturnType<typeof planOf>) => find({ plan, scene }, aTicket),
  };
}

test('the detail of an index is measured once for the scene, whichever tile comes first', async () => {
  const { find, listRan } = makeFind();
  const [first] = await find(planOf('NDVI', { range: { min: 0, max: 1 } }));
  assert.ok(first?.detail !== undefined && first.detail.amount > 0);
  assert.ok(first.detail.min < first.detail.max);
  const tile = { z: 14, x: 2 * MIDDLE.x, y: 2 * MIDDLE.y };
  const [again] = await find(planOf('NDVI', { range: { min: 0, max: 1 } }, tile));
  assert.deepEqual(again, first);
  assert.deepEqual(listRan(), ['index-detail']);
});

test('the amount gives the detail half of the spread of the index, so it is visible', async () => {
  const { find } = makeFind();
  const plan = planOf('NDVI');
  const [{ detail } = {}] = await find(plan);
  assert.ok(detail);
  const [plain] = await computeSharp(planOf('NDVI', { isSharpened: false }), images);
  const [sharp] = await computeSharp(plan, images, [detail]);
  const spread = (values: readonly number[]): number => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  };
  const seen = [...plain!.values].map((value, i) => [value, sharp!.values[i]! - value] as const);
  const inside = seen.filter((_, i) => sharp!.mask[i] === 1);
  const share = spread(inside.map(([, added]) => added)) / spread(inside.map(([value]) => value));
  assert.ok(share > 0.3 && share < 0.7, `${share}`);
});

test('other expressions, methods and calibrations are measured separately; bands need no measurement', async () => {
  const { find, listRan } = makeFind();
  const range = { min: 0, max: 1 };
  await find(planOf('NDVI', { range }));
  await find(planOf('NDWI', { range }));
  await find(planOf('NDVI', { range, method: 'near' }));
  await find(planOf('NDVI', { range, calibrated: true }));
  assert.equal(listRan().length, 4);
  const [band] = await find(planOf('B4', { range }));
  assert.equal('detail' in band!, false);
  const mixed = await find(planOf('NDVI,B4,B3', { range, isComposite: true }));
  assert.deepEqual(
    mixed.map((channel) => 'detail' in channel),
    [true, false, false],
  );
  assert.equal(listRan().length, 5);
});

test('the contrast of a Brovey transform is measured on the shown values', async () => {
  const { find } = makeFind();
  const ranges = await find(planOf('B5,B4,B3'));
  const plain = await find(planOf('B5,B4,B3', { isSharpened: false }));
  assert.notDeepEqual(ranges, plain);
  const shown = await computeSharp(planOf('B5,B4,B3'), images);
  for (const [i, { values, mask }] of shown.entries()) {
    const { min, max } = ranges[i]!;
    const inside = values.filter((_, at) => mask[at] === 1);
    const cut = inside.filter((value) => value >= min && value <= max).length / inside.length;
    assert.ok(cut > 0.85 && cut <= 1, `${cut} of channel ${i} lies in its contrast`);
  }
});
