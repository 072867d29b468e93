import type { VectorLimits } from '../shapes.ts';

/** What the reader of a format gets. The size of the file is within the limit. */
export interface Reading {
  readonly path: string;
  readonly limits: VectorLimits;
  readonly signal: AbortSignal | undefined;
}
