export { toDayNumber } from './day-of-year.ts';
export { findSeasons, type Season, type SeasonOptions } from './find-seasons.ts';
export {
  type Anomaly,
  type NormalOptions,
  type Normals,
  splitYears,
  toAnomaly,
  toNormals,
} from './normals.ts';
export {
  type Curve,
  type Sample,
  type SmoothOptions,
  smoothSeries,
  toSampleWeight,
  valueOn,
} from './smooth-series.ts';
