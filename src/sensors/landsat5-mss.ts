import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import { mss, mssFiles, toMssBands } from './landsat-mss.ts';
import type { LandsatName } from './landsat-names.ts';

const name: LandsatName = { instruments: ['M'], satellite: 5, example: 'LM52000302012365ESA00' };

/** Landsat 5, Multispectral Scanner. Constants: Chander, Markham and Helder 2009, as processed since November 1984. */
export const landsat5mss = defineSensor({
  dataset: 'landsat5mss',
  datasetGroups: ['landsat5'],
  abbreviation: 'L5MSS',
  title: 'Landsat 5 MSS',
  ...toLandsat(name, mssFiles),
  ...mss,
  bands: toMssBands([
    { radiance: [3, 268], esun: 1824 },
    { radiance: [3, 179], esun: 1570 },
    { radiance: [5, 148], esun: 1249 },
    { radiance: [3, 123], esun: 853.4 },
  ]),
});
