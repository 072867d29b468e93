import type { Asset } from '../../catalog/index.ts';
import type { BlockFile } from '../../formats/block-file/index.ts';
import { toBandPixels } from '../../formats/tiff/index.ts';
import type { Affine, AreaGeometry, Lattice, Size } from '../../geo/index.ts';
import { applyAffine, geometryBounds } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { CrsId, Position, Projection } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { toFootprint } from './footprint.ts';

/** The area that the widest image covers. */
export function largestExtent(assets: readonly Asset[]): AreaGeometry {
  const extents = assets.map((asset) => toExtent(asset));
  return extents.reduce((best, one) => (boxArea(one) > boxArea(best) ? one : best));
}

/** Extents of the last grids: a dozen bands of a scene have three, and all scenes of a tile the same. */
const extents = makeLru<AreaGeometry>({ max: 1_000 });

/** The area that an image covers. */
export function toExtent(asset: Asset): AreaGeometry {
  const crs = asset.proj ?? asset.epsg;
  const measure = (): AreaGeometry => toFootprint(toOutlineOnGlobe(asset, crs), crs);
  const { width, height, transform, lattice } = asset;
  // A lattice has thousands of nodes and belongs to one recording.
  if (lattice !== undefined) return measure();
  return extents.remember(JSON.stringify([crs, width, height, transform]), measure);
}

function boxArea(area: AreaGeometry): number {
  const { west, south, east, north } = geometryBounds(area);
  return (east - west) * (north - south);
}

/** Rows and columns at which an image that reaches beyond the globe is probed. */
const PROBES = 32;
/** Bisections between a probe on the globe and one off it: to a millionth of their distance. */
const HALVINGS = 20;

/**
 * The outline of the part of an image that is on the globe: the outermost tiles of global grids (MODIS) have empty
 * corners beyond it. Empty if the whole image is off the globe.
 */
export function toOutlineOnGlobe(image: PlacedImage, crs: CrsId): readonly Position[] {
  const whole = toOutline(image);
  const projection = makeProjection(crs, 4326);
  const reach = Math.abs(image.transform[1]);
  const isOn = (position: Position) => isOnGlobe(projection, position, reach);
  if (image.lattice !== undefined || whole.every(isOn)) return whole;
  const left: Position[] = [];
  const right: Position[] = [];
  for (let i = 0; i <= PROBES; i++) {
    const row = (image.height * i) / PROBES;
    const at = (column: number): Position => applyAffine(image.transform, column, row);
    const columns = Array.from({ length: PROBES + 1 }, (_, k) => (image.width * k) / PROBES);
    const on = columns.filter((column) => isOn(at(column)));
    const [first, last] = [on[0], on.at(-1)];
    if (first === undefined || last === undefined) continue;
    const step = image.width / PROBES;
    left.push(at(findEdge([first, Math.max(0, first - step)], (column) => isOn(at(column)))));
    right.push(at(findEdge([last, Math.min(image.width, last + step)], (column) => isOn(at(column)))));
  }
  return [...left, ...right.reverse()];
}

/** True if the position exists on Earth: only then does the inverse projection return to it. */
function isOnGlobe(projection: Projection, [x, y]: Position, reach: number): boolean {
  const [lon, lat] = projection.forward(x, y);
  const [backX, backY] = projection.inverse(lon, lat);
  // At the poles the longitude is undefined.
  return Math.abs(lat) < 89.9999 && Math.abs(backX - x) < reach && Math.abs(backY - y) < reach;
}

