export { type FittedClusters, makeFindClusters } from './find-clusters.ts';
export { type ClusterJobs, makeFitClusters } from './fit-clusters.ts';
export {
  type ClusterPlan,
  estimateLabels,
  planClusterColor,
  toShownColor,
} from './plan-clusters.ts';
export { showClusters, showZones } from './show-clusters.ts';
