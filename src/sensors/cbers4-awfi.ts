import { cbers4Cloud, cbers4Hit, toCbers4Band, toCbers4Grammar, toCbers4Layouts } from './cbers4.ts';
import { defineSensor } from './define-sensor.ts';

/**
 * The coefficients in AWFI's XML (1.43, 1.39) are three to four times the gains measured in flight, and full scale
 * would be more than twice what the brightest ground can send back: they are not used.
 */
const common = { resolutionM: 64, type: 'uint16', trustsMetadata: false } as const;

/** CBERS-4 AWFI. Gains measured in flight: Pinto et al. 2016, Remote Sensing 8(5), 405. */
export const cbers4awfi = defineSensor({
  dataset: 'cbers4awfi',
  datasetGroups: ['cbers4'],
  abbreviation: 'CBERS4AWFI',
  sharedAbbreviations: ['CBERS4'],
  title: 'CBERS-4 AWFI',
  sceneName: toCbers4Grammar('AWFI', 'CBERS_4_AWFI_20170420_146_129_L2'),
  bands: [
    toCbers4Band({ ...common, number: 13, role: 'BLUE', gain: 0.379 }),
    toCbers4Band({ ...common, number: 14, role: 'GREEN', gain: 0.498 }),
    toCbers4Band({ ...common, number: 15, role: 'RED', gain: 0.36 }),
    toCbers4Band({ ...common, number: 16, role: 'NIR', gain: 0.351 }),
  ],
  defaultCompositions: [['BAND15', 'BAND14', 'BAND13']],
  cloud: cbers4Cloud,
  hit: cbers4Hit,
  layouts: toCbers4Layouts('AWFI', '1[3-6]'),
});
