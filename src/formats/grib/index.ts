export { describeField, type GribDescription } from './describe-field.ts';
export type { GribField } from './grib-field.ts';
export { findGrib, type GribFile, openGrib } from './open-grib.ts';
