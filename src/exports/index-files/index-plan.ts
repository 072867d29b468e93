import type { NativeBand, NativeGrid } from '../../render/index.ts';

/** What the pixels of a file of indices are computed of; plain JSON. */
export interface IndexPlan extends NativeGrid {
  readonly bands: readonly NativeBand[];
}

/** The value of pixels without data. */
export const INDEX_NODATA = -9999;
