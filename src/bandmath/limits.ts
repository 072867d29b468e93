/** What one request may ask for. All of it is checked while reading, before anything is computed. */
export interface ExpressionLimits {
  readonly maxChars: number;
  /** Numbers, names and operations together, aliases written out. */
  readonly maxNodes: number;
  /** Parentheses, calls, signs and powers inside each other. */
  readonly maxDepth: number;
  /** Different bands, not counting that one may be needed both calibrated and not. */
  readonly maxBands: number;
  readonly maxExpressions: number;
  /** Work a pixel, in additions. */
  readonly maxCostPerPixel: number;
}

/** Limits of a picture (docs/operate.md, "Limits"); a task may have more expressions. */
export const tileLimits: ExpressionLimits = {
  maxChars: 2_048,
  maxNodes: 256,
  maxDepth: 32,
  maxBands: 12,
  maxExpressions: 3,
  // About a hundred sines: a window of 256 × 256 then takes a tenth of a second in the slowest interpreter.
  maxCostPerPixel: 2_048,
};
