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
