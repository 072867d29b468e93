import { toFilterTypes } from './hit-fields.ts';
import type { Sensor } from './sensor.ts';

/** What most sensors have none of. */
const nothingSpecial = {
  datasetGroups: [],
  sharedAbbreviations: [],
  defaultStretch: 'percentiles',
  removesOffset: false,
  quality: null,
  pansharpening: null,
  earlierScene: null,
  palettes: {},
} as const satisfies Partial<Sensor>;

type SensorFacts = Omit<Sensor, keyof typeof nothingSpecial | 'hitFields'> &
  Partial<Pick<Sensor, keyof typeof nothingSpecial>>;

/** A sensor from its facts: what is special about it is said, the rest is filled in. */
export const defineSensor = (facts: SensorFacts): Sensor => ({
  ...nothingSpecial,
  ...facts,
  hitFields: toFilterTypes(facts.hit),
});
