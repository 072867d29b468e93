import type { Affine } from './affine.ts';

/** A georeferenced pixel grid without pixels: that of a picture to render, or of an image. */
export interface Grid {
  /** 0 when the reference system has no code and `proj` defines it. */
  readonly epsg: number;
  /** The reference system as a PROJ string or WKT, if it has no code; it overrides `epsg`. */
  readonly proj?: string | null;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/** The grid whose pixel positions are longitudes and latitudes themselves. */
export const LON_LAT_GRID: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
