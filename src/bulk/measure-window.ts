import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { Summary } from '../numbers/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Allocate, Kernels, PixelWindow, ResultPlane } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import {
  CLOUD_FLAGS,
  makeCollectedValues,
  makeMeasureTools,
  measureValues,
  readPiece,
  toPieceReads,
} from '../zonal/measuring.ts';
import type { CoveredShapes, CoverJob, Weights } from './cover-shapes.ts';
import { BOX, coverShapes, RUN } from './cover-shapes.ts';
import type { CollectionJobs } from './parse-collection.ts';
import { parseCollection } from './parse-collection.ts';
import { NUMBERS, setSummary } from './scene-numbers.ts';
import type { WeightedValues } from './weighted-values.ts';
import { summarizeWeighted } from './weighted-values.ts';
import type { WriteJobs } from './write-result.ts';
import { writeResult } from './write-result.ts';

/** The input of the job that measures shapes in a window of a scene. */
export interface WindowJob {
  readonly piece: MeasuredPiece;
  /** Where the piece lies in the grid of the runs. */
  readonly window: PixelWindow;
  readonly covered: CoveredShapes;
  /** Shapes whose boxes meet the window. */
  readonly members: Uint32Array;
  readonly expressions: number;
  readonly weights: Weights;
}

/** Values of shapes that go on in other windows. */
export interface OpenValues {
  /** Each shape with its expressions, one after the other. */
  readonly shapes: Uint32Array;
  /** For each of them and each expression: how many values, pixels with data, and clouds there are. */
  readonly counts: Float64Array;
  readonly values: Float32Array;
  /** One for each value; none where pixels count by their centres. */
  readonly weights: Float32Array;
}

/** What was measured in a window. */
export interface MeasuredWindow {
  /** The shapes that lie wholly in it. */
  readonly shapes: Uint32Array;
  /** For each of them and each expression the numbers of `scene-numbers.ts`. */
  readonly numbers: Float64Array;
  readonly open: OpenValues;
  /** Whether the scene has a mask of clouds here. */
  readonly marksClouds: boolean;
}

/** Values of shapes from all windows that they meet. */
export interface MergeJob {
  /** For each shape and expression: how many values there are. */
  readonly counts: Uint32Array;
  readonly values: Float32Array;
  /** One for each value; none where pixels count by their centres. */
  readonly weights: Float32Array;
}

/** The jobs of measuring many shapes. */
export type BulkJobs = {
  'cover-shapes': JobType<CoverJob, CoveredShapes>;
  'measure-window': JobType<WindowJob, MeasuredWindow>;
  /** The numbers of each shape and expression. */
  'merge-shapes': JobType<MergeJob, Float64Array>;
} & CollectionJobs &
  WriteJobs;

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const bulkReads: JobReads<BulkJobs> = { 'measure-window': ({ piece }) => toPieceReads(piece) };

/** Builds the job handlers for one thread. */
export function makeBulkJobs(thread: ThreadTools): JobHandlers<BulkJobs> {
  const tools = makeMeasureTools(thread);
  const { kernels } = tools;
  return {
    'cover-shapes': coverShapes,
    'parse-collection': parseCollection,
    'write-numbers': writeResult,
    async 'measure-window'(job, { signal }: JobContext) {
      const read = await readPiece(job.piece, { freeAt: 0, signal }, tools);
      const measured = measureMembers(
        job,
        read ?? { channels: null, flagsAt: 0, allocate: kernels.begin() },
        kernels,
      );
      const { numbers, open } = measured;
      return withTransfer(measured, [
        numbers.buffer,
        open.values.buffer,
        open.weights.buffer,
      ] as ArrayBuffer[]);
    },
    'merge-shapes'({ counts, values, weights }) {
      const numbers = new Float64Array(counts.length * NUMBERS.length).fill(NaN);
      let from = 0;
      for (const [i, count] of counts.entries()) {
        const own = values.subarray(from, from + count);
        const summary =
          weights.length === 0
            ? measureCopy(kernels, own)
            : summarizeWeighted({ values: own, weights: weights.subarray(from, from + count) });
        setSummary(numbers, i * NUMBERS.length, { summary, validPx: 0, cloudPx: null });
        from += count;
      }
      return numbers;
    },
  };
}

