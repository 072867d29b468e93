export type { AreaPut, AreaStore, AreaUsage, NewArea } from './area-store.ts';
export { type Areas, type KeptArea, makeAreas } from './areas.ts';
export { areaLimits } from './limits.ts';
export { type Area, type AreaFeature, parseArea, parseAreaGeometry } from './parse-area.ts';
export { rasterizeArea } from './rasterize-area.ts';
