import type { CoveredPixels } from '../areas/index.ts';
import { coverPieces, coverPixels, makeMaskMemory } from '../areas/index.ts';
import type { AreaOutline, Bounds, Grid, MultiPolygonGeometry } from '../geo/index.ts';
import { LON_LAT_GRID, outlineBounds, toOutline } from '../geo/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { cropGrid } from '../render/native/index.ts';
import { isAtEdge, makeToPixel, planWindowAround, sizeInPixels } from '../zonal/measuring.ts';
import { coverFractions, toPixelRings, windowAroundRings } from './cover-fractions.ts';
import type { ShapePack } from './shape-pack.ts';
import { unpackShape } from './shape-pack.ts';
import { MAX_WEIGHTED } from './weighted-values.ts';

/** Numbers of a run: its row, its first column, the column after its last, and where its weights begin, from 1 on; 0 if all are 1. */
export const RUN = 4;

/** Numbers of a box: left, top, and the column and row after the last. */
export const BOX = 4;

/** What is known of a shape on a grid. */
export const SHAPE_FLAGS = {
  /** It holds no pixel centre, so that the pixels that it touches count. */
  touched: 1,
  /** It is too large to be measured with others. */
  large: 2,
} as const;

/** How pixels count: each whose centre lies in a shape, or by the share of it that the shape covers. */
export const WEIGHTS = ['centres', 'fractions'] as const;
export type Weights = (typeof WEIGHTS)[number];

/**
 * The pixels of many shapes on one grid, as runs in shared memory: made once for all scenes of the grid. A shape without
 * runs lies outside the image, or is large.
 */
export interface CoveredShapes {
  readonly count: number;
  readonly runs: Uint32Array<SharedArrayBuffer>;
  /** Shares of pixels that are covered in part, run after run; none where pixels count by their centres. */
  readonly weights: Float32Array<SharedArrayBuffer>;
  /** For each shape the number of runs up to its end. */
  readonly runEnds: Uint32Array<SharedArrayBuffer>;
  /** The box of each shape's runs. */
  readonly boxes: Uint32Array<SharedArrayBuffer>;
  /** Pixels in each shape's runs. */
  readonly pixels: Uint32Array<SharedArrayBuffer>;
  /** Pixels of each whole shape, also of its part beyond the image. */
  readonly areaPx: Float64Array<SharedArrayBuffer>;
  readonly flags: Uint8Array<SharedArrayBuffer>;
}

/** The input of the job that finds the pixels of shapes. */
export interface CoverJob {
  readonly pack: ShapePack;
  /** The first shape, and the one after the last. */
  readonly from: number;
  readonly until: number;
  readonly grid: Grid;
  /** Shapes in windows of more pixels are large. */
  readonly largePx: number;
  readonly rule: Weights;
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

function makeCovered(count: number, runs: number, weights: number): CoveredShapes {
  return {
    count,
    runs: new Uint32Array(shared(4 * RUN * runs)),
    weights: new Float32Array(shared(4 * weights)),
    runEnds: new Uint32Array(shared(4 * count)),
    boxes: new Uint32Array(shared(4 * BOX * count)),
    pixels: new Uint32Array(shared(4 * count)),
    areaPx: new Float64Array(shared(8 * count)),
    flags: new Uint8Array(shared(count)),
  };
}

/** Finds the pixels of shapes; by their centres, the same ones that statistics of a single area count. */
export function coverShapes({ pack, from, until, grid, largePx, rule }: CoverJob): CoveredShapes {
  const found = makeCovered(until - from, 0, 0);
  const toPixel = makeToPixel(grid);
  const cover = rule === 'centres' ? makeCoverCentres(grid, toPixel) : makeCoverShares(grid, toPixel);
  const [minX, minY, maxX, maxY] = toLonLatBox(grid);
  const lists: RunLists = { runs: [], weights: [] };
  for (let shape = from; shape < until; shape += 1) {
    const at = shape - from;
    const geometry = unpackShape(pack, shape);
    const outline = toOutline(geometry);
    const { west, south, east, north } = outlineBounds(outline);
    const bounds: Bounds = { minX: west, minY: south, maxX: east, maxY: north };
    const isNear = east >= minX && west <= maxX && north >= minY && south <= maxY;
    const own = isNear ? cover({ geometry, outline, bounds, largePx }, lists) : null;
    if (own === 'large') found.flags[at] = SHAPE_FLAGS.large;
    else if (own !== null) {
      found.boxes.set(own.box, BOX * at);
      found.pixels[at] = own.pixels;
      found.flags[at] = own.isTouched ? SHAPE_FLAGS.touched : 0;
      found.areaPx[at] = own.areaPx;
    }
    found.runEnds[at] = lists.runs.length / RUN;
  }
  const runs = new Uint32Array(shared(4 * lists.runs.length));
  runs.set(lists.runs);
  const weights = new Float32Array(shared(4 * lists.weights.length));
  weights.set(lists.weights);
  return { ...found, runs, weights };
}

/** Runs and weights of all shapes so far. */
interface RunLists {
  readonly runs: number[];
  readonly weights: number[];
}

/** A shape that is covered. */
interface OneShape {
  readonly geometry: MultiPolygonGeometry;
  readonly outline: AreaOutline;
  readonly bounds: Bounds;
  readonly largePx: number;
}

/** What a shape covers of a grid; null for nothing. */
type OwnPixels = {
  readonly box: readonly number[];
  readonly pixels: number;
  readonly areaPx: number;
  readonly isTouched: boolean;
} | null;

type Cover = (shape: OneShape, lists: RunLists) => OwnPixels | 'large';
type ToPixel = ReturnType<typeof makeToPixel>;

/** Covers by the centres of pixels, or where there are none by those that the shape touches. */
function makeCoverCentres(grid: Grid, toPixel: ToPixel): Cover {
  const allocate = makeMaskMemory();
  return ({ geometry, outline, bounds, largePx }, { runs }) => {
    const window = planWindowAround(grid, { bounds, outline });
    if (window === null) return null;
    if (window.width * window.height > largePx) return 'large';
    const cropped = cropGrid(grid, window);
    const { pieces, count, isTouched } = coverPieces([cropped], (rule, own) =>
      coverPixels(rule, outline, own, allocate),
    );
    return {
      box: addRuns(runs, (pieces[0] as CoveredPixels).spans, window),
      pixels: count,
      areaPx: isAtEdge(window, grid) ? sizeInPixels(geometry, toPixel) : count,
      isTouched,
    };
  };
}

/** Covers by the share of each pixel. */
function makeCoverShares(grid: Grid, toPixel: ToPixel): Cover {
  return ({ geometry, largePx }, { runs, weights }) => {
    const rings = toPixelRings(geometry, toPixel);
    const window = windowAroundRings(rings, grid);
    if (window === null) return null;
    if (window.width * window.height > Math.min(largePx, MAX_WEIGHTED)) return 'large';
    let [left, top, right, bottom, pixels] = [Infinity, Infinity, 0, 0, 0];
    for (const { row, from, until, shares } of coverFractions(rings, window)) {
      runs.push(row, from, until, shares === null ? 0 : weights.length + 1);
      if (shares !== null) for (const share of shares) weights.push(share);
      left = Math.min(left, from);
      right = Math.max(right, until);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row + 1);
      pixels += until - from;
    }
    if (pixels === 0) return null;
    const areaPx = sizeInPixels(geometry, toPixel);
    return { box: [left, top, right, bottom], pixels, areaPx, isTouched: false };
  };
}

