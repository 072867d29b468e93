import type { RadianceRange } from '../definition/calibration.ts';
import { thermalRanges } from '../definition/natural.ts';
import { defineSensor } from '../definition/sensor.ts';
import { landsatLook, toLandsat } from './landsat.ts';
import type { LandsatName } from './names.ts';
import { landsatScenePercent, toBqaBand } from './quality.ts';
import { ends, toReflective, toThermal } from './radiance.ts';

const name: LandsatName = { instruments: ['E'], satellite: 7, example: 'LE71040782013119ASA00' };

/**
 * ETM+ has two gains, and the metadata say which one a band had. Without metadata the default gain of land scenes
 * applies: low for bands 4 and 8, high for the others.
 */
const gains = (
  minimum: number,
  {
    low,
    high,
    defaultGain,
  }: { readonly low: number; readonly high: number; readonly defaultGain: 'L' | 'H' },
): readonly RadianceRange[] => [
  ends([minimum, low], { gain: 'L' }),
  ends([minimum, high], { gain: 'H' }),
  ends([minimum, defaultGain === 'L' ? low : high]),
];

const common = { resolutionM: 30 };
const thermal = { k1: 666.09, k2: 1282.71 };

/** Landsat 7, ETM+. Constants: Chander, Markham and Helder 2009, as processed since July 2000. */
export const landsat7 = defineSensor({
  dataset: 'landsat7',
  abbreviation: 'L7',
  title: 'Landsat 7',
  ...toLandsat(name, {
    bands: 'B(?:[1-578]|6_VCID_[12])',
    level2Bands: 'B[1-7]',
  }),
  bands: [
    toReflective({
      ...common,
      name: 'B1',
      role: 'BLUE',
      nm: [450, 520],
      radiance: gains(-6.2, { low: 293.7, high: 191.6, defaultGain: 'H' }),
      esun: 1997,
    }),
    toReflective({
      ...common,
      name: 'B2',
      role: 'GREEN',
      nm: [520, 600],
      radiance: gains(-6.4, { low: 300.9, high: 196.5, defaultGain: 'H' }),
      esun: 1812,
    }),
    toReflective({
      ...common,
      name: 'B3',
      role: 'RED',
      nm: [630, 690],
      radiance: gains(-5, { low: 234.4, high: 152.9, defaultGain: 'H' }),
      esun: 1533,
    }),
    toReflective({
      ...common,
      name: 'B4',
      role: 'NIR',
      nm: [770, 900],
      radiance: gains(-5.1, { low: 241.1, high: 157.4, defaultGain: 'L' }),
      esun: 1039,
    }),
    toReflective({
      ...common,
      name: 'B5',
      role: 'SWIR1',
      nm: [1550, 1750],
      radiance: gains(-1, { low: 47.57, high: 31.06, defaultGain: 'H' }),
      esun: 230.8,
    }),
    // The thermal band is delivered twice; B6 is the one of low gain, which does not saturate.
    toThermal({
      ...common,
      name: 'B6',
      spellings: ['B06', 'B6_VCID_1'],
      key: '6_VCID_1',
      role: 'THERMAL1',
      nm: [10_400, 12_500],
      radiance: [ends([0, 17.04])],
      thermal,
    }),
    toThermal({
      ...common,
      name: 'B6_VCID_2',
      spellings: [],
      key: '6_VCID_2',
      role: null,
      nm: [10_400, 12_500],
      radiance: [ends([3.2, 12.65])],
      thermal,
    }),
    toReflective({
      ...common,
      name: 'B7',
      role: 'SWIR2',
      nm: [2090, 2350],
      radiance: gains(-0.35, { low: 16.54, high: 10.8, defaultGain: 'H' }),
      esun: 84.9,
    }),
    toReflective({
      name: 'B8',
      role: 'PAN',
      nm: [520, 900],
      resolutionM: 15,
      radiance: gains(-4.7, { low: 243.1, high: 158.3, defaultGain: 'L' }),
      esun: 1362,
    }),
    toBqaBand(30),
  ],
  defaultCompositions: [['B3', 'B2', 'B1']],
  natural: { ...landsatLook, ranges: { ...landsatLook.ranges, B6_VCID_2: thermalRanges.THERMAL1 } },
  cloud: landsatScenePercent,
  // There are no agreed weights of a three-band transform for Landsat 7: always pixelwise.
  pansharpening: {
    panBand: 'B8',
    bands: ['B1', 'B2', 'B3', 'B4', 'B5', 'B7'],
    compositeWeights: null,
  },
});
