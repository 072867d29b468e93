export { type BestPixels, makeBestPixels, type RatedScene } from './best-pixels.ts';
export { type Blend, makeBlend, type ScenePart } from './blend-pixels.ts';
export { type FirstFit, makeFirstFit } from './first-fit.ts';
export { dilateMask, distanceToEdge } from './mask-edges.ts';
export { makePixelCount, makePixelDeviation, makePixelMean, type PixelSums } from './pixel-moments.ts';
export { MAX_STACK, stackMedoid, stackPercentile } from './reduce-stack.ts';
export {
  makeRoom,
  NO_SCENE,
  type ScenePlanes,
  type StackSize,
  type WithCounts,
  type WithIndexes,
} from './scene-planes.ts';
export { wantPixels } from './want-pixels.ts';
