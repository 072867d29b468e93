import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './landsat-names.ts';
import { oliFiles, oliTirs, toOliTirsBands } from './landsat-oli.ts';

const name: LandsatName = {
  instruments: ['C', 'O', 'T'],
  satellite: 8,
  example: 'LC80110312016028LGN00',
};

/** Landsat 8, OLI and TIRS. */
export const landsat8 = defineSensor({
  dataset: 'landsat8',
  abbreviation: 'L8',
  title: 'Landsat 8',
  ...toLandsat(name, oliFiles),
  ...oliTirs,
  // constants of its products since 2015
  bands: toOliTirsBands(
    { k1: 774.8853, k2: 1321.0789, radiance: { mult: 3.342e-4, add: 0.1 } },
    { k1: 480.8883, k2: 1201.1442, radiance: { mult: 3.342e-4, add: 0.1 } },
  ),
});
