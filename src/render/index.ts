export { makeBlockCache } from './block-cache/index.ts';
export { type ContrastStore, makeFindContrast } from './contrast.ts';
export { pixelWorkerScript } from './pixel-worker-script.ts';
export type { PictureFormat } from './plan.ts';
export type { RenderOptions } from './plan-tile.ts';
export { makePool, type Pool } from './pool/index.ts';
export { makeRenderer, type Picture, type Renderer } from './renderer.ts';
