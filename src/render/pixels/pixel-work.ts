import type { ReadWindow } from '../../blocks/index.ts';
import type { Allocate, ComputeBands, Kernels } from '../../raster/index.ts';

/** What a pixel thread reads and computes with. */
export interface PixelTools {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** The tools during one job: with memory of the kernels, which is valid until the next job begins. */
export interface PixelWork extends PixelTools {
  readonly allocate: Allocate;
  /** Aborts when no one waits for the result any more. */
  readonly signal: AbortSignal;
}

/** Begins a job: memory of the job before is reused, or that from an address on. */
export const beginWork = (tools: PixelTools, signal: AbortSignal, freeAt?: number): PixelWork => ({
  ...tools,
  allocate: tools.kernels.begin(freeAt),
  signal,
});
