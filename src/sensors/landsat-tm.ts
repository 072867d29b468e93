import type { RadianceRange } from './calibration.ts';
import { landsatScenePercent, toBqaBand } from './landsat-quality.ts';
import { toReflective, toThermal } from './landsat-radiance.ts';
import type { Band, Sensor } from './sensor.ts';

/** What calibrates a reflective band of one instrument: radiances at both ends and ESUN [W/(m² µm)]. */
interface Reflective {
  readonly radiance: readonly RadianceRange[];
  readonly esun: number;
}

/** Constants in which the two Thematic Mappers differ. */
export interface TmConstants {
  /** Bands 1, 2, 3, 4, 5 and 7. */
  readonly reflective: readonly [Reflective, Reflective, Reflective, Reflective, Reflective, Reflective];
  /** Band 6. */
  readonly thermal: {
    readonly radiance: readonly RadianceRange[];
    readonly k1: number;
    readonly k2: number;
  };
}

/** Bands of the Thematic Mapper, alike on Landsat 4 and 5 (USGS band designations). */
export function toTmBands({ reflective, thermal }: TmConstants): readonly Band[] {
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
export const tmFiles = { bands: 'B[1-7]', level2Bands: 'B[1-7]' };

/** What all pictures of the instrument have in common. */
export const tm: Pick<Sensor, 'defaultCompositions' | 'cloud'> = {
  defaultCompositions: [['B3', 'B2', 'B1']],
  cloud: landsatScenePercent,
};
