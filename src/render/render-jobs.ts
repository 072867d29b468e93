import type { ThreadTools } from '../blocks/index.ts';
import type { SceneFiles } from '../ingest/index.ts';
import { renewFiles } from '../ingest/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import { makeReadClouds } from './clouds/read-clouds.ts';
import type { ClusterJobs } from './clusters/fit-clusters.ts';
import { makeFitClusters } from './clusters/fit-clusters.ts';
import type { ColorbarJobs } from './colors/colorbar.ts';
import { makeColorbarJob } from './colors/colorbar.ts';
import type { IntensityJobs } from './intensity/measure-intensity.ts';
import { makeCountClouds, makeMeasureIntensity } from './intensity/measure-intensity.ts';
import type { DetailJobs } from './pansharpening/measure-detail.ts';
import { makeMeasureDetail } from './pansharpening/measure-detail.ts';
import { makeDraw } from './pictures/draw.ts';
import type { DrawJobs } from './pictures/draw-job.ts';
import type { PixelTools } from './pixels/pixel-work.ts';
import type { PointJobs } from './point/read-point.ts';
import { makeReadPoint } from './point/read-point.ts';

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
export function makeRenderJobs({
  open,
  jp2Decoder,
  readWindow,
  kernels,
}: ThreadTools): JobHandlers<RenderJobs> {
  const compute = makeComputeBands(kernels);
  const tools: PixelTools = { readWindow, kernels, compute };
  const readClouds = makeReadClouds({ open });
  return {
    point: makeReadPoint(tools),
    colorbar: makeColorbarJob(kernels),
    draw: makeDraw({ ...tools, readClouds }),
    'fit-clusters': makeFitClusters(tools),
    intensity: makeMeasureIntensity(tools),
    'cloud-cover': makeCountClouds({ ...tools, readClouds }),
    'index-detail': makeMeasureDetail(tools),
    'renew-files': (stated, { signal }) => renewFiles(stated, { open, jp2Decoder, signal }),
  };
}
