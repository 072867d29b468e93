import { threadId } from 'node:worker_threads';
import type { SceneFiles } from '../catalog/index.ts';
import { renewFiles } from '../catalog/index.ts';
import { makeJp2Decoder } from '../formats/index.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import type { OpenSourceOptions } from '../storage/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import { makeBandReader } from './band-reader.ts';
import type { SharedHandle } from './block-cache/index.ts';
import { joinBlockCache } from './block-cache/index.ts';
import { makeReadClouds } from './clouds/index.ts';
import { makeFitClusters } from './clusters/index.ts';
import { makeColorbarJob } from './colorbar.ts';
import { makeDraw } from './draw.ts';
import { makeMeasureIntensity } from './intensity/index.ts';
import { makeMeasureDetail } from './pansharpening/index.ts';
import { makeReadPoint } from './point/index.ts';
import type { JobContext } from './pool/index.ts';

/** What a thread needs to draw. */
export interface RenderJobSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
}

/** The jobs of rendering, for a thread of the pool. */
export function makeRenderJobs({ files, blocks }: RenderJobSettings) {
  const kernels = loadKernels();
  const open = makeOpenSource(files);
  const jp2Decoder = makeJp2Decoder();
  const readWindow = makeBandReader({ open, blocks: joinBlockCache(blocks, threadId), jp2Decoder });
  const compute = makeComputeBands(kernels);
  const readClouds = makeReadClouds({ open, readWindow, kernels });
  const intensity = makeMeasureIntensity({ readWindow, readClouds, kernels, compute });
  return {
    point: makeReadPoint({ readWindow, kernels, compute }),
    colorbar: makeColorbarJob(kernels),
    draw: makeDraw({ readWindow, kernels, compute, readClouds }),
    'fit-clusters': makeFitClusters({ readWindow, kernels, compute }),
    intensity: intensity.ranges,
    'cloud-cover': intensity.cloudPercent,
    'index-detail': makeMeasureDetail({ readWindow, kernels, compute }),
    // Here and not on the main thread: a header may be large, or made to take long.
    'renew-files': (files: SceneFiles, { signal }: JobContext) =>
      renewFiles(files, { open, jp2Decoder, signal }),
  };
}
