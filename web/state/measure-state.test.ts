import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWirePresets } from '../../src/http/classes/classes.ts';
import { toOrder } from '../panels/measure/plan-order.ts';
import type { Scene } from '../scenes/scene.ts';
import { NO_MEASURE, parseMeasured, parsePresets, planScenes } from './measure-state.ts';

const presets = parsePresets({ presets: toWirePresets() });
const presetOf = (id: string) => presets.find((preset) => preset.id === id)!;
const sceneOf = (viewId: string, date: string, dataset = 'sentinel2l2a'): Scene =>
  ({ viewId, date, sensor: { dataset } }) as Scene;

test('every preset of the server can be parsed, and malformed ones are left out', () => {
  assert.equal(presets.length, toWirePresets().length);
  assert.deepEqual(presetOf('radar-water').thresholds, 'otsu');
  assert.deepEqual(
    presetOf('burn-severity').classes.map(({ isSought }) => isSought),
    [false, false, false, true, true, true, true],
  );
  assert.deepEqual(parsePresets({ presets: [{ id: 'x' }, null, 7] }), []);
  assert.deepEqual(parsePresets('none'), []);
});

test('the scene on the map is measured, and compared with the latest earlier scene of its sensor', () => {
  const scenes = [
    sceneOf('d', '2026-06-04'),
    sceneOf('c', '2026-06-03'),
    sceneOf('b', '2026-06-02', 'landsat8'),
    sceneOf('a', '2026-06-01'),
  ];
  const { choice } = NO_MEASURE;
  const names = (change: object, shownId: string | null) => {
    const { after, before } = planScenes(scenes, {
      choice: { ...choice, ...change },
      shownId,
      compares: true,
    });
    return [after?.viewId ?? null, before?.viewId ?? null];
  };
  assert.deepEqual(names({}, null), ['d', 'c']);
  assert.deepEqual(names({}, 'c'), ['c', 'a']);
  assert.deepEqual(names({ afterId: 'd', beforeId: 'b' }, 'c'), ['d', 'b']);
  // One that is not earlier cannot be the scene before.
  assert.deepEqual(names({ afterId: 'c', beforeId: 'd' }, null), ['c', 'a']);
  assert.deepEqual(names({}, 'a'), ['a', null]);
  assert.deepEqual(planScenes([], { choice, shownId: 'a', compares: true }).after, null);
});

test('by default the newest scene is measured, and for a comparison the newest that follows one of its sensor', () => {
  const scenes = [
    sceneOf('c', '2026-06-03', 'landsat8'),
    sceneOf('b', '2026-06-02'),
    sceneOf('a', '2026-06-01'),
  ];
  const names = (compares: boolean, some = scenes) => {
    const { after, before } = planScenes(some, { choice: NO_MEASURE.choice, shownId: null, compares });
    return [after?.viewId ?? null, compares ? (before?.viewId ?? null) : null];
  };
  assert.deepEqual(names(false), ['c', null]);
  assert.deepEqual(names(true), ['b', 'a']);
  assert.deepEqual(names(true, scenes.slice(0, 2)), ['c', 'b'], 'the sensors differ, and the dates say so');
});

test('an order follows the choice, and none is made if a scene is missing', () => {
  const ground = { type: 'Polygon', coordinates: [] } as const;
  const [after, before] = [sceneOf('d', '2026-06-04'), sceneOf('c', '2026-06-03')];
  const { choice } = NO_MEASURE;
  const preset = presetOf('burn-severity');
  assert.equal(toOrder({ choice, preset, ground, after, before: null }), null);
  assert.deepEqual(toOrder({ choice: { ...choice, thresholds: [0.2] }, preset, ground, after, before }), {
    geometry: ground,
    view_id: 'd',
    before_view_id: 'c',
    preset: 'burn-severity',
    thresholds: [0.2],
    format: 'geojson',
  });
  const own = toOrder({ choice, preset: null, ground, after, before });
  assert.deepEqual([own && 'before_view_id' in own, own?.thresholds], [false, 'otsu']);
});

test('an answer becomes classes; those of a preset have its colours, others colours from low to high', () => {
  const answer = (bounds: readonly number[]) =>
    JSON.stringify({
      type: 'FeatureCollection',
      expression: 'VV_DB',
      unit: 'dB',
      scenes: [{ view_id: 'd', date: '2026-06-04', before: false }],
      pixel_m: 10,
      thresholds: bounds,
      separability: 0.8,
      area: { hectares: 50, clear_percent: 90 },
      histogram: { min: -25, max: 0, counts: [1, 2] },
      features: [...bounds, 0].map((_, i) => ({ properties: { class: i + 1, hectares: i, percent: 1 } })),
    });
  const preset = presetOf('radar-water');
  const found = parseMeasured(answer([-15]), { order: {}, preset });
  assert.deepEqual(
    found?.classes.map(({ color, isSought }) => [color, isSought]),
    [
      ['#2166ac', true],
      ['#e8e3d3', false],
    ],
  );
  assert.deepEqual(found?.dates, { after: '2026-06-04', before: null });
  const other = parseMeasured(answer([-20, -15]), { order: {}, preset });
  assert.equal(new Set(other?.classes.map(({ color }) => color)).size, 3);
  for (const text of ['', '{}', '{"features":[],"thresholds":["a"]}'])
    assert.equal(parseMeasured(text, { order: {}, preset }), null);
});
