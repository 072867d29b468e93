import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { planChannelSample } from '../intensity/find-contrast.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { toEtag } from '../plan/render-plan.ts';
import { defaultOptions } from './testing/default-options.ts';
import type { TileRequest } from './testing/plan-tile.ts';
import { planTile } from './testing/plan-tile.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);

/** 1024² pixels of 10 m from 500000, 4700000 in UTM 31: just east of 3° E at about 42.45° N. */
const scene = toScene(makeScene(21, { cloudPercent: 4 }));
/** A tile that lies wholly inside of the scene at about its own resolution, and one far away. */
const INSIDE = { z: 14, x: 8331, y: 6055 };
const AWAY = { z: 14, x: 0, y: 0 };

const request = (more: Partial<TileRequest> = {}): TileRequest => ({
  sensor,
  bands: 'B04,B03,B02',
  tile: INSIDE,
  options: defaultOptions,
  ...more,
});

/** Which pixels the contrast of the first channel is measured on. */
function readOf(plan: RenderPlan, of: Scene = scene) {
  const { sample } = planChannelSample(plan, 0, { scene: of, limits: DEFAULT_LIMITS.sample });
  const { level, window } = sample.inputs[0]!.warp!;
  return { level, window, size: [sample.grid.width, sample.grid.height] };
}

test('a plan is plain JSON that names files, levels and windows', () => {
  const plan = planTile(request(), scene);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
  assert.equal(plan.grid.epsg, 3857);
  assert.equal(plan.inputs.length, 3);
  const [input] = plan.inputs;
  assert.ok(input?.warp);
  assert.equal(input.href, 'scenes/test/B04.tif');
  assert.equal(input.warp.level, 0);
  assert.equal(input.warp.method, 'bilinear');
  const { x, y, width, height } = input.warp.window;
  assert.ok(x >= 0 && y >= 0 && x + width <= 1024 && y + height <= 1024);
  assert.ok(width > 100 && width < 400, `a tile of 256 px needs about as many source pixels, not ${width}`);
});

test('the radiometric offset is subtracted when reading', () => {
  const [input] = planTile(request(), scene).inputs;
  assert.equal(input?.rule, 'shifted');
  assert.deepEqual(input?.parameters, [-1000]);
});

test('the default contrast is 2–98 % of the scene with its clouds, counted where it has a mask; a given one is used unchanged', () => {
  const cutOf = (of: Scene) => {
    const [stretch] = planTile(request(), of).stretches;
    assert.ok(stretch?.kind === 'measured');
    return stretch.cut;
  };
  const cut = { lowPercent: 2, highPercent: 98 };
  assert.deepEqual(cutOf(scene), { ...cut, cover: { kind: 'known', percent: 4, isCorrection: true } });
  const masked: Scene = { ...scene, cloudMask: { kind: 'polygons', href: 'clouds.gml', epsg: 32631 } };
  assert.deepEqual(cutOf(masked), { ...cut, cover: { kind: 'pixels', onlyOpaque: true } });
  const options = { ...request().options, range: { min: 1, max: 2 } };
  assert.deepEqual(planTile(request({ options }), scene).stretches[0], {
    kind: 'fixed',
    min: 1,
    max: 2,
  });
});

test('8-bit photographs are shown unchanged', () => {
  const naip = sensorByAbbreviation('NAIP');
  assert.ok(naip);
  const [asset] = Object.values(scene.assets);
  const photograph = { ...scene, assets: { R: { ...(asset as Asset), type: 'uint8' as const } } };
  const [stretch] = planTile(request({ sensor: naip, bands: 'R' }), photograph).stretches;
  assert.deepEqual(stretch, { kind: 'fixed', min: 0, max: 255 });
});

test('a coarse tile reads an overview', () => {
  const plan = planTile(request({ tile: { z: 11, x: 1041, y: 756 } }), scene);
  assert.equal(plan.inputs[0]?.warp?.level, 1);
  const window = { x: 0, y: 0, width: 512, height: 512 };
  assert.deepEqual(readOf(plan), { level: 1, window, size: [512, 512] });
});

test('a tile outside the scene reads nothing', () => {
  assert.deepEqual(
    planTile(request({ tile: AWAY }), scene).inputs.map(({ warp }) => warp),
    [null, null, null],
  );
});

test('equal requests have equal ETags; any difference gives another', () => {
  const etag = (more: Partial<TileRequest> = {}, of = scene) => toEtag(planTile(request(more), of));
  assert.equal(etag(), etag());
  const others = [
    etag({ bands: 'B04,B03,B03' }),
    etag({ tile: { ...INSIDE, x: INSIDE.x + 1 } }),
    etag({ options: { ...request().options, method: 'near' } }),
    etag({ options: { ...request().options, format: 'png' } }),
    etag({ options: { ...request().options, range: { min: 0, max: 1 } } }),
    etag({}, toScene(makeScene(21, { cloudPercent: 4, sunElevationDeg: 1 }))),
  ];
  assert.equal(new Set([etag(), ...others]).size, others.length + 1);
});

test('a band without a file in the scene is unsupported, even if its name is an inherited property', () => {
  assert.throws(() => planTile(request({ bands: 'B08' }), scene), {
    tag: 'unsupported',
    code: 'no-such-band-file',
  });
});

test('a picture that would need too much memory is refused before anything is read', () => {
  // A scene of 60000² pixels without overviews, asked for as a whole.
  const huge: Asset = { ...(scene.assets.B04 as Asset), width: 60_000, height: 60_000, overviews: [] };
  const plain = toScene(makeScene(21, { assets: { B04: huge } }));
  assert.throws(() => planTile(request({ bands: 'B04', tile: { z: 6, x: 32, y: 23 } }), plain), {
    code: 'too-expensive',
    tag: 'unsupported',
  });
});

test('the contrast of a huge file without smaller copies is measured in its middle', () => {
  const asset = { ...Object.values(scene.assets)[0]!, width: 25_000, height: 2_000, overviews: [] };
  const huge = toScene(makeScene(21, { assets: { B04: asset } }));
  const { level, window } = readOf(planTile(request({ bands: 'B04' }), huge), huge);
  assert.equal(level, 0);
  assert.ok(window.width * window.height <= 16 * 2 ** 20, 'as many as a thread has memory for');
  assert.ok(Math.abs(window.x + window.width / 2 - 12_500) <= 2, `${window.x}`);
  assert.ok(Math.abs(window.y + window.height / 2 - 1_000) <= 2, `${window.y}`);
});
