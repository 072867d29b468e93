import { internal } from '../../errors.ts';
import type { TypedTree } from '../typed-tree.ts';
import { makeEmitter } from './emit-tree.ts';
import type { InputRule } from './input-rule.ts';
import * as op from './instructions.ts';
import { makeKernelCalls } from './kernel-calls.ts';
import type { Signature } from './module-bytes.ts';
import { toModuleBytes, valueType } from './module-bytes.ts';
import { layOutLocals } from './run-locals.ts';
import type { TablePlan } from './table-plan.ts';
import { planTable } from './table-plan.ts';

/** A tree as a module, and the layout of its table. */
export interface CompiledTree {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: TablePlan;
}

/** The parameters of `run`: the address of its table, and a range of every plane in bytes of its values. */
const RUN: Signature = { params: [valueType.i32, valueType.i32, valueType.i32], results: [] };

/**
 * Compiles a tree to a WebAssembly module with one function, `run(table, from, end)`, which computes a range of the
 * outputs and their masks, sixteen pixels at a time: `from` and `end` are multiples of 64. A pixel has data, 1 in the
 * mask, where it had before and is not NaN; where NODATA was chosen it is NaN. Trees that need the whole window are
 * left to the interpreter.
 */
export function compileTree(tree: TypedTree, rules: readonly InputRule[]): CompiledTree {
  if (tree.needsWindow) throw internal('needs-window', 'An expression over a whole window is not compiled.');
  const table = planTable(rules, tree.outputs.length);
  const locals = layOutLocals(table, tree.nodes.length);
  const kernels = makeKernelCalls();
  const emit = makeEmitter({ tree, rules, table, locals, kernels });
  // A vector holds four pixels, a vector of masks sixteen: four times the values, then the masks.
  const pixels = [0, 1, 2, 3].flatMap((quarter) => emit.quarter(quarter));
  const step = [...op.getLocal(locals.at), ...op.int(64), ...op.plain.addInt, ...op.setLocal(locals.at)];
  const goesOn = [...op.getLocal(locals.at), ...op.getLocal(locals.end), ...op.plain.lessInt];
  const body = [...pixels, ...emit.masks(), ...step, ...goesOn];
  const bytes = toModuleBytes({
    imports: kernels.imports(),
    run: {
      signature: RUN,
      locals: locals.declarations,
      body: [...emit.table(), ...emit.constants(), ...op.loopWhile(body)],
    },
  });
  return { bytes, table };
}
