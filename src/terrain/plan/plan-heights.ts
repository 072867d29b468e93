import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { ResampleMethod, WarpPlan } from '../../raster/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import { toWholeMib } from '../../units.ts';
import type { DemFile, ListedDem } from '../dem.ts';
import { unsupported } from '../errors.ts';
import { isGeographic, toUnbounded } from './mercator.ts';
import type { Lattice, LatticeOptions, LatticePlan } from './plan-lattices.ts';
import { groupByLattice, planLattice } from './plan-lattices.ts';

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
  /** Bounds of the files around the grid, and of unknown land, outside of which there is sea; null where gaps are unknown. */
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

/** A model and its files around a grid. */
export interface ModelFiles {
  readonly dem: ListedDem;
  readonly files: readonly DemFile[];
}

/** How heights are read. */
export interface HeightsOptions {
  /** How stored heights become those of the grid; by default cubic for finer grids and averages for coarser ones. */
  readonly method?: ResampleMethod | undefined;
  /** Longitudes and latitudes in which the files were looked up. */
  readonly within: LonLatBounds;
  readonly isFiltered: boolean;
  /** How far the filter looks around a pixel, in pixels of the file. */
  readonly filterReachPx: number;
  /** Estimated pixel memory of one plan. */
  readonly maxBytes: number;
}

/** Decides which pixels of which files give the heights of a grid; models are in the order of their rank. */
export function planHeights(
  grid: Grid,
  models: readonly ModelFiles[],
  { method, within, isFiltered, filterReachPx, maxBytes }: HeightsOptions,
): HeightsPlan {
  const options: LatticeOptions = {
    method,
    within,
    marginPx: isFiltered ? filterReachPx : 0,
  };
  const plans = models.flatMap((model) => planModel(toUnbounded(grid), model, options));
  for (const plan of plans) checkPyramids(plan);
  const bytes = estimateBytes(grid, plans);
  if (bytes > maxBytes) {
    throw unsupported(
      'too-expensive',
      `The heights of this picture need ${toWholeMib(bytes)} MiB; ${toWholeMib(maxBytes)} MiB is the limit.`,
    );
  }
  return { grid, models: plans, isFiltered, bytes };
}

/** Whether nothing is known on the grid: no file has a pixel there, and no model says that there is sea. */
export const isUnknownPlan = ({ models }: Pick<HeightsPlan, 'models'>): boolean => models.length === 0;

function planModel(target: Grid, { dem, files }: ModelFiles, options: LatticeOptions): readonly ModelPlan[] {
  const landBounds =
    dem.gaps === 'sea' ? [...files.map(({ bounds }) => bounds), ...(dem.live?.unreleased ?? [])] : null;
  const lattices = groupByLattice(files, target, options);
  const mosaics = lattices.flatMap((lattice) => {
    const plan = planLattice(lattice, target, options);
    return plan === null ? [] : [toMosaic(lattice, plan, { lattices, options, landBounds })];
  });
  if (mosaics.length === 0 && landBounds === null) return [];
  return [{ dem: dem.name, mosaics, landBounds }];
}

/** Adds to a lattice what surrounds it, if it does not fill its window. */
function toMosaic(
  lattice: Lattice,
  plan: LatticePlan,
  model: {
    readonly lattices: readonly Lattice[];
    readonly options: LatticeOptions;
    readonly landBounds: readonly LonLatBounds[] | null;
  },
): MosaicPlan {
  const { warp, pieces } = plan;
  const stepM = Math.max(...lattice.members.map(({ image }) => image.file.stepM));
  const isFull = pieces.some(
    ({ read: { window } }) => window.width === warp.window.width && window.height === warp.window.height,
  );
  if (isFull) return { ...plan, around: [], seaOutside: null, stepM };
  const window: Grid = {
    epsg: warp.epsg,
    proj: warp.proj ?? null,
    transform: moveOrigin(warp.levelTransform, warp.window),
    width: warp.window.width,
    height: warp.window.height,
  };
  const around = model.lattices
    .filter((other) => other !== lattice)
    .flatMap((other) => planLattice(other, window, { method: 'bilinear', marginPx: 0 }) ?? []);
  const isDegrees = warp.proj == null && isGeographic(warp.epsg);
  return { ...plan, around, seaOutside: isDegrees ? model.landBounds : null, stepM };
}

/** A tile of a pyramid is a file. */
const MAX_PYRAMID_TILES = 256;

/** Refuses a window of a pyramid that lacks the low zoom levels a grid needs. */
function checkPyramids({ dem, mosaics }: ModelPlan): void {
  for (const { pieces } of mosaics) {
    for (const { pyramid, read } of pieces) {
      if (pyramid === undefined) continue;
      const across = Math.ceil(read.window.width / pyramid.tilePx) + 1;
      const down = Math.ceil(read.window.height / pyramid.tilePx) + 1;
      if (across * down <= MAX_PYRAMID_TILES) continue;
      throw unsupported(
        'too-many-dem-files',
        `This zoom level needs ${across * down} tiles of the elevation model ${dem}, whose lowest zoom level is ${pyramid.minZoom}; ${MAX_PYRAMID_TILES} is the limit.`,
      );
    }
  }
}

/** Planes of the grid: heights and mask of a mosaic, of its model and of the models before it. */
const GRID_PLANES = 4;

function estimateBytes({ width, height }: Grid, models: readonly ModelPlan[]): number {
  const windows = models.flatMap(({ mosaics }) =>
    mosaics.flatMap(({ warp, pieces, around }) => [
      { warp, planes: pieces.length > 1 ? 3 : 2 },
      ...around.map((other) => ({ warp: other.warp, planes: 3 })),
    ]),
  );
  const read = windows.reduce(
    (sum, { warp, planes }) =>
      sum + planes * PLANE_BYTES * warp.window.width * warp.window.height + warp.workBytes,
    0,
  );
  return read + GRID_PLANES * PLANE_BYTES * width * height;
}

/** All warps of a plan. */
export const warpsOf = ({ models }: HeightsPlan): readonly WarpPlan[] =>
  models.flatMap(({ mosaics }) =>
    mosaics.flatMap(({ warp, around }) => [warp, ...around.map((other) => other.warp)]),
  );
