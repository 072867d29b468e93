import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import { mss, mssFiles, toMssBands } from './landsat-mss.ts';
import type { LandsatName } from './landsat-names.ts';

const name: LandsatName = { instruments: ['M'], satellite: 4, example: 'LM40010011983147AAA03' };

/** Landsat 4, Multispectral Scanner. Constants: Chander, Markham and Helder 2009, as processed since April 1983. */
export const landsat4mss = defineSensor({
  dataset: 'landsat4mss',
  datasetGroups: ['landsat4'],
  abbreviation: 'L4MSS',
  title: 'Landsat 4 MSS',
  ...toLandsat(name, mssFiles),
  ...mss,
  bands: toMssBands([
    { radiance: [4, 238], esun: 1827 },
    { radiance: [4, 164], esun: 1569 },
    { radiance: [5, 142], esun: 1260 },
    { radiance: [4, 116], esun: 866.4 },
  ]),
});
