import type { InputRule } from './input-rule.ts';
import { inputRules } from './input-rule.ts';

/**
 * What the table of a run holds, four bytes each, at these places: addresses of planes and other int32, and behind them
 * the parameters of the rules as float32.
 */
export interface TablePlan {
  /** Addresses and other whole numbers. */
  readonly ints: number;
  readonly parameters: number;
  /** `second` only means something where the rule has a second plane, `parameter` where it has parameters. */
  readonly inputs: readonly {
    readonly values: number;
    readonly second: number;
    readonly parameter: number;
  }[];
  /**
   * Values, their mask, the mask that they had before and its stride: -1 for a byte each pixel, 0 when the sixteen
   * bytes at its address hold for all.
   */
  readonly outputs: readonly {
    readonly values: number;
    readonly mask: number;
    readonly before: number;
    readonly stride: number;
  }[];
}

/** Lays out the table for inputs with these rules. */
export function planTable(rules: readonly InputRule[], outputCount: number): TablePlan {
  let ints = 0;
  let parameters = 0;
  const inputs = rules.map((rule) => {
    const place = { values: ints, second: ints + 1, parameter: parameters };
    ints += inputRules[rule].hasPlane ? 2 : 1;
    parameters += inputRules[rule].parameters.length;
    return place;
  });
  const outputs = Array.from({ length: outputCount }, (_, i) => {
    const values = ints + 4 * i;
    return { values, mask: values + 1, before: values + 2, stride: values + 3 };
  });
  return { ints: ints + 4 * outputCount, parameters, inputs, outputs };
}
