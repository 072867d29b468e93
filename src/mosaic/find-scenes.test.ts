import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit } from '../catalog/index.ts';
import type { Grid } from '../geo/index.ts';
import { findAllScenes, takeCandidates } from './find-scenes.ts';
import { july, newest, toHit } from './testing/a-mosaic.ts';

const hit = (number: number): SceneHit =>
  toHit({
    viewId: `S2L2A/${number}`,
    sceneId: String(number),
    acquiredAt: `2026-07-${String(1 + (number % 28)).padStart(2, '0')}T10:00:00.000Z`,
    // A hundredth of a degree of longitude each, from west to east.
    footprint: {
      type: 'Polygon',
      coordinates: [
        [
          [number / 100 + 0.001, 0.1],
          [number / 100 + 0.009, 0.1],
          [number / 100 + 0.009, 0.2],
          [number / 100 + 0.001, 0.2],
          [number / 100 + 0.001, 0.1],
        ],
      ],
    },
  });
const hits = Array.from({ length: 400 }, (_, number) => hit(number));

const mosaic = { search: july, composition: { ...newest, selection: { kind: 'oldest' } } } as const;

/** A search that gives no more than fifty scenes. */
function makeFind() {
  const asked: Grid[] = [];
  const find = async (_search: unknown, _selection: unknown, grid: Grid) => {
    asked.push(grid);
    const { hits: touching } = takeCandidates(hits, grid);
    return { hits: touching.slice(0, 50), found: touching.length };
  };
  return { asked, find };
}

const grid: Grid = { epsg: 4326, transform: [0, 0.001, 0, 1, 0, -0.001], width: 4_000, height: 1_000 };

test('scenes beyond the limit of one search are found by searching parts', async () => {
  const { asked, find } = makeFind();
  const found = await findAllScenes(find, mosaic, grid);
  assert.equal(found.length, 400);
  assert.ok(asked.length > 1);
  const days = found.map(({ acquiredAt }) => acquiredAt);
  assert.deepEqual(days, days.toSorted());
});

test('one search is enough if it returns everything, or the limit is reached', async () => {
  const { asked, find } = makeFind();
  const small = { ...grid, width: 400 };
  assert.equal((await findAllScenes(find, mosaic, small)).length, 40);
  assert.equal((await findAllScenes(find, mosaic, grid, 1)).length, 1);
  assert.equal(asked.length, 2);
});

test('candidates among known scenes touch the grid, in the order of the scenes', () => {
  const { hits: taken, found } = takeCandidates(hits.toReversed(), { ...grid, width: 30 });
  assert.deepEqual([taken.map(({ sceneId }) => sceneId), found], [['2', '1', '0'], 3]);
});
