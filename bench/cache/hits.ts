import type { BlockCache } from '../../src/blocks/index.ts';
import { joinBlockCache, makeBlockCache, makeReadWindow } from '../../src/blocks/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import { makeDraw } from '../../src/render/pictures/draw.ts';
import type { RenderPlan } from '../../src/render/plan/render-plan.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { makePrivateCache } from './private-cache.ts';

const BUDGET_BYTES = 2 ** 28;

/** CPU milliseconds of a tile whose blocks are all there, in the thread's own memory and in shared memory. */
export async function measureHits(plans: readonly RenderPlan[], rounds: number) {
  const kernels = loadKernels();
  const context = { signal: new AbortController().signal, cancelled: () => false, report: () => {} };
  const makeOne = (blocks: BlockCache) =>
    makeDraw({
      readWindow: makeReadWindow({ open: openFileSource, blocks, jp2Decoder: makeJp2Decoder() }),
      kernels,
      compute: makeComputeBands(kernels),
    });
  const counters = new BigInt64Array(new SharedArrayBuffer(16));
  const kinds = {
    own: makeOne(makePrivateCache(BUDGET_BYTES, counters)),
    shared: makeOne(joinBlockCache(makeBlockCache(BUDGET_BYTES).handle, 0)),
  };
  const bestMs = { own: Number.POSITIVE_INFINITY, shared: Number.POSITIVE_INFINITY };
  // The first rounds compile the code and fill the caches.
  for (let round = -3; round < rounds; round += 1) {
    for (const kind of ['own', 'shared'] as const) {
      const before = process.cpuUsage();
      for (const plan of plans) {
        const contrast = plan.stretches.map(() => ({ min: 0, max: 3000 }));
        await kinds[kind]({ plan, contrast, outline: null }, context);
      }
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) bestMs[kind] = Math.min(bestMs[kind], (user + system) / 1000 / plans.length);
    }
  }
  return bestMs;
}
