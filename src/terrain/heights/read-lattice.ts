import type { WindowRequest } from '../../blocks/index.ts';
import { withSubject } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { Staging } from '../../raster/index.ts';
import { makeStaging, makeWindowPlane } from '../../raster/index.ts';
import { DEM_FILES } from '../dem.ts';
import type { LatticePlan, MosaicPiece } from '../plan/plan-lattices.ts';
import type { HeightPlane, HeightWork } from './height-plane.ts';
import { allocatePlane, viewPlane } from './height-plane.ts';

/** Reads the window of a lattice: all of its files as one plane of metres, unknown where no file has a height. */
export async function readLattice({ warp, pieces }: LatticePlan, work: HeightWork): Promise<HeightPlane> {
  const { window } = warp;
  const staging = makeStaging(work.allocate);
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1 && isWhole(only, window))
    return readPiece(only, work, staging);
  const whole = allocatePlane(work, window.width, window.height);
  for (const piece of pieces) {
    const part = await readPiece(piece, work, staging);
    addPart(whole, part, piece, work);
  }
  return whole;
}

const isWhole = ({ read: { window } }: MosaicPiece, { width, height }: Size): boolean =>
  window.width === width && window.height === height;

/** Reads the window of one file, in metres. */
export async function readPiece(
  piece: MosaicPiece,
  work: HeightWork,
  staging: Staging = makeStaging(work.allocate),
): Promise<HeightPlane> {
  const { kernels, allocate, signal } = work;
  const { window } = piece.read;
  const { width, height } = window;
  const valuesAt = allocate(4 * width * height);
  const maskAt = allocate(width * height);
  const sink = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: piece.nodata });
  try {
    if (piece.format === 'terrarium') await work.readPyramid(piece, sink, signal);
    else await work.readWindow(toWindowRequest(piece), sink, signal);
  } catch (error) {
    throw withSubject(error, DEM_FILES);
  }
  const plane = { width, height, valuesAt, maskAt: sink.hasEmpty ? maskAt : 0 };
  toMetres(plane, piece, work);
  return dropImpossible(plane, maskAt, work);
}

/** The window of a piece. The state of the file is part of its version: a file that was replaced is opened anew. */
export const toWindowRequest = (piece: MosaicPiece): WindowRequest => {
  const { band, id, stamp = '' } = piece;
  return { ...piece, record: { name: band, version: `${id} ${stamp}` } };
};

/** Converts stored numbers to metres. */
function toMetres(plane: HeightPlane, { scale, offset }: MosaicPiece, { kernels }: HeightWork): void {
  if (scale === 1 && offset === 0) return;
  const { values } = viewPlane(kernels, plane);
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale + offset;
}

/** Deeper than the deepest trench, and higher than the highest mountain: values outside are voids without a mark. */
const MIN_HEIGHT_M = -12_000;
const MAX_HEIGHT_M = 10_000;

/** Marks impossible heights, infinite ones included, as unknown; makes the mask if there is none yet. */
function dropImpossible(plane: HeightPlane, maskAt: number, { kernels }: HeightWork): HeightPlane {
  const count = plane.width * plane.height;
  const isMasked = plane.maskAt === 0 ? 0 : 1;
  const limits = [MIN_HEIGHT_M, MAX_HEIGHT_M] as const;
  const isFound = kernels.run.dropImpossible(plane.valuesAt, maskAt, count, isMasked, ...limits) === 1;
  return isFound ? { ...plane, maskAt } : plane;
}

/** Copies the heights of a part where the whole has none yet: of overlapping files the first one counts. */
function addPart(whole: HeightPlane, part: HeightPlane, { at }: MosaicPiece, { kernels }: HeightWork): void {
  const to = viewPlane(kernels, whole);
  const from = viewPlane(kernels, part);
  const known = to.mask as Uint8Array;
  for (let y = 0; y < part.height; y++) {
    let source = y * part.width;
    let target = (at.y + y) * whole.width + at.x;
    for (let x = 0; x < part.width; x++, source++, target++) {
      if (known[target] === 1 || (from.mask !== null && from.mask[source] === 0)) continue;
      to.values[target] = from.values[source]!;
      known[target] = 1;
    }
  }
}
