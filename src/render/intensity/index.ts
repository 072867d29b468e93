export { type CoverSource, chooseUsualCover } from './cover-source.ts';
export {
  type BoundsArea,
  type FindIntensity,
  type IntensityAnswer,
  type IntensityRequest,
  type IntensityStore,
  makeFindIntensity,
} from './find-intensity.ts';
export { type IntensityJob, type IntensityJobs, makeMeasureIntensity } from './measure-intensity.ts';
export { planCoverJob } from './plan-cover.ts';
export { type IntensitySamplePlan, planIntensitySample } from './plan-intensity.ts';
