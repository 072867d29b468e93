import type { RadianceRange } from '../definition/calibration.ts';
import type { Band, Sensor } from '../definition/sensor.ts';
import { defineSensor } from '../definition/sensor.ts';
import { toLandsat } from './landsat.ts';
import type { LandsatName } from './names.ts';
import { landsatScenePercent, toBqaBand } from './quality.ts';
import { ends, toReflective, toThermal } from './radiance.ts';

/** Calibration of a reflective band of one instrument: radiances at both ends and ESUN [W/(m² µm)]. */
interface Reflective {
  readonly radiance: readonly RadianceRange[];
  readonly esun: number;
}

/** Constants in which the two Thematic Mappers differ. */
interface TmConstants {
  /** Bands 1, 2, 3, 4, 5 and 7. */
  readonly reflective: readonly [Reflective, Reflective, Reflective, Reflective, Reflective, Reflective];
  /** Band 6. */
  readonly thermal: {
    readonly radiance: readonly RadianceRange[];
    readonly k1: number;
    readonly k2: number;
  };
}

/** Bands of the Thematic Mapper, the same on Landsat 4 and 5 (USGS band designations). */
function toTmBands({ reflective, thermal }: TmConstants): readonly Band[] {
  const [b1, b2, b3, b4, b5, b7] = reflective;
  const { radiance, k1, k2 } = thermal;
  const resolutionM = 30;
  return [
    toReflective({ ...b1, resolutionM, name: 'B1', role: 'BLUE', nm: [450, 520] }),
    toReflective({ ...b2, resolutionM, name: 'B2', role: 'GREEN', nm: [520, 600] }),
    toReflective({ ...b3, resolutionM, name: 'B3', role: 'RED', nm: [630, 690] }),
    toReflective({ ...b4, resolutionM, name: 'B4', role: 'NIR', nm: [760, 900] }),
    toReflective({ ...b5, resolutionM, name: 'B5', role: 'SWIR1', nm: [1550, 1750] }),
    // measured at 120 m, delivered at 30 m
    toThermal({
      radiance,
      thermal: { k1, k2 },
      resolutionM,
      name: 'B6',
      role: 'THERMAL1',
      nm: [10_400, 12_500],
    }),
    toReflective({ ...b7, resolutionM, name: 'B7', role: 'SWIR2', nm: [2080, 2350] }),
    toBqaBand(30),
  ];
}

/** Band files of level 1 and level 2. */
const tmFiles = { bands: 'B[1-7]', level2Bands: 'B[1-7]' };

/** Common properties of both instruments. */
const tm: Pick<Sensor, 'defaultCompositions' | 'cloud'> = {
  defaultCompositions: [['B3', 'B2', 'B1']],
  cloud: landsatScenePercent,
};

const landsat4: LandsatName = { instruments: ['T'], satellite: 4, example: 'LT40020261983010XXX05' };

/** Landsat 4, Thematic Mapper. Constants: Chander, Markham and Helder 2009, as processed since 1984. */
export const landsat4tm = defineSensor({
  dataset: 'landsat4tm',
  datasetGroups: ['landsat4'],
  abbreviation: 'L4TM',
  title: 'Landsat 4 TM',
  ...toLandsat(landsat4, tmFiles),
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

const landsat5: LandsatName = { instruments: ['T'], satellite: 5, example: 'LT52240631988227CUB02' };

/** Bands 1 and 2 have another scale until the end of 1991. */
const early = { acquiredBefore: '1992-01-01' };

/** Landsat 5, Thematic Mapper. Constants: Chander, Markham and Helder 2009, as processed since April 2007. */
export const landsat5tm = defineSensor({
  dataset: 'landsat5tm',
  datasetGroups: ['landsat5'],
  abbreviation: 'L5TM',
  title: 'Landsat 5 TM',
  ...toLandsat(landsat5, tmFiles),
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
