export { type FlagClouds, makeFlagClouds } from './clouds/flag-clouds.ts';
export { estimateClouds, isOpaqueByDefault, planClasses, planClouds } from './clouds/plan-clouds.ts';
export { type ContrastStore, makeFindContrast } from './intensity/find-contrast.ts';
export type {
  BoundsArea,
  FindIntensity,
  IntensityAnswer,
  IntensityRequest,
  IntensityStore,
} from './intensity/find-intensity.ts';
export { makeFindIntensity } from './intensity/find-intensity.ts';
export { readSample, type SampleJob } from './intensity/measure-intensity.ts';
export { cropGrid, planAreaWindow } from './native/area-window.ts';
export {
  coarsestOf,
  estimateWindow,
  type NativeBand,
  type NativeGrid,
  planNativeBands,
  planNativeInputs,
  planWindows,
  toInputAssets,
  withoutOverviews,
} from './native/native-bands.ts';
export { toUtmGrid } from './native/utm-grid.ts';
export type { Picture } from './pictures/draw.ts';
export { type ColorbarJob, type DrawColorbar, makeDrawColorbar } from './pictures/draw-colorbar.ts';
export {
  MAX_PART_BYTES,
  makePaintParts,
  type PaintedScene,
  type PaintParts,
} from './pictures/paint-parts.ts';
export {
  MAX_SIDE_PX,
  type PictureGround,
  toPictureGrid,
  toViewGrid,
  toWholeGrid,
} from './pictures/picture-grids.ts';
export type { PlannedPicture, RenderOptions, ScenePictureRequest } from './pictures/plan-picture.ts';
export { readChannels } from './pixels/compute-channels.ts';
export { beginWork, type PixelTools } from './pixels/read-inputs.ts';
export { planBandInput } from './plan/calibration.ts';
export { DEFAULT_LIMITS, estimatePlanes } from './plan/limits.ts';
export { isOfClasses, shownRange } from './plan/picture-color.ts';
export { planExpressions, shownInput } from './plan/plan-expressions.ts';
export { planInputs } from './plan/plan-inputs.ts';
export {
  type CloudPlan,
  type ComparedScene,
  type InputPlan,
  PIXELS_VERSION,
  type PictureFormat,
  type PixelPlan,
} from './plan/render-plan.ts';
export { makePointReader, type ReadPoint } from './read-point.ts';
export {
  listCloudReads,
  listPlanReads,
  makeRenderJobs,
  type RenderJobs,
  renderReads,
} from './render-jobs.ts';
export {
  makePictureCache,
  makeRenderer,
  type Painter,
  type PictureCache,
  type Renderer,
  type SceneImages,
} from './renderer.ts';
export { planValueSample } from './samples/plan-sample.ts';
export { type CompareScene, makeCompareScene } from './scenes/compare-scene.ts';
export { type FileWatch, makeFileWatch, withCurrentFiles } from './scenes/file-watch.ts';
export { findRemoteFiles, warmUp } from './warm-up.ts';
export { makeWarmUpScenes } from './warm-up-scenes.ts';
