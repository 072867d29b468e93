import { cbers4Cloud, cbers4Hit, toCbers4Band, toCbers4Grammar, toCbers4Layouts } from './cbers4.ts';
import { defineSensor } from './define-sensor.ts';

/** No gain was ever published for this camera: only a product's own XML can calibrate it. */
const common = { resolutionM: 10, type: 'uint8', gain: null, trustsMetadata: true } as const;

/** CBERS-4 PAN, the multispectral camera of 10 m. */
export const cbers4pan10m = defineSensor({
  dataset: 'cbers4pan10m',
  datasetGroups: ['cbers4'],
  abbreviation: 'CBERS4PAN10M',
  sharedAbbreviations: ['CBERS4'],
  title: 'CBERS-4 PAN 10 m',
  sceneName: toCbers4Grammar('PAN10M', 'CBERS_4_PAN10M_20170427_161_109_L4'),
  bands: [
    toCbers4Band({ ...common, number: 2, role: 'GREEN' }),
    toCbers4Band({ ...common, number: 3, role: 'RED' }),
    toCbers4Band({ ...common, number: 4, role: 'NIR' }),
  ],
  // it sees no blue: near infrared, red and green, where plants are red
  defaultCompositions: [['BAND4', 'BAND3', 'BAND2']],
  cloud: cbers4Cloud,
  hit: cbers4Hit,
  layouts: toCbers4Layouts('PAN10M', '[2-4]'),
});
