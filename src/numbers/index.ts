export { assignClusters } from './assign-clusters.ts';
export type { ContrastRange } from './cumulative-cut.ts';
export { fromKey, toKey } from './float-keys.ts';
export { countBins, type HistogramBins } from './histogram.ts';
export {
  type IntensityRule,
  type IntensitySample,
  intensityRange,
  SAMPLE_MIN_PIXELS,
  toSampleReduction,
} from './intensity-range.ts';
export { type ClusterModel, type Features, fitClusters } from './k-means.ts';
export { type MomentSums, type Moments, makeMomentSums, toMoments } from './moments.ts';
export { sieve, toMinPixels } from './sieve.ts';
export { toSummary, type Summary, summarize } from './summary.ts';
