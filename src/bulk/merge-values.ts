import type { MergeJob, OpenValues } from './measure-window.ts';
import { giveBack, joinFloats } from './measure-window.ts';
import { NUMBERS, SUMMARY_NUMBERS, setSummary } from './scene-numbers.ts';

/** Puts the values of shapes together that lie in several windows. */
export interface MergeValues {
  /** Takes the values of a window. */
  add(open: OpenValues, marksClouds: boolean): Promise<void>;
  /** Measures what is left. */
  finish(): Promise<void>;
}

interface MergeDeps {
  readonly expressions: number;
  /** In how many windows each shape lies. */
  readonly meets: Uint32Array;
  /** Measures the values of several shapes on a thread. */
  readonly run: (job: MergeJob, bytes: number) => Promise<Float64Array>;
  /** Writes the numbers of a shape and an expression. */
  readonly write: (
    shape: number,
    expression: number,
    write: (values: Float64Array, at: number) => void,
  ) => void;
}

/** Values of an expression from some windows. */
interface Gathered {
  readonly pieces: Float32Array<ArrayBuffer>[];
  readonly weights: Float32Array<ArrayBuffer>[];
  validPx: number;
  cloudPx: number;
}

/** A shape with windows that are still to come. */
interface OpenShape {
  left: number;
  marksClouds: boolean;
  readonly byExpression: readonly Gathered[];
}

/** Shapes are measured together up to this many bytes of values. */
const MERGED_BYTES = 8 * 2 ** 20;

/** Memory that measuring takes in addition to the values. */
const WORK_BYTES = 2 * 2 ** 20;

/** The values of a shape are held until its last window is done: windows come row by row, so that these are few. */
export function makeMergeValues({ expressions, meets, run, write }: MergeDeps): MergeValues {
  const open = new Map<number, OpenShape>();
  let whole: (readonly [shape: number, values: OpenShape])[] = [];
  let wholeBytes = 0;

  const makeOpen = (shape: number): OpenShape => ({
    left: meets[shape] as number,
    marksClouds: false,
    byExpression: Array.from({ length: expressions }, () => ({
      pieces: [],
      weights: [],
      validPx: 0,
      cloudPx: 0,
    })),
  });

  async function measureWhole(): Promise<void> {
    const shapes = whole;
    whole = [];
    wholeBytes = 0;
    const gathered = shapes.flatMap(([, { byExpression }]) => byExpression);
    const counts = Uint32Array.from(gathered, ({ pieces }) =>
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
    const values = joinFloats(gathered.flatMap(({ pieces }) => pieces));
    const weights = joinFloats(gathered.flatMap((one) => one.weights));
    const numbers = await run({ counts, values, weights }, 4 * values.byteLength + WORK_BYTES);
    giveBack(values);
    giveBack(weights);
    for (const [i, [shape, { marksClouds, byExpression }]] of shapes.entries()) {
      for (const [expression, { validPx, cloudPx }] of byExpression.entries()) {
        const from = (i * expressions + expression) * NUMBERS.length;
        write(shape, expression, (into, at) => {
          into.set(numbers.subarray(from, from + SUMMARY_NUMBERS), at);
          setSummary(into, at, { summary: null, validPx, cloudPx: marksClouds ? cloudPx : null });
        });
      }
    }
  }

  return {
    async add({ shapes, counts, values, weights }, marksClouds) {
      let from = 0;
      for (const [i, shape] of shapes.entries()) {
        const known = open.get(shape) ?? makeOpen(shape);
        open.set(shape, known);
        known.marksClouds ||= marksClouds;
        for (const [expression, gathered] of known.byExpression.entries()) {
          const at = 3 * (i * expressions + expression);
          const count = counts[at] as number;
          // A copy: what a window has of shapes that end sooner must not be held.
          if (count > 0) gathered.pieces.push(values.slice(from, from + count));
          if (count > 0 && weights.length > 0) gathered.weights.push(weights.slice(from, from + count));
          gathered.validPx += counts[at + 1] as number;
          gathered.cloudPx += counts[at + 2] as number;
          from += count;
        }
        known.left -= 1;
        if (known.left > 0) continue;
        open.delete(shape);
        whole.push([shape, known]);
        for (const { pieces } of known.byExpression)
          for (const { byteLength } of pieces) wholeBytes += byteLength;
      }
      if (wholeBytes > MERGED_BYTES && whole.length > 0) await measureWhole();
    },
    async finish() {
      if (whole.length > 0) await measureWhole();
    },
  };
}
