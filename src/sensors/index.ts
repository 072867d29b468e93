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
export type { FileRole, ProductLayout } from './definition/product-layout.ts';
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
  Pansharpening,
  Sensor,
} from './definition/sensor.ts';
export { type AliasDescription, describeAlias } from './lookup/alias-descriptions.ts';
export { type Alias, aliasNames, findAlias, type IndexAlias } from './lookup/aliases.ts';
export { findCalibration, findDifferentGains } from './lookup/band-gains.ts';
export { listCompositions, type NamedComposition } from './lookup/compositions.ts';
export { toExpressionNames } from './lookup/expression-names.ts';
export { type BandFile, chooseComposition, findBand, findBandFile } from './lookup/find-band.ts';
export { findIndexRange } from './lookup/index-ranges.ts';
export { findPhysicalRange, findStoredRange, joinRanges } from './lookup/natural-ranges.ts';
export { formatViewId, parseViewId, takeViewId, type ViewId } from './lookup/view-id.ts';
