import { defineSensor } from '../definition/sensor.ts';
import { cbers4, toCbers4Band, toCbers4Grammar, toCbers4Layouts } from './camera.ts';

const mux = { resolutionM: 20, type: 'uint8', trustsMetadata: true } as const;

/** CBERS-4 MUX. Gains measured in flight: Pinto et al. 2016, Remote Sensing 8(5), 405. */
export const cbers4mux = defineSensor({
  dataset: 'cbers4mux',
  abbreviation: 'CBERS4MUX',
  title: 'CBERS-4 MUX',
  sceneName: toCbers4Grammar('MUX', 'CBERS_4_MUX_20160518_163_128_L4'),
  bands: [
    toCbers4Band({ ...mux, number: 5, role: 'BLUE', gain: 1.68 }),
    toCbers4Band({ ...mux, number: 6, role: 'GREEN', gain: 1.62 }),
    toCbers4Band({ ...mux, number: 7, role: 'RED', gain: 1.59 }),
    toCbers4Band({ ...mux, number: 8, role: 'NIR', gain: 1.42 }),
  ],
  defaultCompositions: [['BAND7', 'BAND6', 'BAND5']],
  ...cbers4,
  layouts: toCbers4Layouts('MUX', '[5-8]'),
});

/**
 * The coefficients in AWFI's XML (1.43, 1.39) are not used: they are three to four times the gains measured in flight,
 * and full scale would be more than twice the radiance of the brightest ground.
 */
const awfi = { resolutionM: 64, type: 'uint16', trustsMetadata: false } as const;

/** CBERS-4 AWFI. Gains measured in flight: Pinto et al. 2016, Remote Sensing 8(5), 405. */
export const cbers4awfi = defineSensor({
  dataset: 'cbers4awfi',
  abbreviation: 'CBERS4AWFI',
  title: 'CBERS-4 AWFI',
  sceneName: toCbers4Grammar('AWFI', 'CBERS_4_AWFI_20170420_146_129_L2'),
  bands: [
    toCbers4Band({ ...awfi, number: 13, role: 'BLUE', gain: 0.379 }),
    toCbers4Band({ ...awfi, number: 14, role: 'GREEN', gain: 0.498 }),
    toCbers4Band({ ...awfi, number: 15, role: 'RED', gain: 0.36 }),
    toCbers4Band({ ...awfi, number: 16, role: 'NIR', gain: 0.351 }),
  ],
  defaultCompositions: [['BAND15', 'BAND14', 'BAND13']],
  ...cbers4,
  layouts: toCbers4Layouts('AWFI', '1[3-6]'),
});

/** No gain is published for this camera: only the product's XML can calibrate it. */
const pan10m = { resolutionM: 10, type: 'uint8', gain: null, trustsMetadata: true } as const;

/** CBERS-4 PAN, the multispectral camera of 10 m. */
export const cbers4pan10m = defineSensor({
  dataset: 'cbers4pan10m',
  abbreviation: 'CBERS4PAN10M',
  title: 'CBERS-4 PAN 10 m',
  sceneName: toCbers4Grammar('PAN10M', 'CBERS_4_PAN10M_20170427_161_109_L4'),
  bands: [
    toCbers4Band({ ...pan10m, number: 2, role: 'GREEN' }),
    toCbers4Band({ ...pan10m, number: 3, role: 'RED' }),
    toCbers4Band({ ...pan10m, number: 4, role: 'NIR' }),
  ],
  // no blue band: false colour of near infrared, red and green
  defaultCompositions: [['BAND4', 'BAND3', 'BAND2']],
  ...cbers4,
  layouts: toCbers4Layouts('PAN10M', '[2-4]'),
});

/** CBERS-4 PAN, the panchromatic camera of 5 m. No gain is published: only the product's XML can calibrate it. */
export const cbers4pan5m = defineSensor({
  dataset: 'cbers4pan5m',
  abbreviation: 'CBERS4PAN5M',
  title: 'CBERS-4 PAN 5 m',
  sceneName: toCbers4Grammar('PAN5M', 'CBERS_4_PAN5M_20170425_153_114_L4'),
  bands: [
    toCbers4Band({ number: 1, role: 'PAN', resolutionM: 5, type: 'uint8', gain: null, trustsMetadata: true }),
  ],
  defaultCompositions: [['BAND1']],
  ...cbers4,
  layouts: toCbers4Layouts('PAN5M', '1'),
});
