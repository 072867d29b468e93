export {
  type BandPlane,
  type ComputeBands,
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
  listGrids,
  type PixelWindow,
  packGrids,
  planStored,
  planWarp,
  unlistGrids,
  unpackGrids,
  type WarpGrids,
  type WarpPlan,
  withMethod,
} from './plan-warp.ts';
export type { ResampleMethod } from './resampler.ts';
export {
  allocateSource,
  type KernelPlanes,
  type Raster,
  type SourcePlanes,
  warp,
  warpFlags,
  warpPlanes,
} from './warp.ts';
export {
  fillEmpty,
  joinMasks,
  keepCommon,
  makeStaging,
  makeWindowPlane,
  type PieceSink,
  type Staging,
} from './window-plane.ts';
