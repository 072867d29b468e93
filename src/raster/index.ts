export {
  type BandPlane,
  type ComputeBands,
  makeComputeBands,
  PLANE_BYTES,
  type ResultPlane,
} from './band-math.ts';
export {
  type CloudSource,
  makeQualityMeaning,
  markClasses,
  markClouds,
  markedPercent,
  markFlags,
  type QualityMeaning,
  withoutMarked,
} from './cloud-mask.ts';
export {
  CLOUD_FLAGS,
  type CollectedPlane,
  type CollectedValues,
  flagClasses,
  MEASURE_BYTES,
  makeCollectedValues,
  measureValues,
  type RepeatedPixels,
  repeatFlags,
} from './collect-values.ts';
export { type Allocate, type Kernels, loadKernels } from './kernels.ts';
export { fillEmpty, joinMasks, keepCommon } from './masks.ts';
export { medianOf9, medianOf25 } from './median.ts';
export { allocateColumns, allocatePadded, type MaskedPlane, PAD_PX } from './padded-plane.ts';
export {
  type DetailSample,
  type IndexDetail,
  type IndexDetailSums,
  makeIndexDetailSums,
  type PanPlanes,
  type SharpenComposite,
  sharpenBand,
  sharpenComposite,
  sharpenIndex,
} from './pansharpen.ts';
export {
  bytesPerSample,
  makePixels,
  type PixelArray,
  type PixelType,
  type SampleType,
  viewPixels,
} from './pixel-type.ts';
export {
  type ChosenLevel,
  findLevel,
  listGrids,
  type PixelWindow,
  packGrids,
  planWarp,
  unlistGrids,
  unpackGrids,
  type WarpGrids,
  type WarpPlan,
  type WarpSource,
  withMethod,
} from './plan-warp.ts';
export {
  aspectRelief,
  type Relief,
  type ReliefLight,
  type ReliefPlane,
  shadeRelief,
  slopeRelief,
} from './relief.ts';
export type { ResampleMethod } from './resampler.ts';
export {
  allocateSource,
  type KernelPlanes,
  type Raster,
  type SourcePlanes,
  type WarpRequest,
  warp,
  warpPlanes,
} from './warp.ts';
export {
  makeStaging,
  makeWindowPlane,
  type PieceSink,
  type PixelPiece,
  type Staging,
  type WindowPlane,
} from './window-plane.ts';
