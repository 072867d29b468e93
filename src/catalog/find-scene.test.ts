import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseViewId } from '../sensors/index.ts';
import { chooseLevel } from './find-scene.ts';
import { toScene } from './index.ts';
import { makeScene } from './testing/make-scene.ts';

const SCENE = '31/T/DH/2026/6/3/0';

const catalog = (...viewIds: readonly string[]) => ({
  findByViewId: async (viewId: string) => (viewIds.includes(viewId) ? toScene(makeScene(3)) : null),
});

const choose = async (name: string, ...known: readonly string[]) => {
  const { viewId, sensor, sceneName } = await chooseLevel(catalog(...known), parseViewId(name));
  return [viewId, sensor.abbreviation, sceneName];
};

test('if only Level-2A is in the catalog it is used for Level-1C, which takes precedence once it exists', async () => {
  assert.deepEqual(await choose(`S2/${SCENE}`, `S2L2A/${SCENE}`), [`S2L2A/${SCENE}`, 'S2L2A', SCENE]);
  assert.deepEqual(await choose(`S2/${SCENE}`, `S2L2A/${SCENE}`, `S2/${SCENE}`), [
    `S2/${SCENE}`,
    'S2',
    SCENE,
  ]);
  assert.deepEqual(
    await choose(`S2/${SCENE}`),
    [`S2/${SCENE}`, 'S2', SCENE],
    'unknown ones stay as they are',
  );
});

test('nothing else is substituted: not Level-1C for Level-2A, not another number, not another sensor', async () => {
  assert.deepEqual(await choose(`S2L2A/${SCENE}`, `S2/${SCENE}`), [`S2L2A/${SCENE}`, 'S2L2A', SCENE]);
  assert.equal((await choose(`S2/${SCENE}`, 'S2L2A/31/T/DH/2026/6/3/1'))[0], `S2/${SCENE}`);
  const landsat = 'L8/LC80110312016028LGN00';
  assert.equal((await choose(landsat, 'L9/LC80110312016028LGN00'))[0], landsat);
});
