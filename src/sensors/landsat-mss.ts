import { landsatScenePercent, toBqaBand } from './landsat-quality.ts';
import { ends, toReflective } from './landsat-radiance.ts';
import type { Band, Sensor } from './sensor.ts';

/** What calibrates a band of one instrument: radiances at both ends [W/(m² sr µm)] and ESUN [W/(m² µm)]. */
interface MssConstants {
  readonly radiance: readonly [least: number, most: number];
  readonly esun: number;
}

/** Bands of the Multispectral Scanner, alike on Landsat 4 and 5 (USGS band designations); constants of bands 1 to 4. */
export function toMssBands(
  constants: readonly [MssConstants, MssConstants, MssConstants, MssConstants],
): readonly Band[] {
  const at = (index: 0 | 1 | 2 | 3) => ({
    resolutionM: 60,
    radiance: [ends(constants[index].radiance)],
    esun: constants[index].esun,
  });
  return [
    toReflective({ ...at(0), name: 'B1', role: 'GREEN', nm: [500, 600] }),
    toReflective({ ...at(1), name: 'B2', role: 'RED', nm: [600, 700] }),
    // half red edge, half near infrared: no formula means this
    toReflective({ ...at(2), name: 'B3', role: null, nm: [700, 800] }),
    toReflective({ ...at(3), name: 'B4', role: 'NIR', nm: [800, 1100] }),
    toBqaBand(60),
  ];
}

/** Band files of level 1; there is no level 2. */
export const mssFiles = { bands: 'B[1-4]', level2Bands: null };

/** What all pictures of the instrument have in common. */
export const mss: Pick<Sensor, 'defaultCompositions' | 'cloud'> = {
  // it sees no blue: near infrared, red and green, where plants are red
  defaultCompositions: [['B4', 'B2', 'B1']],
  cloud: landsatScenePercent,
};
