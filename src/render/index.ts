export { planBandInput } from './calibration/plan-band-input.ts';
export { isOpaqueByDefault } from './clouds/cover-source.ts';
export { estimateClouds } from './clouds/estimate-clouds.ts';
export { type FlagClouds, makeFlagClouds } from './clouds/flag-clouds.ts';
export { planClasses, planClouds } from './clouds/plan-clouds.ts';
export { type ColorbarJob, type DrawColorbar, makeDrawColorbar } from './colors/colorbar.ts';
export { isOfClasses, shownRange } from './colors/plan-color.ts';
export { type ContrastStore, makeFindContrast } from './contrast/find-contrast.ts';
export { planExpressions, shownInput } from './inputs/plan-expressions.ts';
export { planInputs } from './inputs/plan-inputs.ts';
export type {
  BoundsArea,
  FindIntensity,
  IntensityAnswer,
  IntensityRequest,
  IntensityStore,
} from './intensity/find-intensity.ts';
export { makeFindIntensity } from './intensity/find-intensity.ts';
export { planValueSample } from './intensity/plan-value-sample.ts';
export { readSample, type SampleJob } from './intensity/read-sample.ts';
export { cropGrid, planAreaWindow } from './native/area-window.ts';
export type { NativeBand, NativeGrid } from './native/native-plan.ts';
export {
  coarsestOf,
  planNativeBands,
  planNativeInputs,
  toInputAssets,
  withoutOverviews,
} from './native/plan-native-bands.ts';
export { estimateWindow, planWindows } from './native/plan-window.ts';
export { toUtmGrid } from './native/utm-grid.ts';
export type { Picture } from './pictures/draw-job.ts';
export {
  MAX_PART_BYTES,
  makePaintParts,
  type PaintParts,
} from './pictures/paint-parts.ts';
export type { PaintedScene } from './pictures/painted-scene.ts';
export { makePictureCache, type PictureCache } from './pictures/picture-cache.ts';
export { MAX_SIDE_PX, type PictureGround, toPictureGrid } from './pictures/picture-grid.ts';
export type { RenderOptions } from './pictures/plan-picture.ts';
export type { PlannedPicture, ScenePictureRequest } from './pictures/planned-picture.ts';
export type { SceneImages } from './pictures/scene-images.ts';
export { toViewGrid, toWholeGrid } from './pictures/view-grids.ts';
export { readChannels } from './pixels/compute-channels.ts';
export { beginWork, type PixelTools } from './pixels/pixel-work.ts';
export type { CloudPlan } from './plan/cloud-plan.ts';
export { estimatePlanes } from './plan/estimate-planes.ts';
export type { InputPlan } from './plan/input-plan.ts';
export { DEFAULT_LIMITS } from './plan/limits.ts';
export type { PixelPlan } from './plan/pixel-plan.ts';
export { PIXELS_VERSION } from './plan/plan-key.ts';
export type { PictureFormat } from './plan/render-plan.ts';
export type { ReadPoint } from './point/point-reader.ts';
export { makePointReader } from './point/point-reader.ts';
export { makeRenderJobs, type RenderJobs } from './render-jobs.ts';
export { listCloudReads, listPlanReads, renderReads } from './render-reads.ts';
export type { Painter, Renderer } from './renderer.ts';
export { makeRenderer } from './renderer.ts';
export { type CompareScene, makeCompareScene } from './scenes/compare-scene.ts';
export type { ComparedScene } from './scenes/earlier-scene.ts';
export { type FileWatch, makeFileWatch } from './scenes/file-watch.ts';
export { withCurrentFiles } from './scenes/with-current-files.ts';
export { findRemoteFiles, warmUp } from './warm-up.ts';
export { makeWarmUpScenes } from './warm-up-scenes.ts';
