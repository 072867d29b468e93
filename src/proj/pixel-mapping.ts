import type { Affine, Grid, Lattice } from '../geo/index.ts';
import { applyAffine, invertAffine } from '../geo/index.ts';
import { makeLatticeMapping } from './lattice-mapping.ts';
import type { Position, Projection } from './projection.ts';
import { makeProjection } from './projection.ts';

/**
 * A grid that may be irregular on the ground: a lattice of control points overrides `transform`, which is then only the
 * affine nearest to it. Plain JSON, like the grid itself.
 */
export interface GeoreferencedGrid extends Grid {
  readonly lattice?: Lattice | null;
}

/** The exact mapping between the pixels of two grids. */
export interface PixelMapping {
  /** From a pixel position of the target to one of the source; [NaN, NaN] where there is none. */
  toSource(col: number, row: number): Position;
  /** The inverse. */
  toTarget(col: number, row: number): Position;
  /** How many pixels column 0 and row 0 of the target lie from the origin of its reference system. */
  readonly targetOffset: Position;
  /** Whether positions are cheap to compute again. */
  readonly isDirect: boolean;
}

/** Builds the mapping between two grids; an unknown reference system or a singular affine throws. */
export function makePixelMapping(target: Grid, source: GeoreferencedGrid): PixelMapping {
  const projection = makeProjection(target.proj ?? target.epsg, source.proj ?? source.epsg);
  const { toImage, toGround } = makeSourceMapping(source, projection);
  const fromWorldOfTarget = makeWorldToPixel(target.transform);
  const { toWorld, offset } = anchor(target.transform);
  return {
    toSource: (col, row) => toImage(...projection.forward(...toWorld(col, row))),
    toTarget: (col, row) => fromWorldOfTarget(...projection.inverse(...toGround(col, row))),
    targetOffset: offset,
    isDirect: projection.isDirect === true && source.lattice == null,
  };
}

/** Between the pixels of the source and its own reference system, the target of `projection`. */
function makeSourceMapping(source: GeoreferencedGrid, projection: Projection) {
  if (source.lattice != null) return makeLatticeMapping(source.lattice, source, projection.toDegrees);
  return {
    toImage: makeWorldToPixel(source.transform),
    toGround: (col: number, row: number) => applyAffine(source.transform, col, row),
  };
}

function makeWorldToPixel(affine: Affine): (x: number, y: number) => Position {
  const inverse = invertAffine(affine);
  const [originX, , , originY] = affine;
  // The origin is subtracted first: in `inverse` it is rounded to too few digits for a pixel.
  return (x, y) => [
    (x - originX) * inverse[1] + (y - originY) * inverse[2],
    (x - originX) * inverse[4] + (y - originY) * inverse[5],
  ];
}

/** A grid counts as aligned with the origin of its reference system up to this fraction of a pixel. */
const ALIGNED_PX = 1e-6;

/**
 * Counts pixels from the origin of the reference system instead of from the image's own corner. Tiles of one zoom level
 * lie on one such lattice, so a position on their common edge is the same number to the last bit in both, and so is
 * everything computed from it. Rotated grids have no common lattice and count from their own corner.
 */
function anchor(affine: Affine): { toWorld: (col: number, row: number) => Position; offset: Position } {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = affine;
  if (rowShear !== 0 || colShear !== 0) {
    return { toWorld: (col, row) => applyAffine(affine, col, row), offset: [0, 0] };
  }
  const offsetX = snap(originX / pixelWidth);
  const offsetY = snap(originY / pixelHeight);
  return {
    toWorld: (col, row) => [(offsetX + col) * pixelWidth, (offsetY + row) * pixelHeight],
    offset: [offsetX, offsetY],
  };
}

function snap(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= ALIGNED_PX ? whole : value;
}
