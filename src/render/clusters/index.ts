export { type FittedClusters, makeFindClusters } from './find-clusters.ts';
export { makeFitClusters } from './fit-clusters.ts';
export { type ClusterPlan, estimateLabels, planClusterColor } from './plan-clusters.ts';
export { showClusters } from './show-clusters.ts';
