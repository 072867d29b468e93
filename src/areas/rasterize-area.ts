import type { AreaOutline } from '../geo/index.ts';
import { fillOutline, LON_LAT_GRID, WGS84_RADIUS_M } from '../geo/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import { tooLarge } from './errors.ts';
import { fillProjected } from './fill-projected.ts';

/** The largest picture has a quarter of it; native grids of scenes are processed window by window. */
const MAX_PIXELS = 16_777_216;
const DEG = 180 / Math.PI;

/** How a mask is made. */
interface RasterizeOptions {
  readonly isExact?: boolean | undefined;
  readonly allocate?: ((bytes: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/**
 * A mask of the grid: 1 where the centre of a pixel lies in the area, 0 elsewhere. The area is that of `toOutline`,
 * within ±180, with edges that are straight in degrees; the grid may be in any reference system, extend beyond ±180, or
 * have a lattice of control points.
 * Grids on one lattice (e.g. tiles of a zoom level) agree to the pixel wherever they overlap.
 * Centres may be off by a hundredth of a pixel, which no picture shows; `isExact` computes those near an edge one by one.
 * Memory that is allocated for it must be zero.
 */
export function rasterizeArea(
  outline: AreaOutline,
  grid: GeoreferencedGrid,
  { isExact = false, allocate = allocateMask }: RasterizeOptions = {},
): Uint8Array<ArrayBuffer> {
  if (grid.width * grid.height > MAX_PIXELS) {
    throw tooLarge('mask-too-large', `A mask may have at most ${MAX_PIXELS} pixels.`);
  }
  const mask = allocate(grid.width * grid.height);
  if (mask.length === 0 || outline.length === 0) return mask;
  const lattice = toLattice(grid);
  if (lattice === null) fillProjected(mask, outline, grid, isExact);
  else fillOutline(mask, repeatTurns(outline, lattice.lons), lattice);
  return mask;
}

const allocateMask = (pixels: number): Uint8Array<ArrayBuffer> => new Uint8Array(pixels);

/** Longitudes of the columns and latitudes of the rows of a grid that has them; null otherwise. */
function toLattice(grid: GeoreferencedGrid) {
  const { epsg, proj, transform, width, height } = grid;
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = transform;
  const isUpright = rowShear === 0 && colShear === 0 && pixelWidth > 0 && pixelHeight < 0;
  if (!isUpright || grid.lattice != null || proj != null || (epsg !== 3857 && epsg !== 4326)) return null;
  // Counted from the origin of the reference system, so that a pixel has the same centre in every grid that holds it.
  const [firstColumn, firstRow] = makePixelMapping(grid, LON_LAT_GRID).targetOffset;
  const x = (column: number): number => (firstColumn + column + 0.5) * pixelWidth;
  const y = (row: number): number => (firstRow + row + 0.5) * pixelHeight;
  const isDegrees = epsg === 4326;
  return {
    lons: Float64Array.from({ length: width }, (_, i) => (isDegrees ? x(i) : (x(i) / WGS84_RADIUS_M) * DEG)),
    lats: Float64Array.from({ length: height }, (_, i) =>
      isDegrees ? y(i) : Math.atan(Math.sinh(y(i) / WGS84_RADIUS_M)) * DEG,
    ),
  };
}

/** The max turns of a grid round the globe; no reference system extends further. */
const MAX_TURNS = 3;

/** The outline, repeated for each turn of the columns round the globe: mostly once. */
function repeatTurns(outline: AreaOutline, lons: Float64Array): AreaOutline {
  const first = Math.floor((lons[0]! + 180) / 360);
  const last = Math.min(first + MAX_TURNS - 1, Math.floor((lons[lons.length - 1]! + 180) / 360));
  if (first === 0 && last === 0) return outline;
  const repeated = new Float64Array(outline.length * (last - first + 1));
  for (let turn = first; turn <= last; turn++) {
    const turned = outline.map((degrees, i) => (i % 2 === 0 ? degrees + 360 * turn : degrees));
    repeated.set(turned, outline.length * (turn - first));
  }
  return repeated;
}
