import { LON_LAT_GRID } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';

/**
 * Cells of the net that is laid over an image on each axis. Between its nodes positions are interpolated; in a scene of
 * 2400 pixels of 500 m that is wrong by a hundredth of a pixel, in all others by less.
 */
export const CELLS = 64;

/** Nodes of one axis. */
export const NODES = CELLS + 1;

/** Where the nodes of a net lie on the ground, row by row. */
export interface ImageNet {
  /** Counted on from that of the middle, without a jump at the antimeridian. */
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  /** The southern and the northern end of each row of cells; of all latitudes where a node has none. */
  readonly souths: Float64Array;
  readonly norths: Float64Array;
  /** The ends of all longitudes. */
  readonly west: number;
  readonly east: number;
}

/** Nets of the images used last: scenes of one tile have the same, and four thousand positions take milliseconds. */
const recent = makeLru<ImageNet>({ max: 32 });

/** The net of an image. */
export function toImageNet(grid: GeoreferencedGrid): ImageNet {
  // Two images with equal lattices are rare, and comparing them would take as long.
  if (grid.lattice != null) return makeNet(grid);
  const { epsg, proj = '', transform, width, height } = grid;
  const key = `${epsg} ${proj} ${transform.join(' ')} ${width} ${height}`;
  return recent.remember(key, () => makeNet(grid));
}

function makeNet(grid: GeoreferencedGrid): ImageNet {
  const { toTarget: toLonLat } = makePixelMapping(LON_LAT_GRID, grid);
  const [middle] = toLonLat(grid.width / 2, grid.height / 2);
  const [lons, lats] = [new Float64Array(NODES * NODES), new Float64Array(NODES * NODES)];
  let [west, east] = [Infinity, -Infinity];
  for (let node = 0; node < lons.length; node++) {
    const [across, down] = [node % NODES, Math.floor(node / NODES)];
    const [given, lat] = toLonLat((grid.width * across) / CELLS, (grid.height * down) / CELLS);
    const lon = given - 360 * Math.round((given - middle) / 360);
    lons[node] = lon;
    lats[node] = lat;
    // comparisons with NaN are false
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  return { lons, lats, ...toRowEnds(lats), west, east };
}

function toRowEnds(lats: Float64Array): Pick<ImageNet, 'souths' | 'norths'> {
  const [souths, norths] = [new Float64Array(CELLS), new Float64Array(CELLS)];
  for (let row = 0; row < CELLS; row++) {
    const nodes = lats.subarray(row * NODES, (row + 2) * NODES);
    const isWhole = nodes.every(Number.isFinite);
    souths[row] = isWhole ? Math.min(...nodes) : -Infinity;
    norths[row] = isWhole ? Math.max(...nodes) : Infinity;
  }
  return { souths, norths };
}
