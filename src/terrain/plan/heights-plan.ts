import type { BandFile, LevelWindow } from '../../blocks/index.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import type { DemFile } from '../dems/dem.ts';

/**
 * Heights on a grid: which pixels of which files to read, and how they join. Plain JSON, made before any pixel is read.
 * Every height depends on the position of its pixel and not on the grid around it: neighbouring tiles agree to the bit.
 */
export interface HeightsPlan {
  readonly grid: Grid;
  /** In the order of their rank: the first one that knows a height gives it. */
  readonly models: readonly ModelPlan[];
  /** Whether artefacts are removed from the stored heights. */
  readonly isFiltered: boolean;
  /** Estimated pixel memory. */
  readonly bytes: number;
}

/** The part of one model. */
export interface ModelPlan {
  readonly dem: string;
  /** Finest first. */
  readonly mosaics: readonly MosaicPlan[];
  /** Bounds of the files around the grid, outside of which there is sea; null where gaps are unknown. */
  readonly landBounds: readonly LonLatBounds[] | null;
}

/** Files of one model whose pixels lie on one lattice: they are read as one image, without borders. */
export interface MosaicPlan extends LatticePlan {
  /** Other lattices of the model that reach into the window: they continue the heights where this one ends. */
  readonly around: readonly LatticePlan[];
  /** Bounds of land as in the model, if the lattice ends at the sea; null otherwise. */
  readonly seaOutside: readonly LonLatBounds[] | null;
  /** The step between two stored heights in metres, 0 for floating point. */
  readonly stepM: number;
}

/** Pixels of one lattice and their warp. */
export interface LatticePlan {
  /** From the window on the lattice to the target. */
  readonly warp: WarpPlan;
  readonly pieces: readonly MosaicPiece[];
}

/** A window of one file, and its position in the window of the lattice. */
export interface MosaicPiece
  extends BandFile,
    Pick<DemFile, 'id' | 'format' | 'scale' | 'offset' | 'pyramid'> {
  readonly read: LevelWindow;
  readonly at: { readonly x: number; readonly y: number };
}
