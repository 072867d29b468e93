import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BandInput } from '../../bandmath/index.ts';
import type { ReadWindow, WindowRequest } from '../../blocks/index.ts';
import type { Asset, NewScene, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { tileGrid } from '../../geo/index.ts';
import { loadKernels, makeComputeBands } from '../../raster/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { beginWork, readSources } from '../pixels/read-channels.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { toEtag } from '../plan/render-plan.ts';
import { planSceneSample } from '../samples/plan-sample.ts';
import { makeCompareScene } from './file-watch.ts';
import { stillFiles } from './testing/still-files.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const file = makeScene(21).assets.B04 as Asset;
const fields = { utmZone: 31, latitudeBand: 'T', gridSquare: 'DH' };

/** A scene with all bands, in files of its own. */
const sceneOf = (day: number, more: Partial<NewScene> = {}): Scene =>
  toScene(
    makeScene(day, {
      cloudPercent: 3,
      fields,
      assets: Object.fromEntries(
        sensor.bands.map(({ name }) => [name, { ...file, href: `scenes/${day}/${name}.tif` }]),
      ),
      ...more,
    }),
  );
const scene = sceneOf(21);
const before = sceneOf(11, { sunElevationDeg: 30 });
const LOOKS_BACK: readonly BandInput[] = [
  { band: 'B12', calibrated: true, scene: 'this' },
  { band: 'B12', calibrated: true, scene: 'earlier' },
];

const watch = stillFiles;

function makeStore(scenes: readonly Scene[]) {
  const calls = { searches: 0, isBroken: false };
  const search = async () => {
    calls.searches += 1;
    if (calls.isBroken) throw new Error('the disk is gone');
    return { found: scenes.length, scenes };
  };
  return { calls, scenes: { search } };
}

test('a request without a comparison costs no search', async () => {
  const { calls, scenes } = makeStore([before]);
  const compare = makeCompareScene({ scenes, watch, nowMs: () => 0 });
  assert.equal(await compare(scene, LOOKS_BACK.slice(0, 1)), scene);
  assert.equal(calls.searches, 0);
});

test('a found scene is remembered for half a minute, for all tiles; a changed scene is searched again', async () => {
  const { calls, scenes } = makeStore([before]);
  let now = 0;
  const compare = makeCompareScene({ scenes, watch, nowMs: () => now });
  const found = await Promise.all([compare(scene, LOOKS_BACK), compare(scene, LOOKS_BACK)]);
  assert.deepEqual(
    found.map(({ earlier }) => earlier?.viewId),
    [before.viewId, before.viewId],
  );
  assert.equal(found[0], found[1]);
  now = 29_999;
  await compare(scene, LOOKS_BACK);
  assert.equal(calls.searches, 1);
  now = 30_000;
  await compare(scene, LOOKS_BACK);
  assert.equal(calls.searches, 2);
  await compare({ ...scene, version: 'other' }, LOOKS_BACK);
  assert.equal(calls.searches, 3);
});

test('the absence of a scene is remembered too, a failed search is not', async () => {
  const none = makeStore([]);
  const compare = makeCompareScene({ scenes: none.scenes, watch, nowMs: () => 0 });
  assert.equal((await compare(scene, LOOKS_BACK)).earlier, null);
  assert.equal((await compare(scene, LOOKS_BACK)).earlier, null);
  assert.equal(none.calls.searches, 1);

  const broken = makeStore([before]);
  broken.calls.isBroken = true;
  const again = makeCompareScene({ scenes: broken.scenes, watch, nowMs: () => 0 });
  await assert.rejects(again(scene, LOOKS_BACK), /the disk is gone/);
  broken.calls.isBroken = false;
  assert.equal((await again(scene, LOOKS_BACK)).earlier, before);
});

const grid = tileGrid({ z: 14, x: 8331, y: 6055 });
const planOf = (earlier: Scene | null) =>
  planPicture({ sensor, bands: 'PR_FD', grid, options: defaultOptions }, { ...scene, earlier });

test('a plan names the earlier scene and its version, so the ETag depends on both', () => {
  const plan = planOf(before);
  assert.deepEqual(JSON.parse(JSON.stringify(plan.inputs)), plan.inputs);
  const told = plan.inputs.map(({ band, href, of }) => `${band} ${href} ${of?.viewId}`).sort();
  assert.deepEqual(
    told.filter((line) => line.startsWith('B12')),
    [`B12 scenes/11/B12.tif ${before.viewId}`, 'B12 scenes/21/B12.tif undefined'],
  );
  assert.equal(plan.inputs.length, 9, 'three bands of both, and three that say where trees were');
  const etags = [plan, planOf({ ...before, version: 'other' }), planOf(null)].map(toEtag);
  assert.equal(new Set(etags).size, 3);
  assert.equal(toEtag(planOf(before)), etags[0]);
});

test('without an earlier scene nothing is shown, and nothing is read', () => {
  const plan = planOf(null);
  assert.ok(plan.inputs.some(({ warp }) => warp === null));
  const { earlier: _, ...alone } = { ...scene, earlier: null };
  const same = planPicture({ sensor, bands: 'PR_FD', grid, options: defaultOptions }, alone);
  assert.equal(toEtag(same), toEtag(plan));
});

test('the sample for the contrast has both scenes, and each file is read under the name of its scene', async () => {
  const compared = { ...scene, earlier: before };
  const sample = planSceneSample(planOf(before), compared, DEFAULT_LIMITS.sample);
  assert.ok(sample.inputs.every(({ warp }) => warp !== null));
  const requests: WindowRequest[] = [];
  const kernels = loadKernels();
  const readWindow: ReadWindow = async (request, sink) => {
    requests.push(request);
    sink.begin();
  };
  const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  await readSources(planOf(before), beginWork(tools, new AbortController().signal));
  assert.equal(requests.length, 9);
  for (const { href, record } of requests) {
    const of = href.startsWith('scenes/11/') ? before : scene;
    assert.deepEqual(record, { name: of.viewId, version: of.version }, href);
  }
});
