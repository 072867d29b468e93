import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import type { FindIntensity } from './intensity/find-intensity.ts';
import type { PlannedPicture } from './pictures/plan-picture.ts';
import type { Renderer } from './renderer.ts';
import { warmUp } from './warm-up.ts';

/** The same scene with its files under other addresses. */
const withFiles = (scene: NewScene, toHref: (href: string) => string): NewScene => ({
  ...scene,
  assets: Object.fromEntries(
    Object.entries(scene.assets).map(([band, asset]) => [band, { ...asset, href: toHref(asset.href) }]),
  ),
});

function watch(scenes: readonly NewScene[]) {
  const drawn: { viewId: string; bands: string; widthPx: number }[] = [];
  const measured: string[] = [];
  let listed = 0;
  const renderer: Pick<Renderer, 'plan' | 'render'> = {
    plan: async ({ viewId, bands, grid }) => {
      drawn.push({ viewId, bands, widthPx: Math.max(grid.width, grid.height) });
      return { etag: 'x' } as PlannedPicture;
    },
    render: async () => ({ bytes: new Uint8Array(), format: 'png', stagesMs: {}, etag: 'x' }),
  };
  const findIntensity: FindIntensity = async ({ viewId }) => {
    measured.push(viewId);
    return { ranges: [], cloudPercent: null, isCorrected: false };
  };
  async function* list(): AsyncGenerator<Scene> {
    for (const scene of scenes) {
      listed += 1;
      yield toScene(scene);
    }
  }
  return { deps: { scenes: { list }, renderer, findIntensity }, drawn, measured, countListed: () => listed };
}

test('each thread draws its own picture, of a scene on this machine', async () => {
  const far = withFiles(makeScene(1), (href) => `https://example.com/${href}`);
  const near = makeScene(2);
  const { deps, drawn, measured } = watch([far, near]);
  assert.equal(await warmUp({ ...deps, threads: 3, sidePx: 256 }, aTicket), true);
  assert.deepEqual(new Set(drawn.map(({ viewId }) => viewId)), new Set([near.viewId]));
  assert.equal(
    new Set(drawn.map(({ widthPx }) => widthPx)).size,
    3,
    'equal ones would be drawn once for all',
  );
  assert.deepEqual(measured, [near.viewId]);
});

test('nothing is drawn when all scenes are remote, and a large catalog is not read to its end', async () => {
  const far = Array.from({ length: 200 }, (_, day) =>
    withFiles(makeScene(day + 1), (href) => `s3://bucket/${href}`),
  );
  const { deps, drawn, measured, countListed } = watch(far);
  assert.equal(await warmUp({ ...deps, threads: 2, sidePx: 256 }, aTicket), false);
  assert.deepEqual([drawn, measured], [[], []]);
  assert.ok(countListed() <= 50, `${countListed()} were read`);
  await warmUp({ ...watch([]).deps, threads: 2, sidePx: 256 }, aTicket);
});
