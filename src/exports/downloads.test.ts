import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import type { DownloadKind, DownloadOrders } from './index.ts';
import { makeDownloads } from './index.ts';

const SCENE = '31/T/DH/2026/6/3/0';

test('files of every kind are made of the Level-2A scene while there is no Level-1C one', async () => {
  const known = new Set([`S2L2A/${SCENE}`]);
  const planned: string[] = [];
  const plan = async ({ viewId, sensor }: { viewId: string; sensor: string }) => {
    planned.push(`${sensor} ${viewId}`);
    return {} as never;
  };
  const downloads = makeDownloads(
    { bands: plan, index: plan, picture: plan },
    { findByViewId: async (viewId) => (known.has(viewId) ? toScene(makeScene(3)) : null) },
  );
  const order = { viewId: `S2/${SCENE}`, sceneName: SCENE, sensor: 'S2', area: null };
  const planAll = async () => {
    for (const kind of ['bands', 'index', 'picture'] as const satisfies DownloadKind[]) {
      await downloads.plan(kind, order as DownloadOrders[typeof kind]);
    }
    return planned.splice(0);
  };
  assert.deepEqual(new Set(await planAll()), new Set([`S2L2A S2L2A/${SCENE}`]));
  known.add(`S2/${SCENE}`);
  assert.deepEqual(new Set(await planAll()), new Set([`S2 S2/${SCENE}`]), 'Level-1C wins once it is there');
});
