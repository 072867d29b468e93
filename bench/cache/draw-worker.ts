/** A pixel thread with the kind of cache that is being measured. */
import { threadId } from 'node:worker_threads';
import { makeJp2Decoder } from '../../src/formats/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import { makeBandReader } from '../../src/render/band-reader.ts';
import type { SharedHandle } from '../../src/render/block-cache/index.ts';
import { joinBlockCache } from '../../src/render/block-cache/index.ts';
import { makeDraw } from '../../src/render/draw.ts';
import { serveJobs } from '../../src/render/pool/index.ts';
import { openFileSource } from '../../src/storage/file-source.ts';
import { makePrivateCache } from './private-cache.ts';

/** Either kind of cache. */
export type DrawSettings =
  | { readonly handle: SharedHandle; readonly waits: boolean }
  | { readonly cacheBytes: number; readonly tally: BigInt64Array<SharedArrayBuffer> };

function makeBlocks(settings: DrawSettings) {
  if (!('handle' in settings)) return makePrivateCache(settings.cacheBytes, settings.tally);
  const shared = joinBlockCache(settings.handle, threadId);
  return settings.waits ? shared : { ...shared, claim: () => true };
}

await serveJobs((settings) => {
  const readWindow = makeBandReader({
    open: openFileSource,
    blocks: makeBlocks(settings as DrawSettings),
    jp2Decoder: makeJp2Decoder(),
  });
  const kernels = loadKernels();
  return { draw: makeDraw({ readWindow, kernels, compute: makeComputeBands(kernels) }) };
});
