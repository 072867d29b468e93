import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './landsat-names.ts';
import { ends } from './landsat-radiance.ts';
import { tm, tmFiles, toTmBands } from './landsat-tm.ts';

const name: LandsatName = { instruments: ['T'], satellite: 4, example: 'LT40020261983010XXX05' };

/** Landsat 4, Thematic Mapper. Constants: Chander, Markham and Helder 2009, as processed since 1984. */
export const landsat4tm = defineSensor({
  dataset: 'landsat4tm',
  datasetGroups: ['landsat4'],
  abbreviation: 'L4TM',
  title: 'Landsat 4 TM',
  ...toLandsat(name, tmFiles),
  ...tm,
  bands: toTmBands({
    reflective: [
      { radiance: [ends([-1.5, 152.1])], esun: 1983 },
      { radiance: [ends([-2.8, 296.81])], esun: 1795 },
      { radiance: [ends([-1.2, 204.3])], esun: 1539 },
      { radiance: [ends([-1.5, 206.2])], esun: 1028 },
      { radiance: [ends([-0.37, 27.19])], esun: 219.8 },
      { radiance: [ends([-0.15, 14.38])], esun: 83.49 },
    ],
    thermal: { radiance: [ends([1.2378, 15.3032])], k1: 671.62, k2: 1284.3 },
  }),
});
