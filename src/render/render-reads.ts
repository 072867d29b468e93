import type { JobReads, WindowRequest } from '../blocks/index.ts';
import { listReads, toRead } from './pixels/list-reads.ts';
import type { CloudPlan } from './plan/cloud-plan.ts';
import type { SceneRef } from './plan/input-plan.ts';
import type { PixelPlan } from './plan/pixel-plan.ts';
import type { PointPlan } from './point/plan-point.ts';
import type { RenderJobs } from './render-jobs.ts';

/** What the jobs of rendering read of files, so that it can be fetched before they take a thread. */
export const renderReads: JobReads<RenderJobs> = {
  draw: ({ plan }) => [...listPlanReads(plan), ...listCloudReads(plan.clouds?.plan, plan)],
  intensity: ({ sample }) => listPlanReads(sample),
  'cloud-cover': ({ sample, clouds }) => [...listPlanReads(sample), ...listCloudReads(clouds, sample)],
  'index-detail': ({ samples }) => samples.flatMap(listPlanReads),
  'fit-clusters': ({ sample }) => listPlanReads(sample),
  point: listPointReads,
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

function listPointReads(plan: PointPlan): readonly WindowRequest[] {
  return plan.inputs.flatMap(({ pixel, ...input }) =>
    pixel === null ? [] : [toRead(input, { level: 0, window: { ...pixel, width: 1, height: 1 } }, plan)],
  );
}
