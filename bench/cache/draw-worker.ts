/** A pixel thread with the kind of cache that is being measured. */
import { threadId } from 'node:worker_threads';
import type { SharedHandle } from '../../src/blocks/index.ts';
import { joinBlockCache, makeReadWindow } from '../../src/blocks/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import { serveJobs } from '../../src/pool/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import type { DrawJobs } from '../../src/render/pictures/draw.ts';
import { makeDraw } from '../../src/render/pictures/draw.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { makePrivateCache } from './private-cache.ts';

/** Either kind of cache. */
export type DrawSettings =
  | { readonly handle: SharedHandle; readonly waits: boolean }
  | { readonly cacheBytes: number; readonly counters: BigInt64Array<SharedArrayBuffer> };

function makeBlocks(settings: DrawSettings) {
  if (!('handle' in settings)) return makePrivateCache(settings.cacheBytes, settings.counters);
  const shared = joinBlockCache(settings.handle, threadId);
  return settings.waits ? shared : { ...shared, claim: () => true };
}

await serveJobs<DrawJobs>((settings) => {
  const readWindow = makeReadWindow({
    open: openFileSource,
    blocks: makeBlocks(settings as DrawSettings),
    jp2Decoder: makeJp2Decoder(),
  });
  const kernels = loadKernels();
  return { draw: makeDraw({ readWindow, kernels, compute: makeComputeBands(kernels) }) };
});
