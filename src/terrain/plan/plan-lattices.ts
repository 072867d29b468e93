import type { BandFile, LevelWindow } from '../../blocks/index.ts';
import { toOpenedState } from '../../blocks/index.ts';
import type { Affine, Grid, LonLatBounds, Size } from '../../geo/index.ts';
import { applyAffine, invertAffine, moveOrigin, scaleAffine } from '../../geo/index.ts';
import type { PixelWindow, ResampleMethod, WarpPlan } from '../../raster/index.ts';
import { findLevel, planWarp } from '../../raster/index.ts';
import type { DemFile } from '../dem.ts';
import { toUnbounded, turnOf } from './mercator.ts';

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

/** One level of a file, where it lies on a grid; across the antimeridian possibly a turn further. */
interface LevelImage extends Size {
  readonly file: DemFile;
  readonly level: number;
  readonly method: ResampleMethod;
  readonly epsg: number;
  readonly proj?: string | null;
  readonly transform: Affine;
  /** Pixels of the level before the first one that is used: a pyramid may have tiles of a small part of the world. */
  readonly inset: { readonly x: number; readonly y: number };
  /** How many times larger its pixels are than those of the file. */
  readonly reduction: number;
}

/** A level of a file on a lattice: column and row of its corner. */
interface LatticeMember {
  readonly image: LevelImage;
  readonly x: number;
  readonly y: number;
}

/** Files whose pixels lie on one lattice: that of the first one. */
export interface Lattice {
  readonly members: readonly LatticeMember[];
}

/** Options that all lattices of a plan share. */
export interface LatticeOptions {
  /** Overrides the choice by resolution. */
  readonly method?: ResampleMethod | undefined;
  /** Pixels to read around those that a warp needs. */
  readonly marginPx: number;
  /** Longitudes and latitudes of the target and of all that its warps reach; longitudes may exceed ±180. */
  readonly within: LonLatBounds;
}

/** A pixel of another file counts as on the lattice up to this distance: a thousandth of a pixel changes no height. */
const ALIGNED_PX = 0.002;
/** Zoom levels are steps of two: the one that is nearest to a file has pixels down to this part of its pixels. */
const CUBIC_BELOW = Math.SQRT1_2;
/** From this ratio on, all pixels below a target pixel are averaged; below it, a widened triangle does. */
const AVERAGE_FROM = 2;
/** More than any method reaches beyond the pixel under a position. */
const REACH_PX = 8;

/** Groups files by the lattice of the level that a target needs; finest first, then in the order of the files. */
export function groupByLattice(
  files: readonly DemFile[],
  target: Grid,
  { method, within }: Pick<LatticeOptions, 'method' | 'within'>,
): readonly Lattice[] {
  const lattices: { readonly members: LatticeMember[] }[] = [];
  for (const image of files.flatMap((file) => toImages(file, target, { method, within }))) {
    const isAdded = lattices.some(({ members }) => {
      const [first] = members;
      const member = first === undefined ? null : toMember(image, first.image);
      if (member !== null) members.push(member);
      return member !== null;
    });
    if (!isAdded) lattices.push({ members: [{ image, x: 0, y: 0 }] });
  }
  const resolution = ({ members }: Lattice): number => {
    const { file, reduction } = (members[0] as LatticeMember).image;
    return file.resolutionM * reduction;
  };
  return lattices.toSorted((one, other) => resolution(one) - resolution(other));
}

/** The level of a file that a target needs, or the same a turn to the east or to the west, or both. */
function toImages(
  file: DemFile,
  target: Grid,
  { method, within }: { readonly method: ResampleMethod | undefined; readonly within: LonLatBounds },
): readonly LevelImage[] {
  const placed = toUnbounded({
    epsg: file.epsg,
    proj: file.proj ?? null,
    transform: file.transform,
    width: file.width,
    height: file.height,
  });
  const { level, ratio } = findLevel(target, placed, file.levels);
  const size = level === 0 ? placed : (file.levels[level - 1] as Size);
  const used = findUsed(file, size);
  const transform = moveOrigin(scaleAffine(file.transform, placed, size), used);
  const image: LevelImage = {
    file,
    level,
    method: method ?? toMethod(ratio),
    epsg: placed.epsg,
    proj: placed.proj,
    transform,
    inset: { x: used.x, y: used.y },
    width: used.width,
    height: used.height,
    reduction: file.width / size.width,
  };
  const turn = turnOf(file);
  if (turn === null) return [image];
  return TURNS.filter((turns) => meets(file.bounds, within, 360 * turns)).map((turns) =>
    turns === 0 ? image : { ...image, transform: moveEast(transform, turns * turn) },
  );
}

