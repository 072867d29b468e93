export {
  type DatasetId,
  type FieldsOf,
  sensorByAbbreviation,
  sensorByDataset,
  sensors,
  sensorsByDataset,
  sensorsByName,
} from './all-sensors.ts';
export type { Calibration, LandsatKeys, RadianceRange, Rescale } from './definition/calibration.ts';
export type { FieldType, HitField } from './definition/hit-fields.ts';
export type { NaturalRange } from './definition/natural.ts';
export type {
  BandPalette,
  BitField,
  CloudRule,
  MaskFlag,
  QualityBits,
  QualityLayout,
} from './definition/quality.ts';
export { toInterfaceQuality } from './definition/quality.ts';
export type { SceneParts } from './definition/scene-name.ts';
export type {
  Band,
  BandRole,
  Composition,
  EarlierScene,
  FileRole,
  Pansharpening,
  ProductLayout,
  Sensor,
} from './definition/sensor.ts';
export {
  type Alias,
  type AliasDescription,
  aliasNames,
  describeAlias,
  findAlias,
  findIndexRange,
  type IndexAlias,
  toExpressionNames,
} from './lookup/aliases.ts';
export { findCalibration, findDifferentGains } from './lookup/band-gains.ts';
export {
  type BandFile,
  chooseComposition,
  findBand,
  findBandFile,
  listCompositions,
  type NamedComposition,
} from './lookup/find-band.ts';
export { findPhysicalRange, findStoredRange, joinRanges } from './lookup/natural-ranges.ts';
export { formatViewId, parseViewId, takeViewId, type ViewId } from './lookup/view-id.ts';
