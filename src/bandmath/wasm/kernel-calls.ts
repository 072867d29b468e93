import { call } from './instructions.ts';
import type { Code, ModuleParts } from './module-bytes.ts';
import { valueType } from './module-bytes.ts';

/** The kernels that a module calls. */
export interface KernelCalls {
  /** Calls a kernel with operands on the stack. */
  call(name: string, arity: number): Code;
  /** In the order of the first calls. */
  imports(): ModuleParts['imports'];
}

/** Records which kernels are called; every operand and result is a vector. */
export function makeKernelCalls(): KernelCalls {
  const arities = new Map<string, number>();
  return {
    call(name, arity) {
      arities.set(name, arity);
      return call([...arities.keys()].indexOf(name));
    },
    imports: () =>
      [...arities].map(([name, arity]) => ({
        name,
        signature: {
          params: Array.from({ length: arity }, () => valueType.v128),
          results: [valueType.v128],
        },
      })),
  };
}
