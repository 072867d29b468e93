import type { JobReads, SurveyJobs, ThreadTools, WindowRequest } from '../blocks/index.ts';
import { makeSurveyJobs } from '../blocks/index.ts';
import type { SceneFiles } from '../ingest/index.ts';
import { renewFiles } from '../ingest/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { makeComputeBands } from '../raster/index.ts';
import { makeReadClouds } from './clouds/read-clouds.ts';
import type { ClusterJobs } from './clusters/fit-clusters.ts';
import { makeFitClusters } from './clusters/fit-clusters.ts';
import type { IntensityJobs } from './intensity/measure-intensity.ts';
import { makeCountClouds, makeMeasureIntensity } from './intensity/measure-intensity.ts';
import type { DetailJobs } from './pansharpening/sharpen-channels.ts';
import { makeMeasureDetail } from './pansharpening/sharpen-channels.ts';
import type { DrawJobs } from './pictures/draw.ts';
import { makeDraw } from './pictures/draw.ts';
import type { ColorbarJobs } from './pictures/draw-colorbar.ts';
import { makeColorbarJob } from './pictures/draw-colorbar.ts';
import type { PixelTools } from './pixels/read-channels.ts';
import { listPointReads, toRead } from './plan/point-plan.ts';
import type { CloudPlan, PixelPlan, SceneRef } from './plan/render-plan.ts';
import { padSpeckleWindow } from './plan/speckle.ts';
import type { PointJobs } from './read-point.ts';
import { makeReadPoint } from './read-point.ts';

/** All kinds of jobs of rendering: what each is given and gives. */
export type RenderJobs = ClusterJobs &
  ColorbarJobs &
  DetailJobs &
  DrawJobs &
  FileJobs &
  IntensityJobs &
  PointJobs &
  SurveyJobs;

/** The job of reading headers again; here and not on the main thread: a header may be large, or made to take long. */
type FileJobs = { 'renew-files': JobType<SceneFiles, SceneFiles> };

/** The handlers of rendering, for a thread of the pool. */
export function makeRenderJobs({
  open,
  jp2Decoder,
  readWindow,
  kernels,
  files,
  blocks,
}: ThreadTools): JobHandlers<RenderJobs> {
  const compute = makeComputeBands(kernels);
  const tools: PixelTools = { readWindow, kernels, compute };
  const readClouds = makeReadClouds({ open });
  return {
    ...makeSurveyJobs({ files, blocks }),
    point: makeReadPoint(tools, files),
    colorbar: makeColorbarJob(kernels),
    draw: makeDraw({ ...tools, readClouds }),
    'fit-clusters': makeFitClusters(tools),
    intensity: makeMeasureIntensity(tools),
    'cloud-cover': makeCountClouds({ ...tools, readClouds }),
    'index-detail': makeMeasureDetail(tools),
    'renew-files': (stated, { signal }) => renewFiles(stated, { open, jp2Decoder, signal }),
  };
}

/** What the jobs of rendering read of files, so that it can be fetched before they take a thread. */
export const renderReads: JobReads<RenderJobs> = {
  draw: ({ plan }) => [
    ...listPlanReads(plan),
    ...(plan.clouds?.plans ?? []).flatMap((clouds) => listCloudReads(clouds, plan)),
  ],
  intensity: ({ sample }) => listPlanReads(sample),
  'cloud-cover': ({ sample, clouds }) => [...listPlanReads(sample), ...listCloudReads(clouds, sample)],
  'index-detail': ({ samples }) => samples.flatMap(listPlanReads),
  'fit-clusters': ({ sample }) => listPlanReads(sample),
  point: ({ plan }) => listPointReads(plan).filter((read) => read !== null),
};

/** The windows of a plan, that of its panchromatic band included. */
export function listPlanReads(plan: PixelPlan): readonly WindowRequest[] {
  const { sharpen } = plan;
  return sharpen === undefined
    ? listReads(plan)
    : [...listReads(plan), ...listReads({ ...plan, inputs: [sharpen.pan] })];
}

/** The windows of a cloud mask; one of polygons is read as a whole, by the job. */
export const listCloudReads = (clouds: CloudPlan | undefined, scene: SceneRef): readonly WindowRequest[] =>
  clouds?.source.kind === 'pixels' ? listReads({ ...scene, inputs: clouds.source.inputs }) : [];

/** The windows of files that reading the inputs of a plan will ask for; none if one of them has no pixel on the grid. */
export function listReads(plan: SceneRef & Pick<PixelPlan, 'inputs'>): readonly WindowRequest[] {
  const reads: WindowRequest[] = [];
  for (const input of plan.inputs) {
    if (input.warp === null) return [];
    const { level, window } = input.warp;
    const padded = input.speckle === undefined ? window : padSpeckleWindow(input.warp);
    reads.push(toRead(input, { level, window: padded }, plan));
  }
  return reads;
}
