import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../blocks/index.ts';
import type { Scene } from '../catalog/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { LayerJobs } from '../zonal/measuring.ts';
import { makeLayerJobs } from '../zonal/measuring.ts';
import { THIRDS_PX as SIDE, toTestArea, writeThirds } from '../zonal/testing/statistics-here.ts';
import type { ZoneJobs } from './zone-jobs.ts';
import { zoneJobs } from './zone-jobs.ts';
import type { UsedScene, ZonesOrder } from './zones.ts';
import { makeZoneMaker } from './zones.ts';

let folder = '';
let scenes: readonly Scene[];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zones-'));
  // Newest first: half clouded, clear, clouded in a corner, clear.
  const days = [
    { day: 4, clouds: 15, gain: 1000 },
    { day: 3, clouds: 99, gain: 1000 },
    { day: 2, clouds: 29, gain: 2000 },
    { day: 1, clouds: 99, gain: 500 },
  ];
  scenes = await Promise.all(days.map((one) => writeThirds(folder, { ...one, sceneId: `scene-${one.day}` })));
});
after(() => rm(folder, { recursive: true, force: true }));

function makeKit() {
  const files = { dataDir: folder, folders: [] };
  const thread = makeThreadTools({ files, blocks: makeBlockCache(16 * 2 ** 20).handle });
  const pool = makeRunnerHere<ZoneJobs & LayerJobs>({ ...makeLayerJobs(thread), ...zoneJobs });
  const zones = makeZoneMaker({
    scenes: {
      search: async ({ limit }) => ({ found: scenes.length, scenes: scenes.slice(0, limit) }),
      findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
    },
    compareScene: async (scene) => scene,
    watch: { renew: () => Promise.reject(new Error('no file has changed')) },
    pool,
  });
  return { zones, asked: pool.asked };
}

const order: ZonesOrder = {
  outline: toTestArea([0, 0, SIDE, SIDE]).outline,
  geometry: JSON.stringify(toTestArea([0, 0, SIDE, SIDE]).geometry),
  expression: 'B04',
  scenes: {
    kind: 'found',
    datasets: ['sentinel2l2a'],
    from: '2026-06-01',
    to: '2026-06-30',
    limit: 2,
    minClearPercent: 90,
  },
  count: 3,
  method: 'kmeans',
  smoothing: 0,
  minHectares: 0,
  tolerancePx: 0,
};

interface Made {
  readonly features: readonly { readonly properties: Readonly<Record<string, number>> }[];
}

async function make(change: Partial<ZonesOrder> = {}) {
  const { zones, asked } = makeKit();
  let used: readonly UsedScene[] = [];
  const bytes = await zones.make(
    { ...order, ...change },
    (found) => {
      used = found;
      return { kind: 'geojson', prescription: null, about: {} };
    },
    aTicket,
  );
  return { made: JSON.parse(new TextDecoder().decode(bytes)) as Made, used, asked };
}

test('zones use the newest scenes that are clear over the field', async () => {
  const { made, used, asked } = await make();
  assert.deepEqual(
    used.map(({ sceneId, date, clearPercent }) => [sceneId, date, clearPercent.toFixed(1)]),
    [
      ['scene-3', '2026-06-03', '100.0'],
      ['scene-2', '2026-06-02', '96.7'],
    ],
  );
  assert.deepEqual(
    made.features.map(({ properties }) => [properties.zone, properties.percent?.toFixed(1)]),
    [
      [1, '33.3'],
      [2, '33.3'],
      [3, '33.3'],
    ],
  );
  // The mean of 0.1 and 0.2: neither scene weighs more.
  assert.ok(Math.abs(made.features[0]!.properties.mean! - 0.15) < 1e-6);
  // The fourth scene is not read once two are found, unless its turn came before.
  assert.ok(asked.filter(({ kind }) => kind === 'read-layer').length <= 4);
  assert.ok(asked.every(({ ticket }) => ticket.bytes > 0));
});

test('named scenes are all used, also cloudy ones', async () => {
  const { used } = await make({
    scenes: { kind: 'named', viewIds: scenes.slice(0, 2).map(({ viewId }) => viewId) },
  });
  assert.deepEqual(
    used.map(({ clearPercent }) => Math.round(clearPercent)),
    [50, 100],
  );
});

test('a field that cannot be divided is refused with the reason', async () => {
  const refuse = async (change: Partial<ZonesOrder>, code: string): Promise<void> => {
    await assert.rejects(make(change), { code });
  };
  const found = order.scenes as Extract<ZonesOrder['scenes'], { kind: 'found' }>;
  await refuse({ scenes: { kind: 'named', viewIds: ['S2L2A/none'] } }, 'unknown-scene');
  await refuse({ outline: toTestArea([-90, -90, -20, -20]).outline }, 'area-outside-scene');
  await refuse({ outline: toTestArea([10.1, 10.1, 10.3, 10.3]).outline }, 'area-too-small');
  await refuse(
    {
      expression: 'B04',
      outline: toTestArea([40, 0, 60, 60]).outline,
      scenes: { kind: 'named', viewIds: [scenes[0]!.viewId] },
    },
    'no-clear-scene',
  );
  await refuse(
    { outline: toTestArea([24, 0, 60, 60]).outline, scenes: { ...found, minClearPercent: 1, limit: 1 } },
    'too-few-clear',
  );
  await refuse({ expression: 'B04,B04' }, 'one-value');
  await refuse({ expression: 'NOPE' }, 'unknown-band');
  await refuse(
    { expression: 'B04,B04', scenes: { kind: 'named', viewIds: [scenes[0]!.viewId] } },
    'one-value',
  );
});

test('a field with too many pixels is refused before any is read', async () => {
  const [, clear] = scenes;
  const assets = Object.fromEntries(
    Object.entries(clear!.assets).map(([band, asset]) => [band, { ...asset, width: 900, height: 900 }]),
  );
  const maker = makeZoneMaker({
    scenes: {
      search: () => Promise.reject(new Error('no search is expected')),
      findByViewId: async () => ({ ...clear!, assets }),
    },
    compareScene: async (scene) => scene,
    watch: { renew: async () => {} },
    // Without handlers, any job fails the test.
    pool: makeRunnerHere<ZoneJobs>({}),
  });
  const outline = toTestArea([0, 0, 800, 800]).outline;
  const made = maker.make(
    { ...order, outline, scenes: { kind: 'named', viewIds: ['x'] } },
    () => ({ kind: 'geojson', prescription: null, about: {} }),
    aTicket,
  );
  await assert.rejects(made, { code: 'zones-too-large' });
});
