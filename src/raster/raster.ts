import type { Grid } from '../geo/index.ts';

/** Pixels that know where they lie: one value walks the whole pipeline. */
export interface Raster extends Grid {
  /** One plane a band, row by row; what a masked pixel holds means nothing. */
  readonly bands: readonly Float32Array[];
  /** 1 where all bands have data, 0 where not. */
  readonly mask: Uint8Array;
}
