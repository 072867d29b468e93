import type { Bounds, Lattice } from '../../geo/index.ts';
import { LON_LAT_GRID, moveOrigin } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';

/** The smallest window of an image that holds all pixels whose centre lies in the rectangle; null when there is none. */
export function planAreaWindow(grid: GeoreferencedGrid, bounds: Bounds): PixelWindow | null {
  const parts = findParts(grid, bounds);
  const columns = findCentres(parts, 'col', grid.width);
  const rows = findCentres(parts, 'row', grid.height);
  if (columns === null || rows === null) return null;
  return {
    x: columns.first,
    y: rows.first,
    width: columns.last - columns.first + 1,
    height: rows.last - rows.first + 1,
  };
}

/** The georeference of a part of an image. */
export function cropGrid<Cropped extends GeoreferencedGrid>(grid: Cropped, window: PixelWindow): Cropped {
  const { width, height } = window;
  const cropped = { ...grid, transform: moveOrigin(grid.transform, window), width, height };
  return grid.lattice == null ? cropped : { ...cropped, lattice: cropLattice(grid.lattice, window) };
}

/** The lattice of a part of an image; nodes outside of the part stay. */
const cropLattice = (lattice: Lattice, { x, y }: PixelWindow): Lattice => ({
  ...lattice,
  cols: lattice.cols.map((col) => col - x),
  rows: lattice.rows.map((row) => row - y),
});

/** A centre on the edge of an area lies in it, also after rounding. */
const SLACK_PX = 1e-6;

/** A position on the ground and in the image. */
interface Node {
  readonly lon: number;
  readonly lat: number;
  readonly col: number;
  readonly row: number;
}

/** Convex pieces of the image that together are all that lies in the rectangle. */
function findParts(grid: GeoreferencedGrid, bounds: Bounds): readonly (readonly Node[])[] {
  const parts: (readonly Node[])[] = [];
  const net = toImageNet(grid);
  // The same ground may be a turn of the globe away.
  const turned = [-360, 0, 360]
    .map((turn) => ({ ...bounds, minX: bounds.minX + turn, maxX: bounds.maxX + turn }))
    .filter(({ minX, maxX }) => minX <= net.east && maxX >= net.west);
  for (let down = 0; down < CELLS; down++) {
    // Nearly all rows for most areas.
    if (net.norths[down]! < bounds.minY || net.souths[down]! > bounds.maxY) continue;
    for (let across = 0; across < CELLS; across++) {
      for (const box of turned) {
        if (isOutside(net, { across, down }, box)) continue;
        const corners = toCorners(net, { across, down }, grid);
        if (isInside(corners, box)) parts.push(corners);
        else parts.push(...cutCell(corners, box));
      }
    }
  }
  return parts;
}

/** A cell of the net. */
interface Cell {
  readonly across: number;
  readonly down: number;
}

/** Whether all corners of a cell lie on the same side of the rectangle: true of nearly all cells for most areas. */
function isOutside({ lons, lats }: ImageNet, { across, down }: Cell, bounds: Bounds): boolean {
  const upper = down * NODES + across;
  const lower = upper + NODES;
  return (
    areBeyond(lons, upper, lower, bounds.minX, bounds.maxX) ||
    areBeyond(lats, upper, lower, bounds.minY, bounds.maxY)
  );
}

/** Whether the four values of a cell are all below, or all above. */
function areBeyond(values: Float64Array, upper: number, lower: number, min: number, max: number): boolean {
  const [a, b, c, d] = [values[upper]!, values[upper + 1]!, values[lower]!, values[lower + 1]!];
  return (a < min && b < min && c < min && d < min) || (a > max && b > max && c > max && d > max);
}

/** The corners of a cell, around it. */
function toCorners(
  { lons, lats }: ImageNet,
  { across, down }: Cell,
  { width, height }: GeoreferencedGrid,
): readonly Node[] {
  const toNode = (x: number, y: number): Node => ({
    lon: lons[y * NODES + x]!,
    lat: lats[y * NODES + x]!,
    col: (width * x) / CELLS,
    row: (height * y) / CELLS,
  });
  return [
    toNode(across, down),
    toNode(across + 1, down),
    toNode(across + 1, down + 1),
    toNode(across, down + 1),
  ];
}

const isInside = (corners: readonly Node[], { minX, minY, maxX, maxY }: Bounds): boolean =>
  corners.every(({ lon, lat }) => lon >= minX && lon <= maxX && lat >= minY && lat <= maxY);

