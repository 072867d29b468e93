import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit } from '../catalog/index.ts';
import { compareScenes, toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { mergeHits } from './merge-hits.ts';

const sort = { field: 'date', descending: true } as const;

/** A hit of a day; its name decides among those of one day. */
const hitOf = (name: string, day: number): SceneHit =>
  toScene(
    makeScene(1, {
      viewId: `L8/${name}`,
      sceneId: name,
      acquiredAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
    }),
  );

const namesOf = (hits: readonly SceneHit[]): string => hits.map(({ sceneId }) => sceneId).join('');

test('longer pages start with the same scenes, even if a catalog sorts a day by time', async () => {
  const stored = [hitOf('S', 9), hitOf('P', 5)];
  const live = [hitOf('T', 9), hitOf('P', 5), hitOf('A', 5), hitOf('B', 4)];
  const pages: string[] = [];
  for (let end = 1; end <= 6; end++) {
    const { hits } = await mergeHits(stored.slice(0, end), [live.slice(0, end)], { sort, end });
    pages.push(namesOf(hits));
  }
  assert.deepEqual(pages, ['S', 'ST', 'STP', 'STPA', 'STPAB', 'STPAB']);
  const { hits, doubles } = await mergeHits(stored, [live], { sort, end: 1 });
  assert.deepEqual([namesOf(hits), doubles], ['S', 1], 'all doubles are counted');
});

test('the work for a page does not grow with the total hits of all datasets', async () => {
  let reads = 0;
  const lists = Array.from({ length: 12 }, (_, list) =>
    Array.from({ length: 200 }, (_, i): SceneHit => {
      const { acquiredAt, ...hit } = hitOf(`${list}-${String(i).padStart(3, '0')}`, 300 - i);
      return Object.defineProperty(hit as SceneHit, 'acquiredAt', {
        get() {
          reads += 1;
          return acquiredAt;
        },
      });
    }),
  );
  const { hits } = await mergeHits([], lists, { sort, end: 200 });
  const all = reads;
  assert.deepEqual(
    hits.map(({ viewId }) => viewId),
    lists
      .flat()
      .toSorted((a, b) => compareScenes(a, b, sort))
      .slice(0, 200)
      .map(({ viewId }) => viewId),
  );
  // Two for each comparison: with each other list, of each hit of the page.
  assert.ok(all < 2 * 12 * 220, `${all} reads`);
});
