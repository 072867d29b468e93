export type { ComposeJobs, MosaicValues } from './compose-job.ts';
export { makeOrder, toSceneFilters } from './find-candidates.ts';
export { listTouching } from './find-scenes.ts';
export { groupAreas } from './group-areas.ts';
export {
  MAX_AREA_PX,
  measureArea,
  toAreaGrid,
  toAreaRequest,
  toValueOptions,
} from './measure-area.ts';
export type { Composition, Mosaic, MosaicPictureRequest, MosaicSearch, Selection } from './mosaic.ts';
export { isPicking } from './mosaic.ts';
export { makeMosaicJobs, mosaicReads } from './mosaic-jobs.ts';
export {
  type MosaicExtent,
  type MosaicPicture,
  type Mosaics,
  makeMosaics,
  type SourceShare,
} from './mosaics.ts';
export { isDay, PERIOD_FORMS, PERIOD_PATTERN, type Period, parsePeriod } from './period.ts';
export type { PlannedMosaic } from './plan-mosaic.ts';
export { type BuiltPyramid, makeBuildPyramid } from './pyramid/build-pyramid.ts';
export {
  makePyramidStore,
  type PyramidOrder,
  type PyramidStore,
  toPyramidKey,
} from './pyramid/pyramid-store.ts';
export { toSceneColor } from './source-colors.ts';
export { finestM, toZooms } from './zooms.ts';