/** The part of a cell that lies in the rectangle, as two triangles that are cut: on each, positions are linear. */
function cutCell(corners: readonly Node[], bounds: Bounds): readonly (readonly Node[])[] {
  // A cell at a pole or at the end of a projection is not a quadrangle: all of it may be in the rectangle.
  const isTorn = corners.some(
    ({ lon, lat }) => !Number.isFinite(lon + lat) || Math.abs(lon - corners[0]!.lon) > 90,
  );
  if (isTorn) return [corners];
  const [first, second, third, fourth] = corners as [Node, Node, Node, Node];
  return [clip([first, second, third], bounds), clip([first, third, fourth], bounds)].filter(
    ({ length }) => length > 0,
  );
}

/** The first and last column (or row) that has the centre of a pixel in one of the parts. */
function findCentres(parts: readonly (readonly Node[])[], axis: 'col' | 'row', length: number) {
  if (parts.length === 0) return null;
  const other = axis === 'col' ? 'row' : 'col';
  let [min, max] = [Infinity, -Infinity];
  for (const part of parts) {
    for (const node of part) {
      min = Math.min(min, node[axis]);
      max = Math.max(max, node[axis]);
    }
  }
  const hasCentre = (index: number) => parts.some((part) => crossesCentre(part, index + 0.5, axis, other));
  let first = Math.max(0, firstCentre(min));
  let last = Math.min(length - 1, lastCentre(max));
  // Slanted ends of an area may reach into a column between two centres; that takes a step or two.
  while (first <= last && !hasCentre(first)) first++;
  while (first <= last && !hasCentre(last)) last--;
  return first <= last ? { first, last } : null;
}

const firstCentre = (position: number): number => Math.ceil(position - 0.5 - SLACK_PX);
const lastCentre = (position: number): number => Math.floor(position - 0.5 + SLACK_PX);

/** Whether the line through the centres of a column (or row) meets one of them inside a part. */
function crossesCentre(
  part: readonly Node[],
  line: number,
  axis: 'col' | 'row',
  other: 'col' | 'row',
): boolean {
  let [min, max] = [Infinity, -Infinity];
  let from = part[part.length - 1]!;
  for (const to of part) {
    const [start, end] = [from[axis] - line, to[axis] - line];
    if (Math.abs(start) <= SLACK_PX) {
      min = Math.min(min, from[other]);
      max = Math.max(max, from[other]);
    }
    // Written so that NaN, which a projection gives beyond its end, becomes the answer's too.
    if (!(start * end >= 0)) {
      const position = from[other] + (start / (start - end)) * (to[other] - from[other]);
      min = Math.min(min, position);
      max = Math.max(max, position);
    }
    from = to;
  }
  return min <= max && firstCentre(min) <= lastCentre(max);
}

/** Cuts a polygon at the four sides of the rectangle, one after the other (Sutherland and Hodgman). */
function clip(polygon: readonly Node[], { minX, minY, maxX, maxY }: Bounds): readonly Node[] {
  const sides: readonly ((node: Node) => number)[] = [
    ({ lon }) => lon - minX,
    ({ lon }) => maxX - lon,
    ({ lat }) => lat - minY,
    ({ lat }) => maxY - lat,
  ];
  return sides.reduce(cutAt, polygon);
}

/** The part of a polygon where the distance is not negative. */
function cutAt(polygon: readonly Node[], distance: (node: Node) => number): readonly Node[] {
  return polygon.flatMap((node, i) => {
    const next = polygon[(i + 1) % polygon.length]!;
    const [from, to] = [distance(node), distance(next)];
    const inside = from >= 0 ? [node] : [];
    return from >= 0 === to >= 0 ? inside : [...inside, between(node, next, from / (from - to))];
  });
}

const between = (from: Node, to: Node, share: number): Node => ({
  lon: from.lon + share * (to.lon - from.lon),
  lat: from.lat + share * (to.lat - from.lat),
  col: from.col + share * (to.col - from.col),
  row: from.row + share * (to.row - from.row),
});

/**
 * Cells of the net that is laid over an image on each axis. Between its nodes positions are interpolated; in a scene of
 * 2400 pixels of 500 m that is wrong by a hundredth of a pixel, in all others by less.
 */
const CELLS = 64;

/** Nodes of one axis. */
const NODES = CELLS + 1;

/** Where the nodes of a net lie on the ground, row by row. */
interface ImageNet {
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
function toImageNet(grid: GeoreferencedGrid): ImageNet {
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
