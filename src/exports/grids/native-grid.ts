import type { Asset } from '../../catalog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { coarsestOf, toUtmGrid } from '../../render/index.ts';
import type { FileCrs } from './file-crs.ts';
import { toFileCrs } from './file-crs.ts';

/** The grid of a file, and its reference system as the file states it. */
export interface FileGrid {
  readonly grid: Grid;
  readonly crs: FileCrs;
  /** Whether these are the pixels of a band, so that nothing has to be resampled for it. */
  readonly isNative: boolean;
}

/** The grid on which bands of one scene are computed with each other: that of the coarsest one, in UTM if it has none. */
export function toNativeGrid(assets: readonly Asset[]): FileGrid {
  const asset = coarsestOf(assets);
  const { epsg, proj, transform, width, height, lattice } = asset;
  const crs = lattice === undefined ? toFileCrs(asset) : null;
  if (crs !== null) {
    const grid = { epsg, ...(proj === undefined ? {} : { proj }), transform, width, height };
    return { grid, crs, isNative: true };
  }
  const grid = toUtmGrid(asset);
  return { grid, crs: { epsg: grid.epsg, sinusoidalRadiusM: null }, isNative: false };
}
