import type { ExpressionLimits, Names } from '../../../src/bandmath/index.ts';

/** Bands of the made-up sensor that random trees speak of. */
export const treeBands = ['B1', 'B2', 'B3'] as const;

/** Its names. */
export const treeNames: Names = {
  all: treeBands,
  find: (name) => (treeBands.some((band) => band === name) ? { kind: 'band', name, resolutionM: 10 } : null),
};

/** Memory for the parts of a tree in addition to the tree itself. */
export const treeLimits: ExpressionLimits = {
  maxChars: 100_000,
  maxNodes: 10_000,
  maxDepth: 64,
  maxBands: 3,
  maxExpressions: 100,
  maxCostPerPixel: 100_000,
};

/** Pixels of a tree's window: a square, so that rows matter. */
export const SIDE_PX = 4;
