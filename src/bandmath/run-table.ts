import type { NodeId } from './typed-tree.ts';
import type { Code, ModuleParts } from './wasm-module.ts';
import { plain, splat, valueType } from './wasm-module.ts';

/**
 * How a band's number is calibrated before the expression uses it. The constants are parameters of a run, so that
 * scenes with other constants share a module. `plain`: unchanged. `shifted`: an offset is subtracted, but data never
 * falls below 1. `linear`: (value + shift) * scale, reflectance; in this order, so that the stored value of 0 gives
 * exactly 0. `thermal`: k2 / ln(k1 / (value * a + b) + 1), kelvin. `squared-ratio`: (value / A)², A from a second
 * plane: sigma nought.
 */
export const inputRules = {
  plain: { parameters: [], hasPlane: false },
  shifted: { parameters: ['shift'], hasPlane: false },
  linear: { parameters: ['shift', 'scale'], hasPlane: false },
  thermal: { parameters: ['a', 'b', 'k1', 'k2'], hasPlane: false },
  'squared-ratio': { parameters: [], hasPlane: true },
} as const;

/** Name of a rule. */
export type InputRule = keyof typeof inputRules;

interface RuleOperands {
  /** The number as read; may be used more than once. */
  readonly value: Code;
  readonly parameter: (index: number) => Code;
  /** The second plane at the same pixels. */
  readonly plane: Code;
  readonly log: () => Code;
}

/** The instructions of a rule. */
export function emitInput(rule: InputRule, { value, parameter, plane, log }: RuleOperands): Code {
  switch (rule) {
    case 'plain':
      return value;
    case 'shifted':
      return [...value, ...parameter(0), ...plain.add, ...splat(1), ...plain.max];
    case 'linear':
      return [...value, ...parameter(0), ...plain.add, ...parameter(1), ...plain.mul];
    case 'thermal':
      return [
        ...parameter(3),
        ...parameter(2),
        ...[...value, ...parameter(0), ...plain.mul, ...parameter(1), ...plain.add],
        ...[...plain.div, ...splat(1), ...plain.add, ...log()],
        ...plain.div,
      ];
    case 'squared-ratio': {
      const squared = [...value, ...value, ...plain.mul];
      return [...squared, ...plane, ...plane, ...plain.mul, ...plain.div];
    }
  }
}

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

/** Numbers of the locals of `run`. */
export interface RunLocals {
  readonly table: number;
  readonly at: number;
  readonly end: number;
  /** A whole number of the table. */
  readonly int: (index: number) => number;
  readonly parameter: (index: number) => number;
  readonly node: (node: NodeId) => number;
  /** Which of four pixels of an output are numbers. */
  readonly isNumber: (output: number, quarter: number) => number;
  readonly scratch: number;
  readonly declarations: ModuleParts['run']['locals'];
}

/** Gives every value of a run its own local; the engine assigns registers. */
export function layOutLocals({ ints, parameters, outputs }: TablePlan, nodeCount: number): RunLocals {
  const firstInt = 3;
  const firstVector = firstInt + ints;
  const firstNode = firstVector + parameters;
  const firstFlag = firstNode + nodeCount;
  const flags = 4 * outputs.length;
  return {
    table: 0,
    at: 1,
    end: 2,
    int: (index) => firstInt + index,
    parameter: (index) => firstVector + index,
    node: (node) => firstNode + node,
    isNumber: (output, quarter) => firstFlag + 4 * output + quarter,
    scratch: firstFlag + flags,
    declarations: [
      { count: ints, type: valueType.i32 },
      { count: parameters + nodeCount + flags + 1, type: valueType.v128 },
    ],
  };
}
