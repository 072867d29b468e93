import { threadId } from 'node:worker_threads';
import type { SharedHandle } from '../blocks/index.ts';
import { joinBlockCache, makeReadWindow } from '../blocks/index.ts';
import type { SceneFiles } from '../catalog/index.ts';
import { renewFiles } from '../catalog/index.ts';
import { makeJp2Decoder } from '../formats/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import type { OpenSourceOptions } from '../storage/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import { makeReadClouds } from './clouds/index.ts';
import type { ClusterJobs } from './clusters/index.ts';
import { makeFitClusters } from './clusters/index.ts';
import type { ColorbarJobs } from './colorbar.ts';
import { makeColorbarJob } from './colorbar.ts';
import { makeDraw } from './draw.ts';
import type { DrawJobs } from './draw-job.ts';
import type { IntensityJobs } from './intensity/index.ts';
import { makeMeasureIntensity } from './intensity/index.ts';
import type { DetailJobs } from './pansharpening/index.ts';
import { makeMeasureDetail } from './pansharpening/index.ts';
import type { PointJobs } from './point/index.ts';
import { makeReadPoint } from './point/index.ts';

/** What a thread needs to draw. */
export interface RenderJobSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
}

/** The job of reading headers again; here and not on the main thread: a header may be large, or made to take long. */
type FileJobs = { 'renew-files': JobType<SceneFiles, SceneFiles> };

/** All kinds of jobs of rendering: what each is given and gives. */
export type RenderJobs = ClusterJobs &
  ColorbarJobs &
  DetailJobs &
  DrawJobs &
  FileJobs &
  IntensityJobs &
  PointJobs;

/** The handlers of rendering, for a thread of the pool. */
export function makeRenderJobs({ files, blocks }: RenderJobSettings): JobHandlers<RenderJobs> {
  const kernels = loadKernels();
  const open = makeOpenSource(files);
  const jp2Decoder = makeJp2Decoder();
  const readWindow = makeReadWindow({ open, blocks: joinBlockCache(blocks, threadId), jp2Decoder });
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
    'renew-files': (stated, { signal }) => renewFiles(stated, { open, jp2Decoder, signal }),
  };
}
