export { type ColorbarJob, type DrawColorbar, makeDrawColorbar } from './colorbar.ts';
export { makeCompareScene } from './compare-scene.ts';
export { type ContrastStore, makeFindContrast } from './contrast.ts';
export type { Picture } from './draw-job.ts';
export { makeFileWatch } from './file-watch/index.ts';
export {
  type BoundsArea,
  type FindIntensity,
  type IntensityAnswer,
  type IntensityRequest,
  type IntensityStore,
  makeFindIntensity,
} from './intensity/index.ts';
export { makePictureCache, type PictureCache } from './picture-cache.ts';
export { MAX_SIDE_PX, type PicturePlace, toPictureGrid } from './picture-grid.ts';
export type { PictureFormat } from './plan.ts';
export { shownRange } from './plan-color.ts';
export type { RenderOptions } from './plan-picture.ts';
export { makePointReader, type ReadPoint } from './point/index.ts';
export { practise } from './practise.ts';
export { makeRenderJobs, type RenderJobSettings, type RenderJobs } from './render-jobs.ts';
export {
  makeRenderer,
  type PlannedPicture,
  type Renderer,
  type ScenePictureRequest,
} from './renderer.ts';
export { toViewGrid, toWholeGrid } from './view-grids.ts';
