/** Where and when the demo scene is: a crop of the Sentinel-2 tile 31TDH, and the sun above it. */

/** UTM zone 31 north. */
export const epsg = 32631;

/** Frame of tile 31TDH, 109,800 m square; every band's grid starts at its upper left corner. */
export const tileFrame = { west: 399960, north: 4800000, sizeM: 109800 } as const;

/**
 * Upper left corner and side of the crop that holds pixels. Corner and side are whole multiples of 60 m counted from
 * the tile frame's corner, so that the 10, 20 and 60 m grids share all four corners.
 */
export const crop = {
  west: tileFrame.west + 1483 * 60,
  north: tileFrame.north - 1033 * 60,
  sizeM: 342 * 60,
} as const;

/** Upper left corner and size of a rectangle of the 60 m grid, counted in 60 m cells from the crop's corner. */
export interface CellWindow {
  readonly col: number;
  readonly row: number;
  readonly cols: number;
  readonly rows: number;
}

/** The whole crop. */
export const wholeCrop: CellWindow = { col: 0, row: 0, cols: 342, rows: 342 };

/** Start of sensing. */
export const acquiredAt = '2026-06-21T10:50:31.000Z';

/**
 * The true place of the sun over 42.70° N, 2.99° E at `acquiredAt` (NOAA solar equations). The vector points to the
 * sun's azimuth in local metres (x east, y south); the cosines are those of the angles above them.
 */
export const sun = {
  elevationDeg: 67.15,
  azimuthDeg: 142.77,
  cosZenith: 0.92155,
  tanZenith: 0.42132,
  toX: 0.605,
  toY: 0.79623,
} as const;

/**
 * First line of sensing: the instrument starts recording here, so nothing north of it is measured. The line is
 * perpendicular to the ground track, whose heading is about 194° here, and so falls by 0.25 m per metre east.
 */
export const sensingStart = { x: 14600, y: 0, fallPerM: 0.25 } as const;

/** True where the instrument measured, in local metres (x east, y south of the crop's corner). */
export function isMeasured(x: number, y: number): boolean {
  return y - sensingStart.y >= (x - sensingStart.x) * sensingStart.fallPerM;
}
