import type { Asset } from '../../catalog/index.ts';
import { internal } from '../../errors.ts';
import type { Affine, Grid } from '../../geo/index.ts';
import type { FileCrs } from './file-crs.ts';
import { toFileCrs } from './file-crs.ts';
import { toUtmGrid } from './utm-grid.ts';

/** The grid of a file, and its reference system as the file states it. */
export interface FileGrid {
  readonly grid: Grid;
  readonly crs: FileCrs;
  /** Whether these are the pixels of a band, so that nothing has to be resampled for it. */
  readonly isNative: boolean;
}

const pixelArea = ([, pixelWidth, rowShear, , colShear, pixelHeight]: Affine): number =>
  Math.abs(pixelWidth * pixelHeight - rowShear * colShear);

/** The band with the largest pixels; the first of several. */
function coarsestOf(assets: readonly Asset[]): Asset {
  const [first, ...others] = assets;
  if (first === undefined) throw internal('no-inputs', 'A file without bands has no grid.');
  // by more than rounding: bands of one resolution share the grid of the first
  return others.reduce(
    (coarsest, asset) =>
      pixelArea(asset.transform) > pixelArea(coarsest.transform) * (1 + 1e-6) ? asset : coarsest,
    first,
  );
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