/** The pixels of a level that a file has: all of them, or those of the tiles of a pyramid that its bounds touch. */
function findUsed({ pyramid, bounds }: DemFile, { width, height }: Size): PixelWindow {
  if (pyramid === undefined) return { x: 0, y: 0, width, height };
  const { tilePx } = pyramid;
  const toColumn = (lon: number): number => ((lon + 180) / 360) * width;
  const toRow = (lat: number): number => {
    const y = Math.asinh(Math.tan((Math.min(85.06, Math.max(-85.06, lat)) * Math.PI) / 180));
    return (0.5 - y / (2 * Math.PI)) * height;
  };
  // A thousandth of a pixel: bounds are those of tiles, rounded.
  const down = (px: number): number => Math.max(0, Math.floor((px + 1e-3) / tilePx) * tilePx);
  const up = (px: number, max: number): number => Math.min(max, Math.ceil((px - 1e-3) / tilePx) * tilePx);
  const [x, y] = [down(toColumn(bounds.west)), down(toRow(bounds.north))];
  return {
    x,
    y,
    width: Math.max(1, up(toColumn(bounds.east), width) - x),
    height: Math.max(1, up(toRow(bounds.south), height) - y),
  };
}

/** Bounds of files begin within ±180, those of targets exceed it by half a turn at most. */
const TURNS = [-1, 0, 1] as const;

const meets = (bounds: LonLatBounds, within: LonLatBounds, shiftDeg: number): boolean =>
  bounds.west + shiftDeg <= within.east && bounds.east + shiftDeg >= within.west;

const moveEast = ([originX, ...rest]: Affine, by: number): Affine => [originX + by, ...rest];

/** Beyond the zoom level of the file: cubic, which shows no facets. Coarser than the file: all pixels count. */
function toMethod(ratio: number): ResampleMethod {
  if (ratio < CUBIC_BELOW) return 'cubic';
  return ratio <= AVERAGE_FROM ? 'bilinear' : 'average';
}

/** The position of an image on the lattice of another one; null if its pixels do not lie on it. */
function toMember(image: LevelImage, first: LevelImage): LatticeMember | null {
  if (image.epsg !== first.epsg || image.proj !== first.proj || image.method !== first.method) return null;
  const inverse = invertAffine(first.transform);
  const [x, y] = applyAffine(inverse, image.transform[0], image.transform[3]);
  // The opposite corner, so that pixels of another size do not count as aligned.
  const [endX, endY] = applyAffine(inverse, ...applyAffine(image.transform, image.width, image.height));
  const isAligned =
    isWhole(x) &&
    isWhole(y) &&
    Math.abs(endX - x - image.width) <= ALIGNED_PX &&
    Math.abs(endY - y - image.height) <= ALIGNED_PX;
  return isAligned ? { image, x: Math.round(x), y: Math.round(y) } : null;
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= ALIGNED_PX;

/** What to read of a lattice for a target; null if it has no pixel there. */
export function planLattice(
  { members }: Lattice,
  target: Grid,
  { method, marginPx }: Pick<LatticeOptions, 'method' | 'marginPx'>,
): LatticePlan | null {
  const first = (members[0] as LatticeMember).image;
  const pad = REACH_PX + marginPx;
  const corner = {
    x: Math.min(...members.map(({ x }) => x)) - pad,
    y: Math.min(...members.map(({ y }) => y)) - pad,
  };
  const source = {
    epsg: first.epsg,
    proj: first.proj ?? null,
    transform: moveOrigin(first.transform, corner),
    width: Math.max(...members.map(({ x, image }) => x + image.width)) + pad - corner.x,
    height: Math.max(...members.map(({ y, image }) => y + image.height)) + pad - corner.y,
    overviews: [],
  };
  const warp = planWarp({ target, source, method: method ?? first.method, marginPx });
  if (warp === null) return null;
  const pieces = members.flatMap((member) => {
    const piece = toPiece(member, {
      x: warp.window.x + corner.x,
      y: warp.window.y + corner.y,
      width: warp.window.width,
      height: warp.window.height,
    });
    return piece === null ? [] : [piece];
  });
  return pieces.length === 0 ? null : { warp, pieces };
}

/** The part of a member inside a window of its lattice. */
function toPiece(
  { image, x, y }: LatticeMember,
  window: Size & { x: number; y: number },
): MosaicPiece | null {
  const left = Math.max(x, window.x);
  const top = Math.max(y, window.y);
  const right = Math.min(x + image.width, window.x + window.width);
  const bottom = Math.min(y + image.height, window.y + window.height);
  if (right <= left || bottom <= top) return null;
  const { file, level } = image;
  return toMosaicPiece(file, {
    read: {
      level,
      window: {
        x: left - x + image.inset.x,
        y: top - y + image.inset.y,
        width: right - left,
        height: bottom - top,
      },
    },
    at: { x: left - window.x, y: top - window.y },
  });
}

/** A window of a file, with all that reading it needs. */
export function toMosaicPiece(file: DemFile, { read, at }: Pick<MosaicPiece, 'read' | 'at'>): MosaicPiece {
  const { id, dem, format, href, bandIndex, nodata, scale, offset, pyramid } = file;
  return {
    id,
    band: dem,
    format,
    href,
    bandIndex,
    nodata,
    scale,
    offset,
    pyramid,
    ...toOpenedState(file),
    read,
    at,
  };
}
