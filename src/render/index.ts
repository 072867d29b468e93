export { makeFlagClouds } from './clouds/flag-clouds.ts';
export { estimateClouds, planClasses, planClouds } from './clouds/plan-clouds.ts';
export type { ContrastStore } from './intensity/find-contrast.ts';
export type {
  FindIntensity,
  IntensityAnswer,
  IntensityRequest,
  IntensityStore,
} from './intensity/find-intensity.ts';
export { readSample, type SampleJob } from './intensity/measure-intensity.ts';
export { cropGrid, planAreaWindow } from './native/area-window.ts';
export {
  type NativeBand,
  type NativeGrid,
  planNativeInputs,
  planWindows,
  toNativeGrid,
  withoutOverviews,
} from './native/native-bands.ts';
export type { Picture } from './pictures/draw.ts';
export type { DrawColorbar } from './pictures/draw-colorbar.ts';
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
export { type CloudPlan, type ComparedScene, PIXELS_VERSION, type PixelPlan } from './plan/render-plan.ts';
export type { ReadPoint } from './read-point.ts';
export {
  listCloudReads,
  listPlanReads,
  makeRenderJobs,
  type RenderJobs,
  renderReads,
} from './render-jobs.ts';
export type { Painter, Renderer } from './renderer.ts';
export { makeRendering } from './rendering.ts';
export { planValueSample } from './samples/plan-sample.ts';
export type { CompareScene } from './scenes/compare-scene.ts';
export { type FileWatch, withCurrentFiles } from './scenes/file-watch.ts';
