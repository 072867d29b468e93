import type { Grid } from '../geo/index.ts';

/** Georeferenced pixels, the value that passes through the whole pipeline. */
export interface Raster extends Grid {
  /** One plane per band, row by row; the value of a masked pixel has no meaning. */
  readonly bands: readonly Float32Array[];
  /** 1 where all bands have data, 0 elsewhere. */
  readonly mask: Uint8Array;
}
