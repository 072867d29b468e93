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
  makeCollectedValues,
  type RepeatedPixels,
  repeatFlags,
} from './collect-values.ts';
export { type Allocate, type Kernels, loadKernels } from './kernels.ts';
export { fillEmpty, joinMasks, keepCommon } from './masks.ts';
export { MEASURE_BYTES, measureValues } from './measure-values.ts';
export { medianOf9, medianOf25 } from './median.ts';
export { type ChosenLevel, findLevel } from './overview-level.ts';
export { allocateColumns, allocatePadded, type MaskedPlane, PAD_PX } from './padded-plane.ts';
export {
  type PanPlanes,
  type SharpenComposite,
  sharpenBand,
  sharpenComposite,
  sharpenIndex,
} from './pansharpen.ts';
export {
  type DetailSample,
  type IndexDetail,
  type IndexDetailSums,
  makeIndexDetailSums,
} from './pansharpen-detail.ts';
export {
  bytesPerSample,
  makePixels,
  type PixelArray,
  type PixelType,
  type SampleType,
  viewPixels,
} from './pixel-type.ts';
export type { WarpSource } from './plan-warp.ts';
export { planWarp } from './plan-warp.ts';
export type { Raster } from './raster.ts';
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
  type SourcePlanes,
  type WarpRequest,
  warp,
  warpPlanes,
} from './warp.ts';
export { listGrids, packGrids, unlistGrids, unpackGrids, type WarpGrids, withMethod } from './warp-grids.ts';
export type { PixelWindow, WarpPlan } from './warp-plan.ts';
export {
  makeStaging,
  makeWindowPlane,
  type PieceSink,
  type PixelPiece,
  type Staging,
  type WindowPlane,
} from './window-plane.ts';
