import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HitPage, SceneQuery } from '../catalog/index.ts';
import { areasIntersect } from '../geo/index.ts';
import { makeFindSwapped } from './find-swapped.ts';

/** Scenes over one square of degrees, south-west corner first. */
const over = (west: number, south: number) => {
  const footprint = {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + 1, south],
        [west + 1, south + 1],
        [west, south + 1],
        [west, south],
      ],
    ],
  } as const;
  return {
    async searchHits({ shape }: SceneQuery): Promise<HitPage> {
      assert.ok(shape !== undefined && shape.geometry.type !== 'Point');
      const isFound = areasIntersect(footprint, shape.geometry);
      return { found: isFound ? 3 : 0, hits: [] };
    },
  };
};

test('a file is swapped if scenes show its ground only with the axes swapped', async () => {
  const of = (scenes: ReturnType<typeof over>, hasLiveCatalogs = false) =>
    makeFindSwapped({ scenes, hasLiveCatalogs });
  const district = [
    [48.2, 11.5],
    [48.4, 11.7],
  ] as const;
  assert.equal(await of(over(11, 48))(district), true);
  assert.equal(await of(over(48, 11))(district), false, 'scenes show it as it is');
  assert.equal(await of(over(100, 0))(district), false, 'scenes show neither');
  assert.equal(await of(over(11, 48), true)(district), false, 'live catalogs show everything');
  assert.equal(await of(over(11, 48))([...district, [120, 11]]), false, 'one of them cannot be swapped');
  assert.equal(await of(over(11, 48))([]), false);
});
