import type { Allocate, Kernels } from '../../../raster/index.ts';
import { loadKernels } from '../../../raster/index.ts';

/** WebAssembly memory never shrinks: after a block that takes more it is given up and made anew, in a millisecond. */
const MAX_IDLE_BYTES = 16 * 1024 * 1024;

/** One set a thread, made with its first block: codecs are a plain table and get no kernels passed in. */
let idle: Kernels | null = null;

/** Lends the thread's kernels, with all of their memory free, for work that retains nothing of it. */
export function withKernels<Result>(work: (kernels: Kernels, allocate: Allocate) => Result): Result {
  const kernels = idle ?? loadKernels();
  idle = null;
  try {
    return work(kernels, kernels.begin());
  } finally {
    if (kernels.buffer().byteLength <= MAX_IDLE_BYTES) idle = kernels;
  }
}
