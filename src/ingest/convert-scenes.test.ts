import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Asset, NewScene, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { createCog } from '../formats/cog/index.ts';
import { openOwnFiles } from '../objects/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { convertScenes } from './convert-scenes.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-convert-scenes-'));
after(() => rmSync(dataDir, { recursive: true }));
const SIZE_PX = 1_100;

/** Large and without overviews, so that it is slow to show. */
async function writeSlow(href: string): Promise<Asset> {
  const transform = [300_000, 10, 0, 5_000_000, 0, -10] as const;
  const cog = await createCog(join(dataDir, href), {
    width: SIZE_PX,
    height: SIZE_PX,
    bandCount: 1,
    type: 'uint8',
    epsg: 32631,
    transform,
    nodata: null,
    compression: 'deflate',
    predictor: 1,
    blockSize: 512,
    overviews: 'none',
  });
  await cog.writeRows([new Uint8Array(SIZE_PX * SIZE_PX).fill(7)], SIZE_PX);
  await cog.finish();
  return {
    href,
    bandIndex: 0,
    epsg: 32631,
    transform,
    width: SIZE_PX,
    height: SIZE_PX,
    type: 'uint8',
    nodata: null,
    scale: 1,
    offset: 0,
    overviews: [],
  };
}

const slow = await writeSlow('slow.tif');

function makeStore(viewIds: readonly string[]) {
  const scenes = new Map<string, Scene>();
  const put = async (given: NewScene) => {
    const scene = toScene(given);
    scenes.set(scene.viewId, scene);
    return scene;
  };
  const ring = [
    [0, 45],
    [1, 45],
    [1, 46],
    [0, 45],
  ] as const;
  for (const viewId of viewIds) {
    const scene = toScene({
      viewId,
      sceneId: viewId,
      dataset: 'sentinel2',
      acquiredAt: '2026-06-21T10:00:00.000Z',
      footprint: { type: 'Polygon', coordinates: [ring] },
      cloudPercent: null,
      sunElevationDeg: null,
      sunAzimuthDeg: null,
      coveragePercent: null,
      fields: {},
      assets: { B02: slow, B03: slow },
      provenance: 'folder',
    });
    scenes.set(viewId, scene);
  }
  const replace = async (given: NewScene, version: string) =>
    scenes.get(given.viewId)?.version === version ? put(given) : null;
  return { scenes, put, replace, findByViewId: async (viewId: string) => scenes.get(viewId) ?? null };
}

const run = (store: ReturnType<typeof makeStore>, more: Partial<Parameters<typeof convertScenes>[0]> = {}) =>
  convertScenes({
    viewIds: [...store.scenes.keys()],
    store,
    files: openOwnFiles({ dataDir, cubes: null, sources: {} }),
    open: makeOpenSource({ dataDir }),
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  });

const FIRST = 'S2/31/T/DH/2026/6/21/0';
const SECOND = 'S2/31/T/DH/2026/6/22/0';

test('all bands of all scenes are converted and catalogued', async () => {
  const store = makeStore([FIRST, SECOND]);
  const { scenes, stopped } = await run(store);
  assert.equal(stopped, false);
  assert.deepEqual(
    scenes.map(({ viewId, converted, unconverted }) => [viewId, converted, unconverted]),
    [FIRST, SECOND].map((viewId) => [viewId, ['B02', 'B03'], []]),
  );
  assert.equal(store.scenes.get(FIRST)?.assets.B03?.href, 'converted/S2-31-T-DH-2026-6-21-0/B03.tif');
});

test('a stop in the middle of a file or between files is reported, and finished bands stay', async () => {
  for (const [until, expected] of [
    [0.3, ['B02']],
    [0.1, []],
  ] as const) {
    const store = makeStore([FIRST, SECOND]);
    const stopping = new AbortController();
    const onProgress = (fraction: number) => fraction > until && stopping.abort();
    const { scenes, stopped } = await run(store, { signal: stopping.signal, onProgress });
    assert.equal(stopped, true);
    assert.deepEqual(scenes, [{ viewId: FIRST, converted: expected, unconverted: [] }]);
    assert.equal(store.scenes.get(SECOND)?.assets.B02?.href, 'slow.tif');
  }
  const before = await run(makeStore([FIRST]), { signal: AbortSignal.abort() });
  assert.deepEqual(before, { scenes: [], stopped: true });
});

test('a scene that is removed or replaced meanwhile is not put back', async () => {
  const changes: ((store: ReturnType<typeof makeStore>) => unknown)[] = [
    ({ scenes }) => scenes.delete(FIRST),
    ({ scenes, put }) => put({ ...scenes.get(FIRST)!, cloudPercent: 5 }),
  ];
  for (const change of changes) {
    const store = makeStore([FIRST, SECOND]);
    let isDone = false;
    const { scenes, stopped } = await run(store, {
      onProgress: () => {
        if (!isDone) change(store);
        isDone = true;
      },
    });
    assert.equal(stopped, false);
    assert.deepEqual(scenes[0]?.converted, []);
    assert.match(scenes[0]?.unconverted[0]?.reason ?? '', /meanwhile/);
    assert.deepEqual(scenes[1]?.converted, ['B02', 'B03']);
    const left = store.scenes.get(FIRST);
    assert.ok(left === undefined || (left.cloudPercent === 5 && left.assets.B02?.href === 'slow.tif'));
  }
});

test('with a bucket the converted bands are stored there, and every node reads that from the catalog', async (t) => {
  const fake = await startFakeS3();
  t.after(() => fake.stop());
  const { network } = fake;
  const store = makeStore([FIRST]);
  const files = openOwnFiles({ dataDir, cubes: `s3://${FAKE_BUCKET}/own`, sources: { network } });
  const { scenes } = await run(store, { files, open: makeOpenSource({ dataDir, network }) });
  assert.deepEqual(scenes[0]?.converted, ['B02', 'B03']);
  const { href = '', stamps } = store.scenes.get(FIRST)?.assets.B03 ?? {};
  assert.equal(href, `s3://${FAKE_BUCKET}/own/converted/S2-31-T-DH-2026-6-21-0/B03.tif`);
  const elsewhere = mkdtempSync(join(dataDir, 'another-node-'));
  const source = await makeOpenSource({ dataDir: elsewhere, network })(href);
  assert.deepEqual([source.version], stamps);
  await source.close();
});
