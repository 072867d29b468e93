/** From a transverse Mercator projection, such as UTM, to longitude and latitude: the series of L. Krüger (1912) to n⁴. */
import { WGS84 } from '../shapes/geodesic.ts';
import type { Position } from '../shapes/shape.ts';

/** The parameters of the projection; angles in degrees, lengths in metres. */
export interface TransverseMercator {
  readonly centralMeridian: number;
  readonly latitudeOfOrigin: number;
  readonly scale: number;
  readonly falseEasting: number;
  readonly falseNorthing: number;
}

const { a, f } = WGS84;
const n = f / (2 - f);
const [n2, n3, n4] = [n ** 2, n ** 3, n ** 4];
/** A quarter of the meridian is π/2 of this. */
const RECTIFYING_RADIUS_M = (a / (1 + n)) * (1 + n2 / 4 + n4 / 64);
/** Coefficients as in C. F. F. Karney, Transverse Mercator with an accuracy of a few nanometers (2011), eq. 36. */
const BETA = [
  n / 2 - (2 * n2) / 3 + (37 * n3) / 96 - n4 / 360,
  n2 / 48 + n3 / 15 - (437 * n4) / 1440,
  (17 * n3) / 480 - (37 * n4) / 840,
  (4397 * n4) / 161280,
];
/** From the conformal latitude to the geographic one. */
const DELTA = [
  2 * n - (2 * n2) / 3 - 2 * n3 + (116 * n4) / 45,
  (7 * n2) / 3 - (8 * n3) / 5 - (227 * n4) / 45,
  (56 * n3) / 15 - (136 * n4) / 35,
  (4279 * n4) / 630,
];
/** From the geographic latitude to the distance from the equator. */
const MU = [(-3 * n) / 2 + (9 * n3) / 16, (15 * n2) / 16 - (15 * n4) / 32, (-35 * n3) / 48, (315 * n4) / 512];

const sum = (terms: readonly number[], term: (j: number) => number): number =>
  terms.reduce((total, factor, i) => total + factor * term(2 * (i + 1)), 0);

/** Longitude and latitude of a projected position. */
export const toLonLat = (
  { centralMeridian, latitudeOfOrigin, scale, falseEasting, falseNorthing }: TransverseMercator,
  [x, y]: Position,
): Position => {
  const origin = (latitudeOfOrigin * Math.PI) / 180;
  const startM = RECTIFYING_RADIUS_M * (origin + sum(MU, (j) => Math.sin(j * origin)));
  const xi = ((y - falseNorthing) / scale + startM) / RECTIFYING_RADIUS_M;
  const eta = (x - falseEasting) / scale / RECTIFYING_RADIUS_M;
  const xiSphere = xi - sum(BETA, (j) => Math.sin(j * xi) * Math.cosh(j * eta));
  const etaSphere = eta - sum(BETA, (j) => Math.cos(j * xi) * Math.sinh(j * eta));
  const conformal = Math.asin(Math.sin(xiSphere) / Math.cosh(etaSphere));
  const lat = conformal + sum(DELTA, (j) => Math.sin(j * conformal));
  const lon = Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere));
  return [centralMeridian + (lon * 180) / Math.PI, (lat * 180) / Math.PI];
};
