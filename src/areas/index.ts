export {
  type AreaJobs,
  type AreaParser,
  areaJobs,
  type CheckedArea,
  checkArea,
  makeAreaParser,
  measureArea,
  type WrittenArea,
  writeArea,
} from './area-parser.ts';
export { areaLimits, parseArea, parseAreaGeometry, parseSearchGeometry } from './parse-area.ts';
export { rasterizeArea } from './rasterize-area.ts';
