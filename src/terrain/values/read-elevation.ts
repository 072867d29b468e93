import { isSwathError } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import { invertAffine } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobContext, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { DemFile } from '../dem.ts';
import { toFileState } from '../dem.ts';
import type { HeightTools } from '../heights/height-plane.ts';
import { beginHeights, copyHeights } from '../heights/height-plane.ts';
import { readPiece } from '../heights/read-lattice.ts';
import type { FindModels, FoundModels } from '../plan/find-models.ts';
import type { MosaicPiece } from '../plan/plan-lattices.ts';
import { toMosaicPiece } from '../plan/plan-lattices.ts';
import type { ReadGrid } from './read-grid.ts';

/** A location in degrees. */
export interface Location {
  readonly lat: number;
  readonly lon: number;
}

/** The height at a location in metres; null where it is not known. */
export type ReadElevation = (location: Location, ticket: Ticket) => Promise<number | null>;

/** Smaller than the pixels of any model: heights are then interpolated between pixels of full resolution. */
const PIXEL_DEG = 1e-7;

interface ElevationDeps {
  readonly findModels: FindModels;
  readonly readGrid: ReadGrid;
  readonly pool: JobRunner<PatchJobs>;
}

/** Builds the reading of single heights, by bilinear interpolation between the pixels of the best model. */
export function makeReadElevation({ findModels, readGrid, pool }: ElevationDeps): ReadElevation {
  const readFileHeight = makeReadFileHeight(pool);
  return async (location, ticket) => {
    const grid = toPixelGrid(location);
    const found = await findModels({ grid, isFiltered: false, isRenewed: false });
    try {
      for (const file of filesAround(found, location)) {
        const height = await readFileHeight(file, location, ticket);
        if (height !== null) return height;
      }
    } catch (error) {
      // The record is renewed below.
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
    }
    const [height = Number.NaN] = await readGrid({ grid, method: 'bilinear', isFiltered: false }, ticket);
    return Number.isNaN(height) ? null : height;
  };
}

/** A location as a grid of one pixel. */
export const toPixelGrid = ({ lat, lon }: Location): Grid => ({
  epsg: 4326,
  transform: [lon - PIXEL_DEG / 2, PIXEL_DEG, 0, lat + PIXEL_DEG / 2, 0, -PIXEL_DEG],
  width: 1,
  height: 1,
});

/** Files of the best model whose bounds hold a location, finest first. */
function filesAround({ models }: FoundModels, { lat, lon }: Location): readonly DemFile[] {
  const [best] = models;
  const around = best?.files.filter(({ bounds: { west, south, east, north } }) => {
    const turned = lon < west ? lon + 360 : lon;
    return lat >= south && lat <= north && turned >= west && turned <= east;
  });
  return around?.toSorted((one, other) => one.resolutionM - other.resolutionM) ?? [];
}

/** The job of reading a small window of one file: metres row by row, NaN for voids. */
export type PatchJobs = { 'height-patch': JobType<MosaicPiece, Float32Array<ArrayBuffer>> };

/** Builds that job, for one thread. */
export const makePatchJob =
  (tools: HeightTools) =>
  async (piece: MosaicPiece, { signal }: JobContext) => {
    const work = beginHeights(tools, signal);
    const heights = copyHeights(await readPiece(piece, work), work);
    return withTransfer(heights, [heights.buffer]);
  };

/** Pixels a side of a patch, without the row and the column that it shares with its neighbours. */
const PATCH_PX = 64;
const PATCH_BYTES = 4 * (PATCH_PX + 1) ** 2;
/** A thousand patches: where people point at a map, they point again. */
const MAX_BYTES = 1_000 * PATCH_BYTES;

/** The height of a file at a location, interpolated between its pixels; null if this file alone does not give it. */
type ReadFileHeight = (file: DemFile, location: Location, ticket: Ticket) => Promise<number | null>;

/**
 * Builds the reading of single heights in small patches, which are cached: a height next to one that was read needs no
 * thread.
 */
function makeReadFileHeight(pool: JobRunner<PatchJobs>): ReadFileHeight {
  const patches = makeLru<Float32Array>({ max: MAX_BYTES, sizeOf: ({ byteLength }) => byteLength });
  return async (file, location, ticket) => {
    const patch = planPatch(file, location);
    if (patch === null) return null;
    const { piece, column, row, x, y } = patch;
    const { x: patchX, y: patchY, width } = piece.read.window;
    const key = `${toFileState(file)} ${patchX} ${patchY}`;
    const heights = await patches.rememberLater(key, async () => {
      const job = { ...ticket, bytes: 4 * PATCH_BYTES, singleFlightKey: `patch ${key}` };
      return (await pool.run('height-patch', piece, job)).output;
    });
    const at = (y - patchY) * width + (x - patchX);
    const [right, down] = [column - 0.5 - x, row - 0.5 - y];
    const upper = mix(heights[at] as number, heights[at + 1] as number, right);
    const lower = mix(heights[at + width] as number, heights[at + width + 1] as number, right);
    const mixed = mix(upper, lower, down);
    // There is a void next to it: other pixels or another model decide.
    return Number.isNaN(mixed) ? null : Math.fround(mixed);
  };
}

/** The pixels of a file around a location, and where it lies in them; null if the file does not surround it. */
function planPatch(file: DemFile, location: Location) {
  const [column, row] = toPixel(file, location);
  // Between the centres of four pixels.
  const [x, y] = [Math.floor(column - 0.5), Math.floor(row - 0.5)];
  if (!(x >= 0 && y >= 0 && x + 1 < file.width && y + 1 < file.height)) return null;
  const corner = { x: x - (x % PATCH_PX), y: y - (y % PATCH_PX) };
  const window = {
    ...corner,
    width: Math.min(PATCH_PX + 1, file.width - corner.x),
    height: Math.min(PATCH_PX + 1, file.height - corner.y),
  };
  return {
    piece: toMosaicPiece(file, { read: { level: 0, window }, at: { x: 0, y: 0 } }),
    column,
    row,
    x,
    y,
  };
}

/** The first window that is read for the height at a location; null if no file of the best model surrounds it. */
export function planFirstPatch(found: FoundModels, location: Location): MosaicPiece | null {
  for (const file of filesAround(found, location)) {
    const patch = planPatch(file, location);
    if (patch !== null) return patch.piece;
  }
  return null;
}

const mix = (from: number, to: number, part: number): number => from + (to - from) * part;

/** Where a location lies in the pixels of a file; NaN where the file's reference system is not defined. */
function toPixel(
  { epsg, proj, transform, bounds }: DemFile,
  { lon, lat }: Location,
): readonly [number, number] {
  // Longitudes of a file may go on beyond 180.
  const turned = lon < bounds.west ? lon + 360 : lon;
  const [x, y] = makeProjection(4326, proj ?? epsg).forward(turned, lat);
  const [, a, b, , c, d] = invertAffine(transform);
  return [(x - transform[0]) * a + (y - transform[3]) * b, (x - transform[0]) * c + (y - transform[3]) * d];
}
