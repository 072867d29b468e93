import type { Rescale } from '../definition/calibration.ts';
import { toLandsatKeys } from '../definition/calibration.ts';
import type { Band, BandRole, Pansharpening, Sensor } from '../definition/sensor.ts';
import { defineSensor, range } from '../definition/sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './names.ts';
import { landsatCloudBits, toBqaBand } from './quality.ts';

/** Reflectance scale of every OLI product, for products without metadata. */
const OLI_REFLECTANCE: Rescale = { mult: 2e-5, add: -0.1 };

interface Reflective {
  readonly number: number;
  readonly role: BandRole;
  readonly nm: readonly [from: number, to: number];
  readonly resolutionM?: number;
}

const toReflective = ({ number, role, nm, resolutionM = 30 }: Reflective): Band => ({
  name: `B${number}`,
  spellings: [`B0${number}`],
  role,
  kind: 'reflective',
  ...range(...nm),
  resolutionM,
  type: 'uint16',
  nodata: 0,
  calibration: {
    kind: 'reflectance',
    metadata: toLandsatKeys(String(number)),
    fallback: { reflectance: OLI_REFLECTANCE },
  },
});

/** Constants of a TIRS band, which differ between the two instruments. */
interface TirsConstants {
  readonly k1: number;
  readonly k2: number;
  readonly radiance: Rescale;
}

interface Thermal {
  readonly number: number;
  readonly role: BandRole;
  readonly nm: readonly [from: number, to: number];
  readonly fallback: TirsConstants;
}

const toThermal = ({ number, role, nm, fallback }: Thermal): Band => ({
  name: `B${number}`,
  spellings: [],
  role,
  kind: 'thermal',
  ...range(...nm),
  // measured at 100 m, delivered at 30 m
  resolutionM: 30,
  type: 'uint16',
  nodata: 0,
  calibration: { kind: 'brightness-temperature', metadata: toLandsatKeys(String(number)), fallback },
});

/** Bands of OLI and TIRS, the same on Landsat 8 and 9 (USGS band designations). */
const toOliTirsBands = (band10: TirsConstants, band11: TirsConstants): readonly Band[] => [
  toReflective({ number: 1, role: 'COASTAL', nm: [435, 451] }),
  toReflective({ number: 2, role: 'BLUE', nm: [452, 512] }),
  toReflective({ number: 3, role: 'GREEN', nm: [533, 590] }),
  toReflective({ number: 4, role: 'RED', nm: [636, 673] }),
  toReflective({ number: 5, role: 'NIR', nm: [851, 879] }),
  toReflective({ number: 6, role: 'SWIR1', nm: [1566, 1651] }),
  toReflective({ number: 7, role: 'SWIR2', nm: [2107, 2294] }),
  toReflective({ number: 8, role: 'PAN', nm: [503, 676], resolutionM: 15 }),
  toReflective({ number: 9, role: 'CIRRUS', nm: [1363, 1384] }),
  toThermal({ number: 10, role: 'THERMAL1', nm: [10_600, 11_190], fallback: band10 }),
  toThermal({ number: 11, role: 'THERMAL2', nm: [11_500, 12_510], fallback: band11 }),
  toBqaBand(30),
];

/** Fixed weights for the first, second and third requested band. */
const pansharpening: Pansharpening = {
  panBand: 'B8',
  bands: ['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B9'],
  compositeWeights: [0.52, 0.25, 0.23],
};

/** Common properties of Landsat 8 and 9. */
const oliTirs: Pick<Sensor, 'defaultCompositions' | 'cloud' | 'pansharpening'> = {
  // scenes of TIRS alone (LT8) have no colours
  defaultCompositions: [['B4', 'B3', 'B2'], ['B10']],
  cloud: landsatCloudBits,
  pansharpening,
};

/** Band files of level 1 and level 2. */
const oliFiles = { bands: 'B(?:[1-9]|1[01])', level2Bands: 'B(?:[1-7]|10)' };

const landsat8Name: LandsatName = {
  instruments: ['C', 'O', 'T'],
  satellite: 8,
  example: 'LC80110312016028LGN00',
};

/** Landsat 8, OLI and TIRS. */
export const landsat8 = defineSensor({
  dataset: 'landsat8',
  abbreviation: 'L8',
  title: 'Landsat 8',
  ...toLandsat(landsat8Name, oliFiles),
  ...oliTirs,
  // constants of its products since 2015
  bands: toOliTirsBands(
    { k1: 774.8853, k2: 1321.0789, radiance: { mult: 3.342e-4, add: 0.1 } },
    { k1: 480.8883, k2: 1201.1442, radiance: { mult: 3.342e-4, add: 0.1 } },
  ),
});

const landsat9Name: LandsatName = {
  instruments: ['C', 'O', 'T'],
  satellite: 9,
  example: 'LC91120812022040LGN01',
};

/** Landsat 9, OLI-2 and TIRS-2: newer than the interface, and rendered as Landsat 8 is. */
export const landsat9 = defineSensor({
  dataset: 'landsat9',
  abbreviation: 'L9',
  title: 'Landsat 9',
  ...toLandsat(landsat9Name, oliFiles),
  ...oliTirs,
  // constants of its products of 2022
  bands: toOliTirsBands(
    { k1: 799.0284, k2: 1329.2405, radiance: { mult: 3.8e-4, add: 0.1 } },
    { k1: 475.6581, k2: 1198.3494, radiance: { mult: 3.49e-4, add: 0.1 } },
  ),
});
