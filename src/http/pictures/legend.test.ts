import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColorPlan } from '../../color/index.ts';
import { planColormap } from '../../color/index.ts';
import { parsePalette } from '../../color/parse-palette.ts';
import type { Renderer } from '../../render/index.ts';
import { makeTestApp } from '../testing/make-test-app.ts';

/** An application that has measured -0.25 to 0.75 of a picture with these colours. */
function makeLegends(color: ColorPlan | null, channels = 1) {
  const renderer: Partial<Renderer> = {
    plan: async () => ({ plan: { color: null }, scene: {}, etag: 'abc', outline: null }) as never,
    findContrast: async () => Array.from({ length: channels }, () => ({ min: -0.25, max: 0.75 })),
    findColor: async () => color,
  };
  const { call } = makeTestApp({ renderer });
  return async (bands = '(B08-B04)/(B08+B04)') => {
    const answer = await call(`/api/render/legend/S2/31/T/DH/2026/6/21/0/${bands}/12/2081/1510`);
    assert.equal(answer.status, 200);
    return (await answer.json()) as {
      bands: object[];
      colors: string[];
      thresholds: number[];
      values?: number[];
    };
  };
}

const band = '(B08-B04)/(B08+B04)';
const ramp = planColormap(
  { kind: 'named', name: 'RdYlGn', isReversed: false },
  { colorsLimit: 4, range: null },
);

test('a legend without its own range shows the range of the scene, in grey and in colours', async () => {
  const grey = await makeLegends(null)();
  assert.deepEqual(grey.bands, [{ band, min: -0.25, max: 0.75 }]);
  assert.equal(grey.colors.length, 256);
  const colored = await makeLegends(ramp)();
  assert.deepEqual(colored.bands, [{ band, min: -0.25, max: 0.75 }]);
  assert.deepEqual(colored.thresholds, [0, 0.25, 0.5]);
});

test('colours with their own range show it, and a palette of values has none', async () => {
  const given = await makeLegends({ ...ramp, range: { min: 0, max: 4 } } as ColorPlan)();
  assert.deepEqual(given.bands, [{ band, min: 0, max: 4 }]);
  const palette = await makeLegends(parsePalette('{"1": "ff0000", "2": "00ff00"}', 'values'))();
  assert.deepEqual(palette.bands, [{ band }]);
  assert.deepEqual(palette.values, [1, 2]);
});

test('a legend of three bands has ranges but no colours, except for classes', async () => {
  const rgb = await makeLegends(null, 3)('B04,B03,B02');
  assert.deepEqual(rgb.colors, []);
  assert.deepEqual(
    rgb.bands.map((one) => (one as { band: string }).band),
    ['B04', 'B03', 'B02'],
  );
  const classes = await makeLegends(
    parsePalette('{"1": "ff0000", "2": "00ff00"}', 'values'),
    3,
  )('B04,B03,B02');
  assert.equal(classes.colors.length, 2);
});
