import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './landsat-names.ts';
import { ends } from './landsat-radiance.ts';
import { tm, tmFiles, toTmBands } from './landsat-tm.ts';

const name: LandsatName = { instruments: ['T'], satellite: 5, example: 'LT52240631988227CUB02' };

/** Bands 1 and 2 are scaled in another way up to the end of 1991. */
const early = { acquiredBefore: '1992-01-01' };

/** Landsat 5, Thematic Mapper. Constants: Chander, Markham and Helder 2009, as processed since April 2007. */
export const landsat5tm = defineSensor({
  dataset: 'landsat5tm',
  datasetGroups: ['landsat5'],
  abbreviation: 'L5TM',
  title: 'Landsat 5 TM',
  ...toLandsat(name, tmFiles),
  ...tm,
  bands: toTmBands({
    reflective: [
      { radiance: [ends([-1.52, 169], early), ends([-1.52, 193])], esun: 1983 },
      { radiance: [ends([-2.84, 333], early), ends([-2.84, 365])], esun: 1796 },
      { radiance: [ends([-1.17, 264])], esun: 1536 },
      { radiance: [ends([-1.51, 221])], esun: 1031 },
      { radiance: [ends([-0.37, 30.2])], esun: 220 },
      { radiance: [ends([-0.15, 16.5])], esun: 83.44 },
    ],
    thermal: { radiance: [ends([1.2378, 15.303])], k1: 607.76, k2: 1260.56 },
  }),
});