/** The last column on the globe, between one that is on it and one that may be off. */
function findEdge([on, off]: readonly [number, number], isOn: (column: number) => boolean): number {
  if (isOn(off)) return off;
  let [good, bad] = [on, off];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (good + bad) / 2;
    if (isOn(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Size and placement of an image. */
interface PlacedImage {
  readonly width: number;
  readonly height: number;
  readonly transform: Affine;
  readonly lattice?: Lattice;
}

/** Corners of an image in its reference system, from the upper left around it; of a lattice all nodes of its edge. */
export function toOutline({ width, height, transform, lattice }: PlacedImage): Position[] {
  if (lattice !== undefined) return toLatticeEdge(lattice);
  const corners = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
  ] as const;
  return corners.map(([col, row]) => applyAffine(transform, col, row));
}

function toLatticeEdge({ cols, rows, x, y }: Lattice): Position[] {
  const [lastCol, lastRow] = [cols.length - 1, rows.length - 1];
  const edge: (readonly [col: number, row: number])[] = [
    ...rows.map((_, row) => [0, row] as const),
    ...cols.slice(1).map((_, col) => [col + 1, lastRow] as const),
    ...rows.slice(1).map((_, row) => [lastCol, lastRow - row - 1] as const),
    ...cols.slice(1, -1).map((_, col) => [lastCol - col - 1, 0] as const),
  ];
  return edge.map(([col, row]) => [x[row * cols.length + col]!, y[row * cols.length + col]!]);
}

/** The part of an image's rectangle that holds data. */
export interface MeasuredArea {
  /** Outline in the reference system of the image; null if there is no data, or it is not a tilted frame. */
  readonly outline: readonly Position[] | null;
  readonly coveragePercent: number;
}

interface Options {
  readonly bandIndex: number;
  readonly nodata: number;
  readonly transform: Affine;
  readonly signal?: AbortSignal | undefined;
}

/** The smallest overview with this side is read: half a kilometre per pixel of a Landsat scene. */
const GOOD_SIDE_PX = 512;
/** A larger image without overviews is not read. */
const MAX_PIXELS = 4_000_000;
/** A frame is convex: if less of the hull holds data, it is not a frame, and the hull would be too large. */
const MIN_HULL_SHARE = 0.7;

/**
 * Finds the tilted frame that the orbit leaves in the rectangle of an image, in an overview. Null if there is none small
 * enough.
 */
export async function readMeasuredArea(file: BlockFile, options: Options): Promise<MeasuredArea | null> {
  const level = file.levels.findLastIndex(({ width, height }) => Math.max(width, height) >= GOOD_SIDE_PX);
  const at = Math.max(0, level);
  const image = file.levels[at]!;
  if (image.width * image.height > MAX_PIXELS) return null;
  const rows = await readSpans(file, at, options);
  const corners = rows.flatMap(({ first, last }, row): Position[] =>
    last < first
      ? []
      : [
          [first, row],
          [first, row + 1],
          [last + 1, row],
          [last + 1, row + 1],
        ],
  );
  const hull = toHull(corners);
  const measured = rows.reduce((sum, { count }) => sum + count, 0);
  const isFrame = hull.length >= 3 && measured >= MIN_HULL_SHARE * ringArea(hull);
  return {
    coveragePercent: Math.round((measured / (image.width * image.height)) * 10_000) / 100,
    outline: isFrame ? hull.map((corner) => toWorld(corner, file.levels[0], { image, ...options })) : null,
  };
}

const toWorld = (
  [column, row]: Position,
  full: Size,
  { image, transform }: { readonly image: Size; readonly transform: Affine },
): Position =>
  applyAffine(transform, (column * full.width) / image.width, (row * full.height) / image.height);

/** Pixels with data in a row: the first, the last and how many. */
interface Span {
  first: number;
  last: number;
  count: number;
}

async function readSpans(file: BlockFile, level: number, options: Options): Promise<readonly Span[]> {
  const { width, height, blockWidth, blockHeight, blocksAcross, blocksDown } = file.levels[level]!;
  const spans = Array.from({ length: height }, (): Span => ({ first: width, last: -1, count: 0 }));
  for (let row = 0; row < blocksDown; row++) {
    for (let column = 0; column < blocksAcross; column++) {
      const position = { band: options.bandIndex, column, row };
      const block = await file.readBlock(level, position, options.signal);
      const pixels = toBandPixels(block, options.bandIndex);
      const columns = Math.min(block.width, width - column * blockWidth);
      for (let y = 0; y < Math.min(block.height, height - row * blockHeight); y++) {
        const span = spans[row * blockHeight + y]!;
        for (let x = 0; x < columns; x++) {
          if (pixels[y * block.width + x] === options.nodata) continue;
          const at = column * blockWidth + x;
          span.count++;
          if (at < span.first) span.first = at;
          if (at > span.last) span.last = at;
        }
      }
    }
  }
  return spans;
}

/** The convex hull (Andrew's monotone chain), without points on its edges. */
function toHull(points: readonly Position[]): Position[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Position[]): Position[] => {
    const chain: Position[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

const turn = (a: Position, b: Position, c: Position): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function ringArea(ring: readonly Position[]): number {
  const twice = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
