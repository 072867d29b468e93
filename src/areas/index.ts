export { type AreaJobs, areaJobs } from './area-jobs.ts';
export { type AreaParser, makeAreaParser } from './area-parser.ts';
export type { AreaPut, AreaStore, AreaUsage, NewArea, StoredArea } from './area-store.ts';
export { type Areas, type KeptArea, makeAreas } from './areas.ts';
export { type CheckedArea, checkArea, measureArea } from './check-area.ts';
export { areaLimits } from './limits.ts';
export {
  type Area,
  type AreaFeature,
  parseArea,
  parseAreaGeometry,
  parseSearchGeometry,
} from './parse-area.ts';
export { rasterizeArea } from './rasterize-area.ts';
export { writeArea } from './write-area.ts';
