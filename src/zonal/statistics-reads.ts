import type { JobReads } from '../blocks/index.ts';
import { listCloudReads, listPlanReads } from '../render/index.ts';
import type { StatisticsJobs } from './measure-scene.ts';

/** What the jobs of statistics read of files, so that it can be fetched before they take a thread. */
export const statisticsReads: JobReads<StatisticsJobs> = {
  'scene-statistics': ({ groups }) =>
    groups.flatMap(({ pieces }) =>
      pieces.flatMap(({ pixels, masks }) => [
        ...listPlanReads(pixels),
        ...masks.flatMap((mask) => listCloudReads(mask.plan, mask)),
      ]),
    ),
};
