import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { Summary } from '../numbers/index.ts';
import type { JobContext, JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Kernels, PixelWindow } from '../raster/index.ts';
import { makeMeasureTools, measureValues, readPiece, toPieceReads } from '../zonal/measuring.ts';
import { makeCollectCentres, makeCollectShares } from './collect-members.ts';
import type { CoveredPart, CoverJob } from './cover-shapes.ts';
import { BOX, coverShapes } from './cover-shapes.ts';
import { measureRuns } from './measure-runs.ts';
import { makeMeasureCopies } from './measure-weighted.ts';
import type { CollectionJobs } from './parse-collection.ts';
import { parseCollection } from './parse-collection.ts';
import { NUMBERS, setSummary } from './scene-numbers.ts';
import type { WindowJob, WindowPixels } from './window-job.ts';
import { maxOf } from './window-job.ts';
import type { WriteJobs } from './write-result.ts';
import { writeResult } from './write-result.ts';

/** Values of shapes that go on in other windows. */
export interface OpenValues {
  /** Each shape with its expressions, one after the other. */
  readonly shapes: Uint32Array;
  /** For each of them and each expression: how many values, pixels with data, and clouds there are. */
  readonly counts: Float64Array;
  readonly values: Float32Array<ArrayBuffer>;
  /** One for each value; none where pixels count by their centres. */
  readonly weights: Float32Array<ArrayBuffer>;
}

/** What was measured in a window. */
export interface MeasuredWindow {
  /** The shapes that lie wholly in it. */
  readonly shapes: Uint32Array;
  /** For each of them and each expression the numbers of `scene-numbers.ts`. */
  readonly numbers: Float64Array<ArrayBuffer>;
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
  'cover-shapes': JobType<CoverJob, CoveredPart>;
  'measure-window': JobType<WindowJob, MeasuredWindow>;
  /** The numbers of each shape and expression. */
  'merge-shapes': JobType<MergeJob, Float64Array>;
} & CollectionJobs &
  WriteJobs;

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const bulkReads: JobReads<BulkJobs> = { 'measure-window': ({ piece }) => toPieceReads(piece) };

/** Builds the job handlers for one thread. */
export function makeBulkJobs(thread: ThreadTools): JobHandlers<BulkJobs> {
  // A window is read once for all shapes: blocks within it would push others out of the cache.
  const readWindow: ThreadTools['readWindow'] = (request, sink, signal) =>
    thread.readWindow({ ...request, isOnce: true }, sink, signal);
  const tools = makeMeasureTools({ ...thread, readWindow });
  const { kernels } = tools;
  return {
    'cover-shapes'(job) {
      const part = coverShapes(job);
      return withTransfer(part, [part.runs.buffer, part.weights.buffer]);
    },
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
      return withTransfer(measured, [numbers.buffer, open.values.buffer, open.weights.buffer]);
    },
    'merge-shapes'({ counts, values, weights }) {
      const numbers = new Float64Array(counts.length * NUMBERS.length).fill(NaN);
      const measureShares = makeMeasureCopies(
        kernels,
        weights.length === 0 ? 0 : maxOf(counts, (count) => count),
      );
      let from = 0;
      for (const [i, count] of counts.entries()) {
        const own = values.subarray(from, from + count);
        const summary =
          weights.length === 0
            ? measureCopy(kernels, own)
            : measureShares(own, weights.subarray(from, from + count));
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

function measureMembers(job: WindowJob, pixels: WindowPixels, kernels: Kernels): MeasuredWindow {
  const { piece, window, covered, members, expressions } = job;
  const marksClouds = piece.masks.some(({ means }) => means !== 'no-data');
  const closed = members.filter((shape) => isWithin(covered.boxes, shape, window));
  const shapes = members.filter((shape) => !isWithin(covered.boxes, shape, window));
  const numbers = new Float64Array(closed.length * expressions * NUMBERS.length).fill(NaN);
  const counts = new Float64Array(shapes.length * expressions * 3);
  const kept: Record<'values' | 'weights', Float32Array<ArrayBuffer>[]> = { values: [], weights: [] };
  const collect = job.weights === 'centres' ? makeCollectCentres : makeCollectShares;
  const measured = measureRuns({ job, pixels, closed, numbers }, kernels);
  const { select, collected } = collect(job, pixels, kernels);
  for (const [i, shape] of closed.entries()) {
    if (measured?.[i] === 1) continue;
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

/** Joins arrays, each of which has memory of its own, and gives that back. */
export function joinFloats(arrays: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array, at);
    at += array.length;
    giveBack(array);
  }
  return joined;
}

/**
 * Gives memory back at once: the garbage collector sees how small the object is that holds it, and lets a hundred megabytes
 * of such memory pile up.
 */
export function giveBack({ buffer, length }: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>): void {
  if (length > 0) buffer.transfer(0);
}

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
