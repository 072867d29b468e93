export { assignClusters } from './assign-clusters.ts';
export type { ContrastRange } from './cumulative-cut.ts';
export {
  type IntensityRule,
  type IntensitySample,
  intensityRange,
  SAMPLE_MIN_PIXELS,
  toSampleReduction,
} from './intensity-range.ts';
export { type ClusterModel, type Features, fitClusters } from './k-means.ts';
export { type MomentSums, type Moments, makeMomentSums } from './moments.ts';
export { sieve, toMinPixels } from './sieve.ts';
export { type Statistics, toStatistics } from './statistics.ts';