/** Statistics of values outside of the kernels' memory. */
function measureCopy(kernels: Kernels, values: Float32Array): Summary | null {
  const allocate = kernels.begin();
  const valuesAt = allocate(values.byteLength);
  new Float32Array(kernels.buffer(), valuesAt, values.length).set(values);
  return measureValues(kernels, allocate, { valuesAt, count: values.length });
}

/** The pixels of a window in the kernels' memory; without channels it has no data. */
interface WindowPixels {
  readonly channels: readonly ResultPlane[] | null;
  readonly flagsAt: number;
  readonly allocate: Allocate;
}

function measureMembers(job: WindowJob, pixels: WindowPixels, kernels: Kernels): MeasuredWindow {
  const { piece, window, covered, members, expressions } = job;
  const marksClouds = piece.masks.some(({ means }) => means !== 'no-data');
  const closed = members.filter((shape) => isWithin(covered.boxes, shape, window));
  const shapes = members.filter((shape) => !isWithin(covered.boxes, shape, window));
  const numbers = new Float64Array(closed.length * expressions * NUMBERS.length).fill(NaN);
  const counts = new Float64Array(shapes.length * expressions * 3);
  const kept: { readonly values: Float32Array[]; readonly weights: Float32Array[] } = {
    values: [],
    weights: [],
  };
  const collect = job.weights === 'centres' ? makeCollectCentres : makeCollectShares;
  const { select, collected } = collect(job, pixels, kernels);
  for (const [i, shape] of closed.entries()) {
    select(shape);
    for (let expression = 0; expression < expressions; expression += 1) {
      const { validPx, cloudPx, measure } = collected(expression);
      const at = (i * expressions + expression) * NUMBERS.length;
      setSummary(numbers, at, { validPx, cloudPx: marksClouds ? cloudPx : null, summary: measure() });
    }
  }
  for (const [i, shape] of shapes.entries()) {
    select(shape);
    for (let expression = 0; expression < expressions; expression += 1) {
      const { validPx, cloudPx, keep } = collected(expression);
      const { values, weights } = keep();
      counts.set([values.length, validPx, cloudPx], 3 * (i * expressions + expression));
      kept.values.push(values);
      kept.weights.push(weights);
    }
  }
  const open = { shapes, counts, values: joinFloats(kept.values), weights: joinFloats(kept.weights) };
  return { shapes: closed, numbers, open, marksClouds };
}

/** Values of a shape in a window, for one expression. */
interface ShapeValues {
  readonly validPx: number;
  readonly cloudPx: number;
  measure(): Summary | null;
  /** The values as arrays of their own. */
  keep(): WeightedValues;
}

/** Collects values shape by shape. */
interface CollectValues {
  select(shape: number): void;
  /** The values of the selected shape; valid until the next call. */
  collected(expression: number): ShapeValues;
}

type MakeCollect = (job: WindowJob, pixels: WindowPixels, kernels: Kernels) => CollectValues;

const NO_WEIGHTS = new Float32Array(0);

/** Collects the pixels that count by their centres, in the kernels' memory. */
const makeCollectCentres: MakeCollect = (
  { window, covered, members },
  { channels, flagsAt, allocate },
  kernels,
) => {
  const spansAt = allocate(8 * maxOf(members, (shape) => countRuns(covered, shape)));
  const workAt = allocate(0);
  let clipped = { spanCount: 0, pixels: 0 };
  return {
    select(shape) {
      clipped = clipRuns(covered, shape, window, { kernels, spansAt });
    },
    collected(expression) {
      const own = kernels.begin(workAt);
      const values = makeCollectedValues(kernels, own, clipped.pixels);
      const plane = channels?.[expression];
      if (plane !== undefined) values.add({ ...plane, flagsAt, spansAt, spanCount: clipped.spanCount });
      const { valuesAt, count, validPx, cloudPx } = values;
      return {
        validPx,
        cloudPx,
        measure: () => measureValues(kernels, own, values),
        keep: () => ({
          values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
          weights: NO_WEIGHTS,
        }),
      };
    },
  };
};

