import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { toOutline } from '../geo/index.ts';
import type { DownloadKind, DownloadOrders } from './index.ts';
import { makeDownloads } from './index.ts';

const SCENE = '31/T/DH/2026/6/3/0';

const unplanned = () => Promise.reject(new Error('nothing is planned'));

test('files of every kind are made from the Level-2A scene while there is no Level-1C scene', async () => {
  const known = new Set([`S2L2A/${SCENE}`]);
  const planned: string[] = [];
  const plan = async ({ viewId, sensor }: { viewId: string; sensor: string }) => {
    planned.push(`${sensor} ${viewId}`);
    return {} as never;
  };
  const downloads = makeDownloads(
    { bands: plan, index: plan, picture: plan, mosaic: unplanned },
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

test('an outline is stored as the string it came with, and read back; so are numbers of older versions', () => {
  const downloads = makeDownloads(
    { bands: unplanned, index: unplanned, picture: unplanned, mosaic: unplanned },
    { findByViewId: async () => null },
  );
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [3, 42],
        [2, 43],
        [2, 42],
      ],
    ],
  } as const;
  const outline = toOutline(geometry);
  const order = { viewId: `S2/${SCENE}`, sceneName: SCENE, sensor: 'S2' };
  const json = JSON.stringify(geometry);
  for (const area of [
    { kind: 'outline', outline, json },
    { kind: 'outline', outline },
  ] as const) {
    const stored = downloads.toStored({ ...order, area } as DownloadOrders[DownloadKind]);
    assert.equal(stored.area, 'json' in area ? json : JSON.stringify([...outline]));
    assert.ok(!JSON.stringify(stored.order).includes('42'), 'the area is not in the order');
    const read = downloads.fromStored({ order: stored.order, area: JSON.parse(stored.area ?? 'null') });
    assert.deepEqual(read, { ...order, area: { kind: 'outline', outline: new Float64Array(outline) } });
  }
  const before = downloads.fromStored({
    order: { ...order, area: { kind: 'outline', outline: [...outline] } },
    area: null,
  });
  assert.deepEqual(before.area, { kind: 'outline', outline: new Float64Array(outline) });
});
