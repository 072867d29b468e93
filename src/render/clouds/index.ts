export type { CloudPlan } from './cloud-plan.ts';
export { drawClouds, toGround } from './draw-clouds.ts';
export { estimateClouds } from './estimate-clouds.ts';
export { type CloudCover, type CloudCoverPlan, estimateCover, planCloudCover } from './plan-cloud-cover.ts';
export { planClouds } from './plan-clouds.ts';
export { makeReadClouds, type ReadClouds } from './read-clouds.ts';
