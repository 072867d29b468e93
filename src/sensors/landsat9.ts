import { defineSensor } from './define-sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './landsat-names.ts';
import { oliFiles, oliTirs, toOliTirsBands } from './landsat-oli.ts';

const name: LandsatName = {
  instruments: ['C', 'O', 'T'],
  satellite: 9,
  example: 'LC91120812022040LGN01',
};

/** Landsat 9, OLI-2 and TIRS-2: newer than the interface, and rendered as Landsat 8 is. */
export const landsat9 = defineSensor({
  dataset: 'landsat9',
  abbreviation: 'L9',
  title: 'Landsat 9',
  ...toLandsat(name, oliFiles),
  ...oliTirs,
  // constants of its products of 2022
  bands: toOliTirsBands(
    { k1: 799.0284, k2: 1329.2405, radiance: { mult: 3.8e-4, add: 0.1 } },
    { k1: 475.6581, k2: 1198.3494, radiance: { mult: 3.49e-4, add: 0.1 } },
  ),
});
