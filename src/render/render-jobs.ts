import { threadId } from 'node:worker_threads';
import { limitSharp, makeJp2Decoder } from '../formats/index.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import type { OpenSourceOptions } from '../storage/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import { makeBandReader } from './band-reader.ts';
import type { SharedHandle } from './block-cache/index.ts';
import { joinBlockCache } from './block-cache/index.ts';
import { makeDraw } from './draw.ts';
import { makeMeasureBand, makeMeasureComputed } from './measure-contrast.ts';

/** What a thread needs to draw. */
export interface RenderJobSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
}

/** The jobs of rendering, for a thread of the pool. */
export function makeRenderJobs({ files, blocks }: RenderJobSettings) {
  limitSharp();
  const kernels = loadKernels();
  const readWindow = makeBandReader({
    open: makeOpenSource(files),
    blocks: joinBlockCache(blocks, threadId),
    jp2Decoder: makeJp2Decoder(),
  });
  const compute = makeComputeBands(kernels);
  return {
    draw: makeDraw({ readWindow, kernels, compute }),
    'band-contrast': makeMeasureBand({ readWindow }),
    'computed-contrast': makeMeasureComputed({ readWindow, kernels, compute }),
  };
}
