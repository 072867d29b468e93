import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Allocate, Kernels, PixelWindow, ResultPlane } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import {
  makeCollectedValues,
  makeMeasureTools,
  measureValues,
  readPiece,
  toPieceReads,
} from '../zonal/measuring.ts';
import type { CoveredShapes, CoverJob } from './cover-shapes.ts';
import { BOX, coverShapes, RUN } from './cover-shapes.ts';
import type { CollectionJobs } from './parse-collection.ts';
import { parseCollection } from './parse-collection.ts';
import { NUMBERS, setSummary } from './scene-numbers.ts';
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
}

/** Values of shapes that go on in other windows. */
export interface OpenValues {
  /** Each shape with its expressions, one after the other. */
  readonly shapes: Uint32Array;
  /** For each of them and each expression: how many values, pixels with data, and clouds there are. */
  readonly counts: Uint32Array;
  readonly values: Float32Array;
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
      return withTransfer(measured, [numbers.buffer, open.values.buffer] as ArrayBuffer[]);
    },
    'merge-shapes'({ counts, values }) {
      const numbers = new Float64Array(counts.length * NUMBERS.length).fill(NaN);
      let from = 0;
      for (const [i, count] of counts.entries()) {
        const allocate = kernels.begin();
        const valuesAt = allocate(4 * count);
        new Float32Array(kernels.buffer(), valuesAt, count).set(values.subarray(from, from + count));
        const summary = measureValues(kernels, allocate, { valuesAt, count });
        setSummary(numbers, i * NUMBERS.length, { summary, validPx: 0, cloudPx: null });
        from += count;
      }
      return numbers;
    },
  };
}

/** The pixels of a window in the kernels' memory; without channels it has no data. */
interface WindowPixels {
  readonly channels: readonly ResultPlane[] | null;
  readonly flagsAt: number;
  readonly allocate: Allocate;
}

function measureMembers(
  { piece, window, covered, members, expressions }: WindowJob,
  { channels, flagsAt, allocate }: WindowPixels,
  kernels: Kernels,
): MeasuredWindow {
  const marksClouds = piece.masks.some(({ means }) => means !== 'no-data');
  const closed = members.filter((shape) => isWithin(covered.boxes, shape, window));
  const shapes = members.filter((shape) => !isWithin(covered.boxes, shape, window));
  const numbers = new Float64Array(closed.length * expressions * NUMBERS.length).fill(NaN);
  const counts = new Uint32Array(shapes.length * expressions * 3);
  const kept: Float32Array[] = [];
  const spansAt = allocate(8 * maxOf(members, (shape) => countRuns(covered, shape)));
  const workAt = allocate(0);

  /** Collects the values of one expression in runs. */
  const collect = (spanCount: number, pixels: number, expression: number) => {
    const own = kernels.begin(workAt);
    const collected = makeCollectedValues(kernels, own, pixels);
    const plane = channels?.[expression];
    if (plane !== undefined)
      collected.add({ valuesAt: plane.valuesAt, maskAt: plane.maskAt, flagsAt, spansAt, spanCount });
    return { collected, own };
  };

  for (const [i, shape] of closed.entries()) {
    const { spanCount, pixels } = clipRuns(covered, shape, window, { kernels, spansAt });
    for (let expression = 0; expression < expressions; expression += 1) {
      const { collected, own } = collect(spanCount, pixels, expression);
      const { validPx, cloudPx } = collected;
      const summary = measureValues(kernels, own, collected);
      const at = (i * expressions + expression) * NUMBERS.length;
      setSummary(numbers, at, { summary, validPx, cloudPx: marksClouds ? cloudPx : null });
    }
  }
  for (const [i, shape] of shapes.entries()) {
    const { spanCount, pixels } = clipRuns(covered, shape, window, { kernels, spansAt });
    for (let expression = 0; expression < expressions; expression += 1) {
      const { collected } = collect(spanCount, pixels, expression);
      const { valuesAt, count, validPx, cloudPx } = collected;
      counts.set([count, validPx, cloudPx], 3 * (i * expressions + expression));
      kept.push(new Float32Array(kernels.buffer(), valuesAt, count).slice());
    }
  }
  return { shapes: closed, numbers, open: { shapes, counts, values: joinFloats(kept) }, marksClouds };
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
