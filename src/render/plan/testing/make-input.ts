import { parseExpressions } from '../../../bandmath/index.ts';
import type { Asset, NewScene } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { loadKernels, makeComputeBands } from '../../../raster/index.ts';
import type { Sensor } from '../../../sensors/index.ts';
import { sensorByAbbreviation } from '../../../sensors/index.ts';
import type { BandInputPlan } from '../calibration.ts';
import { planBandInput } from '../calibration.ts';

/** What a test says about a scene; `scale` and `offset` are those of all its files. */
export type SceneWords = Partial<Omit<NewScene, 'assets'>> & Partial<Pick<Asset, 'scale' | 'offset'>>;

/** 15 July 2005, day 196 of its year, with the sun at 60 degrees. */
const DEFAULTS: SceneWords = { acquiredAt: '2005-07-15T10:00:00.000Z', sunElevationDeg: 60 };

function findSensor(abbreviation: string): Sensor {
  const sensor = sensorByAbbreviation(abbreviation);
  if (sensor === null) throw new Error(`There is no sensor ${abbreviation}.`);
  return sensor;
}

/** A scene that has all bands of its sensor, with metadata that say no more than the words. */
function makeSensorScene(sensor: Sensor, words: SceneWords) {
  const { scale = 1, offset = 0, ...more } = words;
  const toAsset = (name: string): Asset => ({
    href: `scenes/test/${name}.tif`,
    bandIndex: 0,
    epsg: 32631,
    transform: [500000, 30, 0, 4700000, 0, -30],
    width: 64,
    height: 64,
    type: 'uint16',
    nodata: 0,
    overviews: [],
    scale,
    offset,
  });
  return toScene({
    viewId: `${sensor.abbreviation}/${sensor.sceneName.example}`,
    sceneId: sensor.sceneName.example,
    dataset: sensor.dataset,
    acquiredAt: '',
    footprint: {
      type: 'Polygon',
      coordinates: [
        [
          [2, 42],
          [3, 42],
          [3, 43],
          [2, 42],
        ],
      ],
    },
    cloudPercent: null,
    sunElevationDeg: null,
    sunAzimuthDeg: null,
    coveragePercent: null,
    fields: {},
    assets: Object.fromEntries(sensor.bands.map(({ name }) => [name, toAsset(name)])),
    provenance: 'test',
    ...DEFAULTS,
    ...more,
  });
}

/** The plan of a sensor's band, calibrated unless said otherwise. */
export function planOf(
  [abbreviation, band]: readonly [sensor: string, band: string],
  words: SceneWords = {},
  calibrated = true,
): BandInputPlan {
  const sensor = findSensor(abbreviation);
  return planBandInput({ scene: makeSensorScene(sensor, words), sensor, band, calibrated });
}

/** What the compiled pass makes of a stored number by a plan; `second` is the number of the rule's second plane. */
export function makeApply() {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const tree = parseExpressions('B1*1.0', {
    all: ['B1'],
    find: (name) => ({ kind: 'band', name, resolutionM: 10 }),
  });
  return ({ rule, parameters }: BandInputPlan, stored: number, second?: number): number => {
    const allocate = kernels.begin();
    const put = (value: number): number => {
      const at = allocate(4 * 16);
      new Float32Array(kernels.buffer(), at, 16).fill(value);
      return at;
    };
    const valuesAt = put(stored);
    const secondAt = second === undefined ? 0 : put(second);
    const [result] = compute(allocate, {
      tree,
      inputs: [{ valuesAt, maskAt: 0, rule, parameters, secondAt }],
      count: 1,
    });
    return new Float32Array(kernels.buffer(), result!.valuesAt, 1)[0]!;
  };
}
