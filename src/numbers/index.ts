export {
  type ContrastRange,
  type IntensityRule,
  type IntensitySample,
  intensityRange,
  SAMPLE_MIN_PIXELS,
  toSampleReduction,
} from './intensity-range.ts';
export { assignClusters, type ClusterModel, type Features, fitClusters } from './k-means.ts';
export { sieve, toMinPixels } from './sieve.ts';
export {
  countBins,
  fromKey,
  type HistogramBins,
  type MomentSums,
  type Moments,
  makeMomentSums,
  type Summary,
  summarize,
  toKey,
  toMoments,
  toSummary,
} from './summary.ts';
