import { topOfAtmosphereRanges } from '../definition/natural.ts';
import type { Band, Sensor } from '../definition/sensor.ts';
import { defineSensor } from '../definition/sensor.ts';
import { landsatLook, toLandsat } from './landsat.ts';
import type { LandsatName } from './names.ts';
import { landsatScenePercent, toBqaBand } from './quality.ts';
import { ends, toReflective } from './radiance.ts';

/** Calibration of a band of one instrument: min and max radiance [W/(m² sr µm)] and ESUN [W/(m² µm)]. */
interface MssConstants {
  readonly radiance: readonly [min: number, max: number];
  readonly esun: number;
}

/** Bands of the Multispectral Scanner, the same on Landsat 4 and 5 (USGS band designations); constants of bands 1 to 4. */
function toMssBands(
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
    // half red edge, half near infrared: no formula uses it
    toReflective({ ...at(2), name: 'B3', role: null, nm: [700, 800] }),
    toReflective({ ...at(3), name: 'B4', role: 'NIR', nm: [800, 1100] }),
    toBqaBand(60),
  ];
}

/** Band files of level 1; there is no level 2. */
const mssFiles = { bands: 'B[1-4]', level2Bands: null };

/** Common properties of both instruments. */
const mss: Pick<Sensor, 'defaultCompositions' | 'natural' | 'cloud'> = {
  // no blue band: false colour of near infrared, red and green
  defaultCompositions: [['B4', 'B2', 'B1']],
  natural: { ...landsatLook, ranges: { ...landsatLook.ranges, B3: topOfAtmosphereRanges.NIR } },
  cloud: landsatScenePercent,
};

const landsat4: LandsatName = { instruments: ['M'], satellite: 4, example: 'LM40010011983147AAA03' };

/** Landsat 4, Multispectral Scanner. Constants: Chander, Markham and Helder 2009, as processed since April 1983. */
export const landsat4mss = defineSensor({
  dataset: 'landsat4mss',
  datasetGroups: ['landsat4'],
  abbreviation: 'L4MSS',
  title: 'Landsat 4 MSS',
  ...toLandsat(landsat4, mssFiles),
  ...mss,
  bands: toMssBands([
    { radiance: [4, 238], esun: 1827 },
    { radiance: [4, 164], esun: 1569 },
    { radiance: [5, 142], esun: 1260 },
    { radiance: [4, 116], esun: 866.4 },
  ]),
});

const landsat5: LandsatName = { instruments: ['M'], satellite: 5, example: 'LM52000302012365ESA00' };

/** Landsat 5, Multispectral Scanner. Constants: Chander, Markham and Helder 2009, as processed since November 1984. */
export const landsat5mss = defineSensor({
  dataset: 'landsat5mss',
  datasetGroups: ['landsat5'],
  abbreviation: 'L5MSS',
  title: 'Landsat 5 MSS',
  ...toLandsat(landsat5, mssFiles),
  ...mss,
  bands: toMssBands([
    { radiance: [3, 268], esun: 1824 },
    { radiance: [3, 179], esun: 1570 },
    { radiance: [5, 148], esun: 1249 },
    { radiance: [3, 123], esun: 853.4 },
  ]),
});