/** Collects pixels with the share of each that the shape covers. */
const makeCollectShares: MakeCollect = ({ window, covered, members }, { channels, flagsAt }, kernels) => {
  const size = maxOf(members, (shape) => covered.pixels[shape] as number);
  const [positions, shares] = [new Uint32Array(size), new Float32Array(size)];
  const [values, weights] = [new Float32Array(size), new Float32Array(size)];
  const pixels = window.width * window.height;
  const flags = flagsAt === 0 ? null : new Uint8Array(kernels.buffer(), flagsAt, pixels);
  let selected = 0;
  return {
    select(shape) {
      selected = clipShares(covered, shape, window, { positions, shares });
    },
    collected(expression) {
      const plane = channels?.[expression];
      let [count, validPx, cloudPx] = [0, 0, 0];
      if (plane !== undefined) {
        const own = new Float32Array(kernels.buffer(), plane.valuesAt, pixels);
        const mask = new Uint8Array(kernels.buffer(), plane.maskAt, pixels);
        for (let i = 0; i < selected; i += 1) {
          const at = positions[i] as number;
          const flag = flags === null ? 0 : (flags[at] as number);
          if (mask[at] === 0 || (flag & CLOUD_FLAGS.noData) !== 0) continue;
          const share = shares[i] as number;
          validPx += share;
          if ((flag & CLOUD_FLAGS.counted) !== 0) cloudPx += share;
          if ((flag & CLOUD_FLAGS.masked) !== 0) continue;
          values[count] = own[at] as number;
          weights[count] = share;
          count += 1;
        }
      }
      const found = { values: values.subarray(0, count), weights: weights.subarray(0, count) };
      return {
        validPx,
        cloudPx,
        measure: () => summarizeWeighted(found),
        keep: () => ({ values: found.values.slice(), weights: found.weights.slice() }),
      };
    },
  };
};

/** Lists the pixels of a shape in a window with their shares; gives their number. */
function clipShares(
  { runs, runEnds, weights }: CoveredShapes,
  shape: number,
  { x, y, width, height }: PixelWindow,
  { positions, shares }: { readonly positions: Uint32Array; readonly shares: Float32Array },
): number {
  let count = 0;
  for (let at = RUN * (runEnds[shape - 1] ?? 0); at < RUN * (runEnds[shape] as number); at += RUN) {
    const row = (runs[at] as number) - y;
    if (row < 0 || row >= height) continue;
    const from = runs[at + 1] as number;
    const weightsAt = runs[at + 3] as number;
    const last = Math.min(x + width, runs[at + 2] as number);
    for (let col = Math.max(x, from); col < last; col += 1) {
      positions[count] = row * width + col - x;
      shares[count] = weightsAt === 0 ? 1 : (weights[weightsAt - 1 + col - from] as number);
      count += 1;
    }
  }
  return count;
}

/** Joins arrays. */
export function joinFloats(arrays: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array, at);
    at += array.length;
  }
  return joined;
}

const maxOf = (shapes: Uint32Array, sizeOf: (shape: number) => number): number => {
  let max = 0;
  for (const shape of shapes) max = Math.max(max, sizeOf(shape));
  return max;
};

const countRuns = ({ runEnds }: CoveredShapes, shape: number): number =>
  (runEnds[shape] as number) - (runEnds[shape - 1] ?? 0);

/** Whether the box of a shape lies wholly in a window. */
function isWithin(boxes: Uint32Array, shape: number, { x, y, width, height }: PixelWindow): boolean {
  const at = BOX * shape;
  return (
    (boxes[at] as number) >= x &&
    (boxes[at + 1] as number) >= y &&
    (boxes[at + 2] as number) <= x + width &&
    (boxes[at + 3] as number) <= y + height
  );
}

/** Writes the runs of a shape in a window as spans of its pixels. */
function clipRuns(
  { runs, runEnds }: CoveredShapes,
  shape: number,
  { x, y, width, height }: PixelWindow,
  { kernels, spansAt }: { readonly kernels: Kernels; readonly spansAt: number },
): { readonly spanCount: number; readonly pixels: number } {
  const from = runEnds[shape - 1] ?? 0;
  const until = runEnds[shape] as number;
  const spans = new Uint32Array(kernels.buffer(), spansAt, 2 * (until - from));
  let [spanCount, pixels] = [0, 0];
  for (let at = RUN * from; at < RUN * until; at += RUN) {
    const row = (runs[at] as number) - y;
    if (row < 0 || row >= height) continue;
    const first = Math.max(0, (runs[at + 1] as number) - x);
    const last = Math.min(width, (runs[at + 2] as number) - x);
    if (first >= last) continue;
    spans[2 * spanCount] = row * width + first;
    spans[2 * spanCount + 1] = row * width + last;
    spanCount += 1;
    pixels += last - first;
  }
  return { spanCount, pixels };
}
