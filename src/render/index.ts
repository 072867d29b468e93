export { type ColorbarJob, type DrawColorbar, makeDrawColorbar } from './colors/colorbar.ts';
export { isOfClasses, shownRange } from './colors/plan-color.ts';
export { type ContrastStore, makeFindContrast } from './contrast/find-contrast.ts';
export type {
  BoundsArea,
  FindIntensity,
  IntensityAnswer,
  IntensityRequest,
  IntensityStore,
} from './intensity/find-intensity.ts';
export { makeFindIntensity } from './intensity/find-intensity.ts';
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
export { DEFAULT_LIMITS } from './plan/limits.ts';
export type { PictureFormat } from './plan/render-plan.ts';
export type { ReadPoint } from './point/point-reader.ts';
export { makePointReader } from './point/point-reader.ts';
export { makeRenderJobs, type RenderJobs } from './render-jobs.ts';
export type { Painter, Renderer } from './renderer.ts';
export { makeRenderer } from './renderer.ts';
export { makeCompareScene } from './scenes/compare-scene.ts';
export { makeFileWatch } from './scenes/file-watch.ts';
export { warmUp } from './warm-up.ts';
