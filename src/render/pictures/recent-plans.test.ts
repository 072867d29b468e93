import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComparedScene } from '../plan/render-plan.ts';
import type { PlannedPicture, ScenePictureRequest } from './plan-picture.ts';
import { rememberPlans } from './plan-picture.ts';

const makeScene = (version = '1', earlier?: ComparedScene): ComparedScene =>
  ({ viewId: 'S2/1', version, earlier }) as ComparedScene;
const usual = {
  sensor: { abbreviation: 'S2' },
  bands: 'B04',
  grid: { epsg: 3857, transform: [0, 1, 0, 0, 0, -1], width: 256, height: 256 },
  options: { format: 'auto', range: null, area: null, color: {} },
} as unknown as ScenePictureRequest;

function countPlans() {
  let count = 0;
  const plan = rememberPlans(() => {
    count += 1;
    return { etag: String(count) } as PlannedPicture;
  });
  return { plan, count: () => count };
}

test('an equal request for the same scene is planned once, even if the scene was read again', () => {
  const { plan, count } = countPlans();
  const scene = makeScene();
  assert.equal(plan(usual, scene), plan(structuredClone(usual), makeScene()));
  assert.equal(count(), 1);
});

test('a changed or compared scene, and any other request, is planned again', () => {
  const { plan, count } = countPlans();
  const scene = makeScene();
  const { grid, options } = usual;
  const others: readonly ScenePictureRequest[] = [
    { ...usual, bands: 'B03' },
    { ...usual, grid: { ...grid, width: 512 } },
    { ...usual, options: { ...options, format: 'png' } },
    { ...usual, options: { ...options, range: { min: 0, max: 1 } } },
    { ...usual, options: { ...options, color: { palette: '{}' } } },
  ];
  plan(usual, scene);
  for (const request of others) plan(request, scene);
  assert.equal(count(), 6);
  plan(usual, makeScene('2'));
  plan(usual, makeScene('1', makeScene('3')));
  assert.equal(count(), 8);
});

test('requests with an area or a custom colormap are not remembered, those with a named colormap are', () => {
  const { plan, count } = countPlans();
  const scene = makeScene();
  const { options } = usual;
  const request = (changed: object) =>
    ({ ...usual, options: { ...options, ...changed } }) as ScenePictureRequest;
  for (const changed of [{ area: { ref: 'a' } }, { color: { colormap: { kind: 'custom' } } }]) {
    plan(request(changed), scene);
    plan(request(changed), scene);
  }
  assert.equal(count(), 4);
  const named = request({ color: { colormap: { kind: 'named', name: 'viridis', isReversed: false } } });
  assert.equal(plan(named, scene), plan(structuredClone(named), scene));
});
