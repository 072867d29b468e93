import { badInput } from '../../../errors.ts';
import { TAG } from '../directories/tags.ts';
import { GEO_KEY as KEY } from './geo-keys.ts';

/** "User defined": the system has no code, other keys say what it is. */
const USER_DEFINED = 32_767;
/** Values of GeoTIFF keys (OGC 19-008r4, annex C) that a sinusoidal system needs. */
const PROJECTED = 1;
const PIXEL_IS_AREA = 1;
const DEGREES = 9_102;
const METRES = 9_001;
const SINUSOIDAL = 24;

/** A radius is that of the Earth or a planet; and two systems of one file would contradict each other. */
export function checkSinusoidal(radiusM: number | null, epsg: number | null): void {
  if (radiusM === null) return;
  if (!(radiusM > 0 && radiusM < 1e9) || epsg !== null) {
    throw badInput(
      'bad-sinusoidal',
      'A sinusoidal image has a radius between 0 and a million kilometres and no EPSG code.',
    );
  }
}

/** The key directory and its numbers: the sinusoidal projection of a sphere around longitude 0, as MODIS uses it. */
export function toSinusoidalKeys(radiusM: number): {
  readonly directory: number[];
  readonly doubles: number[];
} {
  const doubles = [radiusM, 0];
  const [atRadius, atZero] = [0, 1];
  const entries = [
    [KEY.modelType, 0, 1, PROJECTED],
    [KEY.rasterType, 0, 1, PIXEL_IS_AREA],
    [KEY.geographicType, 0, 1, USER_DEFINED],
    [KEY.geodeticDatum, 0, 1, USER_DEFINED],
    [KEY.angularUnit, 0, 1, DEGREES],
    [KEY.ellipsoid, 0, 1, USER_DEFINED],
    // a sphere: both axes alike
    [KEY.semiMajorAxis, TAG.geoDoubles, 1, atRadius],
    [KEY.semiMinorAxis, TAG.geoDoubles, 1, atRadius],
    [KEY.projectedType, 0, 1, USER_DEFINED],
    [KEY.projection, 0, 1, USER_DEFINED],
    [KEY.method, 0, 1, SINUSOIDAL],
    [KEY.linearUnit, 0, 1, METRES],
    [KEY.falseEasting, TAG.geoDoubles, 1, atZero],
    [KEY.falseNorthing, TAG.geoDoubles, 1, atZero],
    [KEY.centreLongitude, TAG.geoDoubles, 1, atZero],
  ];
  return { directory: [1, 1, 0, entries.length, ...entries.flat()], doubles };
}
