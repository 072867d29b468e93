import type { CoveredPixels } from '../areas/index.ts';
import { coverPieces, coverPixels, makeMaskMemory } from '../areas/index.ts';
import type { Bounds, Grid, LonLatBounds } from '../geo/index.ts';
import { LON_LAT_GRID, outlineBounds, toOutline } from '../geo/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { cropGrid } from '../render/native/index.ts';
import {
  isAtEdge,
  makeToPixel,
  planWindowAround,
  projectRing,
  sizeOfRings,
  toPixelRings,
} from '../zonal/measuring.ts';
import { makeCoverFractions, windowAroundRings } from './cover-fractions.ts';
import type { RunList } from './run-list.ts';
import { makeRunList, RUN } from './run-list.ts';
import type { ShapePack } from './shape-pack.ts';
import { boundsOf, ringsOf, unpackShape } from './shape-pack.ts';
import { MAX_WEIGHTED } from './weighted-values.ts';

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

/** The pixels of some of them, as a thread finds them: runs and weights change hands, and are given back when they are joined. */
export type CoveredPart = Omit<CoveredShapes, 'runs' | 'weights'> & ReturnType<RunList['finish']>;

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
export function coverShapes({ pack, from, until, grid, largePx, rule }: CoverJob): CoveredPart {
  const found = makeCovered(until - from, 0, 0);
  const toPixel = makeToPixel(grid);
  const cover = rule === 'centres' ? makeCoverCentres(grid, toPixel) : makeCoverShares(grid, toPixel);
  const [minX, minY, maxX, maxY] = toLonLatBox(grid);
  const list = makeRunList();
  for (let shape = from; shape < until; shape += 1) {
    const at = shape - from;
    const { west, south, east, north } = boundsOfShape(pack, shape);
    const bounds: Bounds = { minX: west, minY: south, maxX: east, maxY: north };
    const isNear = east >= minX && west <= maxX && north >= minY && south <= maxY;
    const own = isNear ? cover({ pack, shape, bounds, largePx }, list) : null;
    if (own === 'large') found.flags[at] = SHAPE_FLAGS.large;
    else if (own !== null) {
      found.boxes.set(own.box, BOX * at);
      found.pixels[at] = own.pixels;
      found.flags[at] = own.isTouched ? SHAPE_FLAGS.touched : 0;
      found.areaPx[at] = own.areaPx;
    }
    found.runEnds[at] = list.runCount;
  }
  return { ...found, ...list.finish() };
}

/** The rectangle around a shape, as that of its outline is. */
function boundsOfShape(pack: ShapePack, shape: number): LonLatBounds {
  const { positions, ringEnds, shapeEnds } = pack;
  const [first, end] = [shapeEnds[shape - 1] ?? 0, shapeEnds[shape] as number];
  const [from, until] = [ringEnds[first - 1] ?? 0, ringEnds[end - 1] ?? 0];
  const bounds = boundsOf({ positions: positions.subarray(2 * from, 2 * until) });
  const isPlain = bounds.east - bounds.west <= 180;
  return isPlain ? bounds : outlineBounds(toOutline(unpackShape(pack, shape)));
}

/** Memory of one shape after the other: making it for each keeps the garbage collector busier than finding pixels. */
function makeScratch(): (count: number) => Float64Array {
  let memory = new Float64Array(1_024);
  return (count) => {
    if (count > memory.length) memory = new Float64Array(2 * count);
    return memory.subarray(0, count);
  };
}

/** A shape that is covered. */
interface OneShape {
  readonly pack: ShapePack;
  readonly shape: number;
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

type Cover = (shape: OneShape, list: RunList) => OwnPixels | 'large';
type ToPixel = ReturnType<typeof makeToPixel>;

/** Covers by the centres of pixels, or where there are none by those that the shape touches. */
function makeCoverCentres(grid: Grid, toPixel: ToPixel): Cover {
  const allocate = makeMaskMemory();
  const scratch = makeScratch();
  return ({ pack, shape, bounds, largePx }, list) => {
    const geometry = unpackShape(pack, shape);
    const outline = toOutline(geometry, scratch);
    const window = planWindowAround(grid, { bounds, outline });
    if (window === null) return null;
    if (window.width * window.height > largePx) return 'large';
    const cropped = cropGrid(grid, window);
    const { pieces, count, isTouched } = coverPieces([cropped], (rule, own) =>
      coverPixels(rule, outline, own, allocate),
    );
    return {
      box: addRuns(list, (pieces[0] as CoveredPixels).spans, window),
      pixels: count,
      areaPx: isAtEdge(window, grid) ? sizeOfRings(toPixelRings(geometry, toPixel)) : count,
      isTouched,
    };
  };
}

/** Covers by the share of each pixel. */
function makeCoverShares(grid: Grid, toPixel: ToPixel): Cover {
  const coverFractions = makeCoverFractions();
  const scratch = makeScratch();
  return ({ pack, shape, largePx }, list) => {
    const own = [...ringsOf(pack, shape)];
    const memory = scratch(own.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    const rings = own.map((ring) => {
      at += ring.length;
      return projectRing(ring, toPixel, memory.subarray(at - ring.length, at));
    });
    const window = windowAroundRings(rings, grid);
    if (window === null) return null;
    if (window.width * window.height > Math.min(largePx, MAX_WEIGHTED)) return 'large';
    let [left, top, right, bottom, pixels] = [Infinity, Infinity, 0, 0, 0];
    const count = (row: number, from: number, until: number): void => {
      left = Math.min(left, from);
      right = Math.max(right, until);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row + 1);
      pixels += until - from;
    };
    coverFractions(rings, window, {
      addRun(row, from, until) {
        count(row, from, until);
        list.addRun(row, from, until);
      },
      addWeighted(row, from, until, shares, at) {
        count(row, from, until);
        list.addWeighted(row, from, until, shares, at);
      },
    });
    if (pixels === 0) return null;
    return { box: [left, top, right, bottom], pixels, areaPx: sizeOfRings(rings), isTouched: false };
  };
}

/** Appends the runs of a window, row by row, in pixels of the whole grid; gives the box around them. */
function addRuns(list: RunList, spans: Uint32Array, { x, y, width }: PixelWindow): readonly number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (let i = 0; i < spans.length; i += 2) {
    const end = spans[i + 1] as number;
    // A run of a mask goes on in the next row where the area reaches from side to side.
    for (let at = spans[i] as number; at < end; ) {
      const row = Math.floor(at / width);
      const until = Math.min(end, (row + 1) * width);
      const [first, last] = [x + at - row * width, x + until - row * width];
      list.addRun(y + row, first, last);
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

/** Joins what was found of consecutive shapes. The runs and weights of the parts are lost: both at once are many megabytes. */
export function joinCovered(parts: readonly CoveredPart[]): CoveredShapes {
  const sum = (sizeOf: (part: CoveredPart) => number): number =>
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
    part.runs.buffer.transfer(0);
    part.weights.buffer.transfer(0);
  }
  return joined;
}

/** Bytes that the pixels of shapes take. */
export const sizeOfCovered = ({ count, runs, weights }: CoveredShapes): number =>
  runs.byteLength + weights.byteLength + 37 * count;
