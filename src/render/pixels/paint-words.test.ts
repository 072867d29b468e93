import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadWindow } from '../../blocks/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { paintCanvas, toRgba } from '../pictures/draw.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { planTile } from '../pictures/testing/plan-tile.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { beginWork } from './read-channels.ts';
import { makeTestTools } from './testing/compute-plan.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const fine = makeScene(21);
const B04 = fine.assets.B04;
assert.ok(B04);
/** Pixels of twice the size, so that not all windows are alike. */
const coarse = {
  ...B04,
  transform: [500000, 20, 0, 4700000, 0, -20] as const,
  width: 512,
  height: 512,
  overviews: [],
};
const scene = toScene({ ...fine, assets: { ...fine.assets, B11: coarse } });
const options = { ...defaultOptions, method: 'near' as const };
/** Within the scene, and over its edge. */
const TILES = [
  { z: 14, x: 8331, y: 6055 },
  { z: 8, x: 130, y: 94 },
];

/** Draws a tile of a pattern whose samples are words or floats; the empty ones are those of one band. */
async function draw(
  plan: RenderPlan,
  Type: typeof Uint16Array | typeof Float32Array,
  hasEmpty: boolean,
  gamma = 1,
) {
  const tools = makeTestTools({});
  let kept = 0;
  const readWindow: ReadWindow = async ({ band, read: { window } }, sink) => {
    const { width, height, x, y } = window;
    sink.begin();
    const pixels = new Type(width * height);
    for (const i of pixels.keys()) {
      const [column, row] = [x + (i % width), y + Math.floor(i / width)];
      const isEmpty = hasEmpty && band === 'B03' && (column + row) % 50 === 0;
      pixels[i] = isEmpty ? 0 : 1 + ((column * 131 + row * 71 + band.charCodeAt(2) * 997) % 12_000);
    }
    sink.add({ pixels, width, height, corner: { x: 0, y: 0 }, mask: null });
    if ('wordsAt' in sink && sink.wordsAt !== 0) kept += 1;
  };
  const readClouds = () => assert.fail('there are no clouds');
  const work = { ...beginWork({ ...tools, readWindow }, new AbortController().signal), readClouds };
  const contrast = plan.stretches.map((_, i) => ({ min: 300 + i, max: 9_500 - 7 * i, gamma }));
  const canvas = await paintCanvas({ plan, contrast, outline: null }, work);
  const { rgbaAt, isOpaque } = toRgba(canvas, work);
  const rgba = Buffer.from(work.kernels.buffer(), rgbaAt, 4 * canvas.count).toString('base64');
  return { kept, picture: { isOpaque, rgba } };
}

for (const bands of ['B04,B03,B02', 'B04,B04,B03', 'B03'])
  test(`nearest pixels of ${bands} look the same whether their samples are words or floats`, async () => {
    for (const tile of TILES) {
      const plan = planTile({ sensor, bands, tile, options }, scene);
      for (const hasEmpty of [false, true]) {
        const words = await draw(plan, Uint16Array, hasEmpty);
        const floats = await draw(plan, Float32Array, hasEmpty);
        assert.deepEqual(words.picture, floats.picture);
        assert.equal(floats.kept, 0);
        if (!hasEmpty) assert.equal(words.kept, plan.inputs.length);
      }
    }
  });

for (const bands of ['B04-B03', '(B04-B03)/(B04+B03)', 'B04', 'B11,B04,B03', 'B04-B11'])
  test(`${bands} in colours, or with a curve, is the same whether samples are words or floats`, async () => {
    for (const tile of TILES) {
      const color = bands.includes(',')
        ? {}
        : { colormap: { kind: 'named', name: 'RdYlGn', isReversed: false } as const };
      const plan = planTile({ sensor, bands, tile, options: { ...options, color } }, scene);
      for (const hasEmpty of [false, true]) {
        const words = await draw(plan, Uint16Array, hasEmpty, 2);
        const floats = await draw(plan, Float32Array, hasEmpty, 2);
        assert.deepEqual(words.picture, floats.picture);
        assert.equal(floats.kept, 0);
        if (!hasEmpty) assert.equal(words.kept, plan.inputs.length);
      }
    }
  });

test('what is smoothed is read as floats', async () => {
  const tile = TILES[0];
  assert.ok(tile);
  const plan = planTile({ sensor, bands: 'B04', tile, options: { ...options, method: 'bilinear' } }, scene);
  assert.equal((await draw(plan, Uint16Array, false)).kept, 0);
});
