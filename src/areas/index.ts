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
export {
  type AreaSpans,
  type CoveredPieces,
  type CoveredPixels,
  type CoverRule,
  clipWindow,
  coverPieces,
  coverPixels,
  makeMaskMemory,
  planTouchedWindow,
  planWindowAround,
  rasterizeArea,
  toSpans,
} from './cover-pixels.ts';
export { overlay, type WantedGround } from './overlay.ts';
export { areaLimits, parseArea, parseAreaGeometry, parseSearchGeometry } from './parse-area.ts';
