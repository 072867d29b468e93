import { cbers4Cloud, cbers4Hit, toCbers4Band, toCbers4Grammar, toCbers4Layouts } from './cbers4.ts';
import { defineSensor } from './define-sensor.ts';

/** CBERS-4 PAN, the panchromatic camera of 5 m. No gain was ever published: only a product's XML can calibrate it. */
export const cbers4pan5m = defineSensor({
  dataset: 'cbers4pan5m',
  datasetGroups: ['cbers4'],
  abbreviation: 'CBERS4PAN5M',
  sharedAbbreviations: ['CBERS4'],
  title: 'CBERS-4 PAN 5 m',
  sceneName: toCbers4Grammar('PAN5M', 'CBERS_4_PAN5M_20170425_153_114_L4'),
  bands: [
    toCbers4Band({ number: 1, role: 'PAN', resolutionM: 5, type: 'uint8', gain: null, trustsMetadata: true }),
  ],
  defaultCompositions: [['BAND1']],
  cloud: cbers4Cloud,
  hit: cbers4Hit,
  layouts: toCbers4Layouts('PAN5M', '1'),
});
