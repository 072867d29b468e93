import { cbers4Cloud, cbers4Hit, toCbers4Band, toCbers4Grammar, toCbers4Layouts } from './cbers4.ts';
import { defineSensor } from './define-sensor.ts';

const common = { resolutionM: 20, type: 'uint8', trustsMetadata: true } as const;

/** CBERS-4 MUX. Gains measured in flight: Pinto et al. 2016, Remote Sensing 8(5), 405. */
export const cbers4mux = defineSensor({
  dataset: 'cbers4mux',
  datasetGroups: ['cbers4'],
  abbreviation: 'CBERS4MUX',
  sharedAbbreviations: ['CBERS4'],
  title: 'CBERS-4 MUX',
  sceneName: toCbers4Grammar('MUX', 'CBERS_4_MUX_20160518_163_128_L4'),
  bands: [
    toCbers4Band({ ...common, number: 5, role: 'BLUE', gain: 1.68 }),
    toCbers4Band({ ...common, number: 6, role: 'GREEN', gain: 1.62 }),
    toCbers4Band({ ...common, number: 7, role: 'RED', gain: 1.59 }),
    toCbers4Band({ ...common, number: 8, role: 'NIR', gain: 1.42 }),
  ],
  defaultCompositions: [['BAND7', 'BAND6', 'BAND5']],
  cloud: cbers4Cloud,
  hit: cbers4Hit,
  layouts: toCbers4Layouts('MUX', '[5-8]'),
});
