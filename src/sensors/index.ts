export { type DatasetId, type FieldsOf, sensors } from './all-sensors.ts';
export type { Calibration, RadianceRange, Rescale } from './definition/calibration.ts';
export type { FieldType, HitField } from './definition/hit-fields.ts';
export type { NaturalRange } from './definition/natural.ts';
export {
  type MaskFlag,
  type QualityBits,
  type QualityLayout,
  toInterfaceQuality,
} from './definition/quality.ts';

export type { Band, Pansharpening, ProductLayout, Sensor } from './definition/sensor.ts';
export {
  type Alias,
  aliasNames,
  describeAlias,
  findAlias,
  findIndexRange,
  toExpressionNames,
} from './lookup/aliases.ts';
export {
  chooseComposition,
  findBand,
  findBandFile,
  findCalibration,
  findIncomparable,
  findNaturalRange,
  findScaleLevel,
  joinRanges,
  listCompositions,
  sensorByAbbreviation,
  sensorByDataset,
  sensorsByDataset,
  sensorsByName,
} from './lookup/find-sensor.ts';
export { formatViewId, parseViewId, takeViewId, type ViewId } from './lookup/view-id.ts';
