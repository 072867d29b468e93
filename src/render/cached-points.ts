import type { TypedTree } from '../bandmath/index.ts';
import { interpretTree } from '../bandmath/index.ts';
import type { CachedPixels } from '../blocks/index.ts';
import type { PointInput, PointPlan } from './plan/point-plan.ts';
import { listPointReads } from './plan/point-plan.ts';

/** Answers points without a thread where all their pixels are decoded. */
export interface CachedPoints {
  /** The values of a point's expressions; null if a thread must read or compute them. */
  find(plan: PointPlan): readonly (number | null)[] | null;
  /** Whether a thread that reads the point should say where the blocks of its files lie. */
  asksBlocks(plan: PointPlan): boolean;
  learn(plan: PointPlan, blocks: readonly (Parameters<CachedPixels['learn']>[1] | null)[]): void;
}

/** Operations whose float32 results are those of the compiled code in every engine: IEEE 754 defines them to the bit. */
const EXACT: ReadonlySet<string> = new Set([
  ...['input', 'constant', 'negative', 'abs', 'add', 'subtract', 'multiply', 'divide'],
]);
/** Longer expressions take a thread, so that none takes the main thread for long. */
const MAX_NODES = 64;

const { fround } = Math;

/** What a rule makes of a sample, as `emitInput` of bandmath/run-table.ts says; absent where a thread computes it. */
const RULES: Partial<Record<PointInput['rule'], (value: number, parameters: readonly number[]) => number>> = {
  plain: (value) => value,
  shifted: (value, [shift = 0]) => Math.max(fround(value + fround(shift)), 1),
  linear: (value, [shift = 0, scale = 1]) => fround(fround(value + fround(shift)) * fround(scale)),
};

/** Builds the answering of points from cached pixels: a few microseconds each, where a thread takes a tenth of a millisecond. */
export function makeCachedPoints(pixels: CachedPixels): CachedPoints {
  return {
    find(plan) {
      const { tree, inputs } = plan;
      if (!isSimple(tree)) return null;
      const [bands, masks]: [Float32Array[], Uint8Array[]] = [[], []];
      for (const [i, read] of listPointReads(plan).entries()) {
        const { rule, parameters, second, bits } = inputs[i] as PointInput;
        const toValue = RULES[rule];
        if (toValue === undefined || second !== null || bits !== undefined) return null;
        const sample = read === null ? null : pixels.find(read);
        if (sample === undefined) return null;
        bands.push(Float32Array.of(toValue(fround(sample ?? 0), parameters)));
        masks.push(Uint8Array.of(sample === null ? 0 : 1));
      }
      return interpretTree(tree, { width: 1, height: 1, bands, masks }).map(
        ({ values: [value], mask: [isThere] }) =>
          isThere === 1 && Number.isFinite(value) ? (value as number) : null,
      );
    },
    asksBlocks: (plan) =>
      isSimple(plan.tree) && listPointReads(plan).some((read) => read !== null && !pixels.knows(read)),
    learn(plan, blocks) {
      for (const [i, read] of listPointReads(plan).entries()) {
        const found = blocks[i] ?? null;
        if (read !== null && found !== null) pixels.learn(read, found);
      }
    },
  };
}

const isSimple = ({ nodes }: TypedTree): boolean =>
  nodes.length <= MAX_NODES && nodes.every(({ op }) => EXACT.has(op));
