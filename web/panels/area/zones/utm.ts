/**
 * Universal Transverse Mercator on WGS 84, there and back, by the series of Krüger (1912) to the fourth order: exact to a
 * micrometre within a zone. Scenes have their pixels in metres of it.
 */

/** A zone of UTM. */
export interface UtmZone {
  readonly number: number;
  readonly isNorth: boolean;
}

const RADIUS_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SCALE = 0.9996;
const FALSE_EASTING_M = 500_000;
const FALSE_NORTHING_M = 10_000_000;

const n = FLATTENING / (2 - FLATTENING);
/** Radius of a circle as long as a meridian. */
const MERIDIAN_M = (RADIUS_M / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const ALPHA = [
  n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3 + (41 / 180) * n ** 4,
  (13 / 48) * n ** 2 - (3 / 5) * n ** 3 + (557 / 1440) * n ** 4,
  (61 / 240) * n ** 3 - (103 / 140) * n ** 4,
  (49_561 / 161_280) * n ** 4,
];
const BETA = [
  n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - (1 / 360) * n ** 4,
  (1 / 48) * n ** 2 + (1 / 15) * n ** 3 - (437 / 1440) * n ** 4,
  (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
  (4397 / 161_280) * n ** 4,
];
const DELTA = [
  2 * n - (2 / 3) * n ** 2 - 2 * n ** 3 + (116 / 45) * n ** 4,
  (7 / 3) * n ** 2 - (8 / 5) * n ** 3 - (227 / 45) * n ** 4,
  (56 / 15) * n ** 3 - (136 / 35) * n ** 4,
  (4279 / 630) * n ** 4,
];

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;
const middleOf = ({ number }: UtmZone): number => number * 6 - 183;

/** The zone that a longitude and latitude lie in. */
export const zoneAt = (lon: number, lat: number): UtmZone => ({
  number: Math.min(60, Math.floor(((((lon + 540) % 360) + 360) % 360) / 6) + 1),
  isNorth: lat >= 0,
});

/** The code of a zone's reference system. */
export const epsgOf = ({ number, isNorth }: UtmZone): number => (isNorth ? 32_600 : 32_700) + number;

/** Longitude and latitude in metres of a zone. */
export const toUtm = (zone: UtmZone, lon: number, lat: number): readonly [x: number, y: number] => {
  const [phi, lambda] = [toRadians(lat), toRadians(lon - middleOf(zone))];
  const c = (2 * Math.sqrt(n)) / (1 + n);
  const t = Math.sinh(Math.atanh(Math.sin(phi)) - c * Math.atanh(c * Math.sin(phi)));
  const [xi, eta] = [Math.atan2(t, Math.cos(lambda)), Math.atanh(Math.sin(lambda) / Math.sqrt(1 + t * t))];
  let [x, y] = [eta, xi];
  for (const [j, a] of ALPHA.entries()) {
    const k = 2 * (j + 1);
    x += a * Math.cos(k * xi) * Math.sinh(k * eta);
    y += a * Math.sin(k * xi) * Math.cosh(k * eta);
  }
  return [
    FALSE_EASTING_M + SCALE * MERIDIAN_M * x,
    (zone.isNorth ? 0 : FALSE_NORTHING_M) + SCALE * MERIDIAN_M * y,
  ];
};

/** Metres of a zone in longitude and latitude. */
export const fromUtm = (zone: UtmZone, x: number, y: number): readonly [lon: number, lat: number] => {
  const xi = (y - (zone.isNorth ? 0 : FALSE_NORTHING_M)) / (SCALE * MERIDIAN_M);
  const eta = (x - FALSE_EASTING_M) / (SCALE * MERIDIAN_M);
  let [xi0, eta0] = [xi, eta];
  for (const [j, b] of BETA.entries()) {
    const k = 2 * (j + 1);
    xi0 -= b * Math.sin(k * xi) * Math.cosh(k * eta);
    eta0 -= b * Math.cos(k * xi) * Math.sinh(k * eta);
  }
  const chi = Math.asin(Math.sin(xi0) / Math.cosh(eta0));
  const phi = chi + DELTA.reduce((sum, d, j) => sum + d * Math.sin(2 * (j + 1) * chi), 0);
  const lon = middleOf(zone) + toDegrees(Math.atan2(Math.sinh(eta0), Math.cos(xi0)));
  return [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, toDegrees(phi)];
};
