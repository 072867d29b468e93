export type { GribField } from './headers/grib-field.ts';
export { findGrib } from './headers/read-index.ts';
export { describeField, type GribDescription } from './names/describe-field.ts';
export { type GribFile, openGrib } from './open-grib.ts';
