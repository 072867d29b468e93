/** The second door of render/: bands and clouds of a scene in its own grid, for files and statistics. */
export { type FlagClouds, makeFlagClouds } from '../clouds/flag-clouds.ts';
export {
  estimateClouds,
  findMaskImage,
  type Obscured,
  planClasses,
  planClouds,
  planObscured,
} from '../clouds/plan-clouds.ts';
export type { ExplainedPixels, ExplainPixels } from '../explain/explain-pixels.ts';
export { drawShown } from '../pictures/draw.ts';
export {
  beginWork,
  type PixelTools,
  type PixelWork,
  readChannelStrips,
  readChannels,
  readPlanes,
} from '../pixels/read-channels.ts';
export { planBandInput } from '../plan/calibration.ts';
export { estimatePlanes, shownInput } from '../plan/plan-inputs.ts';
export {
  type CloudPlan,
  type ComparedScene,
  type LookPlan,
  PIXELS_VERSION,
  type PixelPlan,
} from '../plan/render-plan.ts';
export { listCloudReads, listPlanReads } from '../render-jobs.ts';
export { type CompareScene, type FileWatch, withCurrentFiles } from '../scenes/file-watch.ts';
export { cropGrid, planAreaWindow } from './area-window.ts';
export {
  type NativeBand,
  type NativeGrid,
  planNativeInputs,
  planWindow,
  planWindows,
  toNativeGrid,
  utmCodeAt,
  withoutMaskOverviews,
} from './native-bands.ts';
