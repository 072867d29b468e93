import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import { mssFiles, toMssBands } from './landsat-mss.ts';
import type { LandsatName } from './landsat-names.ts';
import { landsatScenePercent } from './landsat-quality.ts';

const name: LandsatName = { instruments: ['M'], satellite: 4, example: 'LM40010011983147AAA03' };

/** Landsat 4, Multispectral Scanner. Constants: Chander, Markham and Helder 2009, as processed since April 1983. */
export const landsat4mss = defineSensor({
  dataset: 'landsat4mss',
  datasetGroups: ['landsat4'],
  abbreviation: 'L4MSS',
  title: 'Landsat 4 MSS',
  ...toLandsat(name, mssFiles),
  bands: toMssBands([
    { radiance: [4, 238], esun: 1827 },
    { radiance: [4, 164], esun: 1569 },
    { radiance: [5, 142], esun: 1260 },
    { radiance: [4, 116], esun: 866.4 },
  ]),
  // it sees no blue: near infrared, red and green, where plants are red
  defaultCompositions: [['B4', 'B2', 'B1']],
  cloud: landsatScenePercent,
});
