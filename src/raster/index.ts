export {
  type BandPlane,
  computeStrips,
  interpretBands,
  makeComputeBands,
  PLANE_BYTES,
  type ResultPlane,
} from './band-math.ts';
export { type Allocate, type Kernels, loadKernels } from './kernels.ts';
export {
  bytesPerSample,
  makePixels,
  type PixelArray,
  type PixelType,
  type SampleType,
  viewPixels,
} from './pixel-type.ts';
export {
  findLevel,
  type PixelWindow,
  planStored,
  planWarp,
  type ResampleMethod,
  type WarpPlan,
  withMethod,
} from './plan-warp.ts';
export {
  type KernelPlanes,
  type Raster,
  type SourcePlanes,
  warp,
  warpFlags,
  warpPlanes,
  warpWords,
  writePositions,
} from './warp.ts';
export {
  allocateSource,
  fillEmpty,
  joinMasks,
  keepCommon,
  makeStaging,
  makeWindowPlane,
  type PieceSink,
  type Staging,
  type WindowPlane,
} from './window-plane.ts';
