export { toDate, toDayNumber, toYearDay } from './day-of-year.ts';
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
  DEFAULT_PHENOLOGY,
  isBetterScene,
  type Phenology,
  type PhenologyOptions,
  toDailySamples,
  toPhenology,
} from './phenology.ts';
export {
  type Curve,
  type Sample,
  type SmoothOptions,
  smoothSeries,
  toSampleWeight,
  valueOn,
} from './smooth-series.ts';
