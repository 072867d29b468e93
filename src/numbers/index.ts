export {
  type ContrastRange,
  type IntensityRule,
  intensityRange,
  SAMPLE_MIN_PIXELS,
  toSampleReduction,
} from './intensity-range.ts';
export { assignClusters, type ClusterModel, type Features, fitClusters } from './k-means.ts';
export { findOtsuThreshold } from './otsu.ts';
export { sieve, toMinPixels } from './sieve.ts';
export {
  countBins,
  fromKey,
  type HistogramBins,
  makeMomentSums,
  type Summary,
  summarize,
  toKey,
  toMoments,
  toSummary,
} from './summary.ts';
export { type ClassMap, type Corner, type Patch, tracePatches } from './trace-patches.ts';
