import { badInput } from './errors.ts';

/**
 * An affine map from pixel to world, in GDAL's order:
 * `x = originX + col * pixelWidth + row * rowShear`, `y = originY + col * colShear + row * pixelHeight`.
 * `pixelHeight` is negative for north-up images; (0, 0) is the upper left corner of the upper left pixel.
 */
export type Affine = readonly [
  originX: number,
  pixelWidth: number,
  rowShear: number,
  originY: number,
  colShear: number,
  pixelHeight: number,
];

/** The world coordinates of a pixel position (or, with an inverted affine, the reverse). */
export function applyAffine(affine: Affine, col: number, row: number): [x: number, y: number] {
  return [affine[0] + col * affine[1] + row * affine[2], affine[3] + col * affine[4] + row * affine[5]];
}

/** The inverse map, from world to pixel; a singular map throws `singular-affine`. */
export function invertAffine(affine: Affine): Affine {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = affine;
  // North-up images, nearly all there are: plain reciprocals lose no digit to the determinant.
  if (rowShear === 0 && colShear === 0 && isUsable(pixelWidth * pixelHeight)) {
    return [-originX / pixelWidth, 1 / pixelWidth, 0, -originY / pixelHeight, 0, 1 / pixelHeight];
  }
  const determinant = pixelWidth * pixelHeight - rowShear * colShear;
  if (!isUsable(determinant)) {
    throw badInput('singular-affine', 'The georeference maps all pixels onto a line or a point.');
  }
  return [
    (rowShear * originY - pixelHeight * originX) / determinant,
    pixelHeight / determinant,
    -rowShear / determinant,
    (colShear * originX - pixelWidth * originY) / determinant,
    -colShear / determinant,
    pixelWidth / determinant,
  ];
}

/** The affine of a part of an image, from the pixel where it begins. */
export function moveOrigin(affine: Affine, { x, y }: { readonly x: number; readonly y: number }): Affine {
  const [originX, originY] = applyAffine(affine, x, y);
  return [originX, affine[1], affine[2], originY, affine[4], affine[5]];
}

/** Pixel size of an image. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same ground with another number of pixels: an overview's affine from that of the full image. */
export function scaleAffine(affine: Affine, from: Size, to: Size): Affine {
  const x = from.width / to.width;
  const y = from.height / to.height;
  return [affine[0], affine[1] * x, affine[2] * y, affine[3], affine[4] * x, affine[5] * y];
}

const isUsable = (determinant: number): boolean => Number.isFinite(determinant) && determinant !== 0;

/** A georeferenced pixel grid without pixels: that of a picture to render, or of an image. */
export interface Grid {
  /** 0 when the reference system has no code and `proj` defines it. */
  readonly epsg: number;
  /** The reference system as a PROJ string or WKT, if it has no code; it overrides `epsg`. */
  readonly proj?: string | null;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/** The grid whose pixel positions are longitudes and latitudes themselves. */
export const LON_LAT_GRID: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };

/** An upright rectangle in the plane of some reference system, edges included. */
export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The ground an image of this size covers, in its own reference system. */
export function gridBounds(grid: {
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}): Bounds {
  const { transform, width, height } = grid;
  const corners = [
    applyAffine(transform, 0, 0),
    applyAffine(transform, width, 0),
    applyAffine(transform, 0, height),
    applyAffine(transform, width, height),
  ] as const;
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/**
 * The georeference of an image that has no affine, e.g. of radar in the geometry of its sensor: nodes on some columns
 * and rows of the image, each with its location on the ground. Plain JSON.
 */
export interface Lattice {
  /** Columns of the nodes in pixels, ascending, not always evenly spaced; 0 is the left edge of the first pixel. */
  readonly cols: readonly number[];
  readonly rows: readonly number[];
  /**
   * Coordinates of the nodes in the reference system, row by row; longitudes continue beyond 180 instead of jumping.
   */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The same ground with another number of pixels: an overview's lattice from that of the full image. */
export function scaleLattice(lattice: Lattice, from: Size, to: Size): Lattice {
  const [across, down] = [to.width / from.width, to.height / from.height];
  return {
    ...lattice,
    cols: lattice.cols.map((col) => col * across),
    rows: lattice.rows.map((row) => row * down),
  };
}

/** The affine nearest to a lattice, by least squares over its nodes. */
export function nearestAffine({ cols, rows, x, y }: Lattice): Affine {
  const [middleCol, middleRow] = [mean(cols), mean(rows)];
  // Columns and rows of a full lattice are independent of each other, so each slope is a separate sum.
  const spreadCols = rows.length * cols.reduce((sum, col) => sum + (col - middleCol) ** 2, 0);
  const spreadRows = cols.length * rows.reduce((sum, row) => sum + (row - middleRow) ** 2, 0);
  const fit = (values: readonly number[]): [origin: number, alongCols: number, alongRows: number] => {
    const middle = mean(values);
    let [alongCols, alongRows] = [0, 0];
    for (const [i, value] of values.entries()) {
      alongCols += (cols[i % cols.length]! - middleCol) * (value - middle);
      alongRows += (rows[Math.floor(i / cols.length)]! - middleRow) * (value - middle);
    }
    alongCols /= spreadCols;
    alongRows /= spreadRows;
    return [middle - alongCols * middleCol - alongRows * middleRow, alongCols, alongRows];
  };
  return [...fit(x), ...fit(y)];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A map tile of the XYZ scheme: y counts from the north. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The semi-major axis of WGS 84, which is also the radius of the sphere of Web Mercator. */
export const WGS84_RADIUS_M = 6_378_137;

/** Half the side of the Web Mercator square in metres: pi times that radius. */
export const MERCATOR_HALF_SIDE_M = 20037508.342789244;

/** Deepest zoom level served: 9 mm pixels, and tile numbers still fit 32-bit integers. */
export const MAX_ZOOM = 24;

/** True for a tile that exists: whole numbers, zoom 0 to 24, x and y below 2^z. */
export function isTile({ z, x, y }: Tile): boolean {
  if (!Number.isInteger(z) || z < 0 || z > MAX_ZOOM) return false;
  const side = 2 ** z;
  return Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < side && y < side;
}

/** Ground covered by a tile, in EPSG:3857 metres. */
export function tileBounds({ z, x, y }: Tile): Bounds {
  const side = tileSideM(z);
  return {
    minX: x * side - MERCATOR_HALF_SIDE_M,
    minY: MERCATOR_HALF_SIDE_M - (y + 1) * side,
    maxX: (x + 1) * side - MERCATOR_HALF_SIDE_M,
    maxY: MERCATOR_HALF_SIDE_M - y * side,
  };
}

/** The tile of zoom `z` that holds a point of EPSG:3857; points outside the square go to the nearest tile. */
export function tileAt(z: number, xM: number, yM: number): Tile {
  const side = tileSideM(z);
  const last = 2 ** z - 1;
  const clamp = (value: number): number => Math.min(last, Math.max(0, Math.floor(value)));
  return {
    z,
    x: clamp((xM + MERCATOR_HALF_SIDE_M) / side),
    y: clamp((MERCATOR_HALF_SIDE_M - yM) / side),
  };
}

/** The pixel grid of a tile drawn `sizePx` pixels wide and high (256 by default). */
export function tileGrid(tile: Tile, sizePx = 256): Grid {
  const { minX, maxY } = tileBounds(tile);
  // Not (maxX - minX) / size: the side is the constant times a power of two, free of rounding.
  const pixelM = tileSideM(tile.z) / sizePx;
  return { epsg: 3857, transform: [minX, pixelM, 0, maxY, 0, -pixelM], width: sizePx, height: sizePx };
}

const tileSideM = (z: number): number => (2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
