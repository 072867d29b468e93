import type { SwathError } from '../errors.ts';

/** The limits of one request. All of them are checked while parsing, before anything is computed. */
export interface ExpressionLimits {
  readonly maxChars: number;
  /** Numbers, names and operations together, with aliases expanded. */
  readonly maxNodes: number;
  /** Nesting of parentheses, calls, signs and powers. */
  readonly maxDepth: number;
  /** Distinct bands; a band needed both calibrated and not counts once. */
  readonly maxBands: number;
  readonly maxExpressions: number;
  /** Work per pixel, in additions. */
  readonly maxCostPerPixel: number;
}

/** Limits of a picture (docs/operate/limits.md); a task may have more expressions. */
export const tileLimits: ExpressionLimits = {
  maxChars: 2_048,
  maxNodes: 256,
  maxDepth: 32,
  maxBands: 12,
  maxExpressions: 3,
  // About a hundred sines: a window of 256 × 256 then takes a tenth of a second in the slowest interpreter.
  maxCostPerPixel: 2_048,
};

/** Makes the error for a limit, at the position that exceeded it. */
type Refuse = (reason: string) => SwathError;

/** Counts over all expressions of a request and their aliases, while they are parsed. */
export interface ParseBudget {
  /** Tokens consumed and nodes created so far. */
  readonly steps: number;
  readonly nodes: number;
  countStep(): void;
  countNodes(count: number, refuse: Refuse): void;
  countBand(name: string, refuse: Refuse): void;
  /** Parses one level deeper; this also bounds the parser's own stack. */
  descend<Result>(read: () => Result, refuse: Refuse): Result;
}

/** A budget with nothing spent. */
export function makeParseBudget(limits: ExpressionLimits): ParseBudget {
  const bands = new Set<string>();
  let nodes = 0;
  let depth = 0;
  let steps = 0;
  return {
    get steps() {
      return steps;
    },
    get nodes() {
      return nodes;
    },
    countStep() {
      steps++;
    },
    countNodes(count, refuse) {
      nodes += count;
      steps += count;
      if (nodes > limits.maxNodes) {
        throw refuse(`there are more than ${limits.maxNodes} names, numbers and operations.`);
      }
    },
    countBand(name, refuse) {
      bands.add(name);
      if (bands.size > limits.maxBands) throw refuse(`it names more than ${limits.maxBands} bands.`);
    },
    descend(read, refuse) {
      depth++;
      if (depth > limits.maxDepth) throw refuse(`it is nested deeper than ${limits.maxDepth}.`);
      const result = read();
      depth--;
      return result;
    },
  };
}