/** Appends the runs of a window, row by row, in pixels of the whole grid; gives the box around them. */
function addRuns(runs: number[], spans: Uint32Array, { x, y, width }: PixelWindow): readonly number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (let i = 0; i < spans.length; i += 2) {
    const end = spans[i + 1] as number;
    // A run of a mask goes on in the next row where the area reaches from side to side.
    for (let at = spans[i] as number; at < end; ) {
      const row = Math.floor(at / width);
      const until = Math.min(end, (row + 1) * width);
      const [first, last] = [x + at - row * width, x + until - row * width];
      runs.push(y + row, first, last, 0);
      left = Math.min(left, first);
      right = Math.max(right, last);
      top = Math.min(top, y + row);
      bottom = Math.max(bottom, y + row + 1);
      at = until;
    }
  }
  return right === 0 ? [0, 0, 0, 0] : [left, top, right, bottom];
}

/** Points along each side of an image; between them a side bends by less than the margin. */
const SIDE_POINTS = 32;
const MARGIN = 0.05;

/** A box of degrees around a grid, with a margin; the whole globe where that is not plain. */
function toLonLatBox(grid: Grid): readonly [minX: number, minY: number, maxX: number, maxY: number] {
  const { toTarget: toLonLat } = makePixelMapping(LON_LAT_GRID, grid);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= SIDE_POINTS; i += 1) {
    const [across, down] = [(grid.width * i) / SIDE_POINTS, (grid.height * i) / SIDE_POINTS];
    for (const [lon, lat] of [
      toLonLat(across, 0),
      toLonLat(across, grid.height),
      toLonLat(0, down),
      toLonLat(grid.width, down),
    ]) {
      minX = Math.min(minX, lon);
      maxX = Math.max(maxX, lon);
      minY = Math.min(minY, lat);
      maxY = Math.max(maxY, lat);
    }
  }
  const isPlain = maxX - minX < 90 && minX > -170 && maxX < 170 && minY > -80 && maxY < 80;
  if (!isPlain) return [-Infinity, -Infinity, Infinity, Infinity];
  const [marginX, marginY] = [MARGIN * (maxX - minX), MARGIN * (maxY - minY)];
  return [minX - marginX, minY - marginY, maxX + marginX, maxY + marginY];
}

/** Joins what was found of consecutive shapes. */
export function joinCovered(parts: readonly CoveredShapes[]): CoveredShapes {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const sum = (sizeOf: (part: CoveredShapes) => number): number =>
    parts.reduce((total, part) => total + sizeOf(part), 0);
  const joined = makeCovered(
    sum(({ count }) => count),
    sum(({ runs }) => runs.length / RUN),
    sum(({ weights }) => weights.length),
  );
  let [shape, run, weight] = [0, 0, 0];
  for (const part of parts) {
    joined.runs.set(part.runs, RUN * run);
    joined.weights.set(part.weights, weight);
    if (part.weights.length > 0) {
      for (let at = RUN * run + 3; at < joined.runs.length && at < RUN * run + part.runs.length; at += RUN)
        if (joined.runs[at] !== 0) joined.runs[at] = (joined.runs[at] as number) + weight;
    }
    for (let i = 0; i < part.count; i += 1) joined.runEnds[shape + i] = run + (part.runEnds[i] as number);
    joined.boxes.set(part.boxes, BOX * shape);
    joined.pixels.set(part.pixels, shape);
    joined.areaPx.set(part.areaPx, shape);
    joined.flags.set(part.flags, shape);
    shape += part.count;
    run += part.runs.length / RUN;
    weight += part.weights.length;
  }
  return joined;
}

/** Bytes that the pixels of shapes take. */
export const sizeOfCovered = ({ count, runs, weights }: CoveredShapes): number =>
  runs.byteLength + weights.byteLength + 37 * count;
