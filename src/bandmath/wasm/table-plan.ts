import type { InputRule } from './input-rule.ts';
import { inputRules } from './input-rule.ts';

/**
 * The table of a run, four bytes per entry, at these indexes: addresses of planes and other int32, followed by the
 * parameters of the rules as float32.
 */
export interface TablePlan {
  /** Addresses and other whole numbers. */
  readonly ints: number;
  readonly parameters: number;
  /** `second` is used only where the rule has a second plane, `parameter` where it has parameters. */
  readonly inputs: readonly {
    readonly values: number;
    readonly second: number;
    readonly parameter: number;
  }[];
  /**
   * Values, their mask, their previous mask and its stride: -1 for a byte per pixel, 0 when the sixteen bytes at its
   * address apply to all.
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
    const entry = { values: ints, second: ints + 1, parameter: parameters };
    ints += inputRules[rule].hasPlane ? 2 : 1;
    parameters += inputRules[rule].parameters.length;
    return entry;
  });
  const outputs = Array.from({ length: outputCount }, (_, i) => {
    const values = ints + 4 * i;
    return { values, mask: values + 1, before: values + 2, stride: values + 3 };
  });
  return { ints: ints + 4 * outputCount, parameters, inputs, outputs };
}
