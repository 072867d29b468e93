import type { NodeId } from '../typed-tree.ts';
import type { ModuleParts } from './module-bytes.ts';
import { valueType } from './module-bytes.ts';
import type { TablePlan } from './table-plan.ts';

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
