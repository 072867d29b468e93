export { makeBlockCache } from './block-cache/index.ts';
export { type ContrastStore, makeFindContrast } from './contrast.ts';
export { MAX_SIDE_PX, type PicturePlace, toPictureGrid } from './picture-grid.ts';
export type { PictureFormat } from './plan.ts';
export type { RenderOptions } from './plan-picture.ts';
export { makePool, type Pool, serveJobs } from './pool/index.ts';
export { makeRenderJobs, type RenderJobSettings } from './render-jobs.ts';
export { makeRenderer, type Picture, type PlannedPicture, type Renderer } from './renderer.ts';
