import type { Grid } from '../../geo/index.ts';
import { LON_LAT_GRID } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { badInput } from '../errors.ts';

/** Points along each side of an image that are projected. */
const PARTS = 64;

/** The EPSG code of the UTM zone (WGS 84) at a position. */
export function utmCodeAt(lon: number, lat: number): number {
  const turned = ((((lon + 180) % 360) + 360) % 360) / 6;
  return (lat < 0 ? 32_700 : 32_600) + Math.min(60, Math.floor(turned) + 1);
}

/**
 * The grid of an image that has none of its own, or none that a file could state: upright in the UTM zone of its
 * middle, with its pixel spacing, and origins at multiples of it.
 */
export function toUtmGrid(image: GeoreferencedGrid): Grid {
  const { width, height } = image;
  const [lon, lat] = makePixelMapping(LON_LAT_GRID, image).toTarget(width / 2, height / 2);
  const epsg = utmCodeAt(lon, lat);
  const metres: Grid = { epsg, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
  const { toTarget } = makePixelMapping(metres, image);
  const spacingM = toSpacing(
    Math.sqrt(distance(toTarget, width, height, 1, 0) * distance(toTarget, width, height, 0, 1)),
  );
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= PARTS; i++) {
    const [along, down] = [(width * i) / PARTS, (height * i) / PARTS];
    for (const [col, row] of [
      [along, 0],
      [along, height],
      [0, down],
      [width, down],
    ] as const) {
      const [x, y] = toTarget(col, row);
      [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
      [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
    }
  }
  if (![minX, minY, maxX, maxY, spacingM].every(Number.isFinite)) {
    throw badInput('no-utm-zone', 'This scene has no position in a UTM zone, so no file can be made of it.');
  }
  const [left, top] = [Math.floor(minX / spacingM), Math.ceil(maxY / spacingM)];
  return {
    epsg,
    transform: [left * spacingM, spacingM, 0, top * spacingM, 0, -spacingM],
    width: Math.ceil(maxX / spacingM) - left,
    height: top - Math.floor(minY / spacingM),
  };
}

type ToGround = (col: number, row: number) => readonly [x: number, y: number];

/** Metres from a pixel in the middle to one of its neighbours. */
function distance(toGround: ToGround, width: number, height: number, cols: number, rows: number): number {
  const [x, y] = toGround((width - cols) / 2, (height - rows) / 2);
  const [nextX, nextY] = toGround((width + cols) / 2, (height + rows) / 2);
  return Math.hypot(nextX - x, nextY - y);
}

/** A spacing in round numbers: products state theirs with one or two digits, which control points meet to some percent. */
function toSpacing(measuredM: number): number {
  const round = (digits: number): number => Number(measuredM.toPrecision(digits));
  return Math.abs(round(1) / measuredM - 1) < 0.02 ? round(1) : round(2);
}
