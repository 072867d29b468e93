export type { ExplainedInput } from './explain/explain-inputs.ts';
export type { ExplainedPicture } from './explain/explain-picture.ts';
export type { ExplainedIntensity, ExplainedPoint } from './explain/explain-values.ts';
export type { Explainer } from './explain/explainer.ts';
export type { ContrastStore } from './intensity/find-contrast.ts';
export type {
  FindIntensity,
  IntensityAnswer,
  IntensityRequest,
  IntensityStore,
} from './intensity/find-intensity.ts';
export { readSample, type SampleJob } from './intensity/measure-intensity.ts';
export { type Picture, paintShownRgba } from './pictures/draw.ts';
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
export { DEFAULT_LIMITS, planExpressions } from './plan/plan-inputs.ts';
export type { ReadPoint } from './read-point.ts';
export { makeRenderJobs, type RenderJobs, renderReads } from './render-jobs.ts';
export type { Painter, Renderer } from './renderer.ts';
export { makeRendering } from './rendering.ts';
export { planValueSample } from './samples/plan-sample.ts';
