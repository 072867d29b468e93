/**
 * Transverse Mercator projections such as UTM on WGS 84, there and back: the series of L. Krüger (1912) to n⁴, exact to a
 * micrometre within a zone.
 */
import { WGS84 } from './geodesic.ts';
import type { Position } from './shape.ts';

/** The parameters of the projection; angles in degrees, lengths in metres. */
export interface TransverseMercator {
  readonly centralMeridian: number;
  readonly latitudeOfOrigin: number;
  readonly scale: number;
  readonly falseEasting: number;
  readonly falseNorthing: number;
}

const { a, f, e } = WGS84;
const n = f / (2 - f);
const [n2, n3, n4] = [n ** 2, n ** 3, n ** 4];
/** A quarter of the meridian is π/2 of this. */
const RECTIFYING_RADIUS_M = (a / (1 + n)) * (1 + n2 / 4 + n4 / 64);
/** Coefficients as in C. F. F. Karney, Transverse Mercator with an accuracy of a few nanometers (2011), eq. 35. */
const ALPHA = [
  n / 2 - (2 * n2) / 3 + (5 * n3) / 16 + (41 * n4) / 180,
  (13 * n2) / 48 - (3 * n3) / 5 + (557 * n4) / 1440,
  (61 * n3) / 240 - (103 * n4) / 140,
  (49561 * n4) / 161280,
];
/** Those of eq. 36. */
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

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres along the meridian from the equator to where northings begin. */
const toStartM = (latitudeOfOrigin: number): number => {
  const origin = toRadians(latitudeOfOrigin);
  return RECTIFYING_RADIUS_M * (origin + sum(MU, (j) => Math.sin(j * origin)));
};

/** The projected position of a longitude and latitude. */
export const fromLonLat = (
  { centralMeridian, latitudeOfOrigin, scale, falseEasting, falseNorthing }: TransverseMercator,
  [lon, lat]: Position,
): Position => {
  const [sine, lambda] = [Math.sin(toRadians(lat)), toRadians(lon - centralMeridian)];
  const t = Math.sinh(Math.atanh(sine) - e * Math.atanh(e * sine));
  const xi = Math.atan2(t, Math.cos(lambda));
  const eta = Math.atanh(Math.sin(lambda) / Math.sqrt(1 + t * t));
  const x = eta + sum(ALPHA, (j) => Math.cos(j * xi) * Math.sinh(j * eta));
  const y = xi + sum(ALPHA, (j) => Math.sin(j * xi) * Math.cosh(j * eta));
  return [
    falseEasting + scale * RECTIFYING_RADIUS_M * x,
    falseNorthing + scale * (RECTIFYING_RADIUS_M * y - toStartM(latitudeOfOrigin)),
  ];
};

/** Longitude and latitude of a projected position. */
export const toLonLat = (
  { centralMeridian, latitudeOfOrigin, scale, falseEasting, falseNorthing }: TransverseMercator,
  [x, y]: Position,
): Position => {
  const xi = ((y - falseNorthing) / scale + toStartM(latitudeOfOrigin)) / RECTIFYING_RADIUS_M;
  const eta = (x - falseEasting) / scale / RECTIFYING_RADIUS_M;
  const xiSphere = xi - sum(BETA, (j) => Math.sin(j * xi) * Math.cosh(j * eta));
  const etaSphere = eta - sum(BETA, (j) => Math.cos(j * xi) * Math.sinh(j * eta));
  const conformal = Math.asin(Math.sin(xiSphere) / Math.cosh(etaSphere));
  const lat = conformal + sum(DELTA, (j) => Math.sin(j * conformal));
  const lon = Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere));
  return [centralMeridian + (lon * 180) / Math.PI, (lat * 180) / Math.PI];
};
