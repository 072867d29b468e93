import type { ThreadTools } from '../../blocks/index.ts';
import type { CogPart, EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import { encodeCogPart, estimatePartBytes, planCogParts, transferOf } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { JobContext, JobRunner, JobType } from '../../pool/index.ts';
import { runPatiently, withTransfer } from '../../pool/index.ts';
import type { PixelArray, PixelWindow } from '../../raster/index.ts';
import type { PaintedScene, PaintParts } from '../../render/index.ts';
import { MAX_PART_BYTES } from '../../render/index.ts';
import type { ExportRun } from '../export.ts';
import type { TopJobs } from '../write-cog.ts';
import { makeCheckWanted, makeEncodeTop, writeCog } from '../write-cog.ts';

/** A part of a picture that is made a COG. */
interface CogPartJob {
  readonly painted: PaintedScene;
  /** The grid of the whole picture. */
  readonly grid: Grid;
  readonly cog: Pick<PartedCog, 'plan'>;
  readonly part: CogPart;
  /** In shared memory; null when nothing is made of the smallest copy. */
  readonly top: readonly PixelArray[] | null;
  /** Shared memory for the encoded blocks. */
  readonly room: SharedArrayBuffer;
}

/** The job that paints and encodes a part of a picture. */
export type CogPartJobs = { 'picture-part': JobType<CogPartJob, EncodedBlocks> };

/** Builds the handler of that job, for one thread. */
export const makeCogPartJob =
  ({ kernels }: Pick<ThreadTools, 'kernels'>, paintParts: PaintParts) =>
  async ({ painted, grid, cog, part, top, room }: CogPartJob, context: JobContext) => {
    const readWindow = async (window: PixelWindow): Promise<readonly PixelArray[]> => {
      const { width, height } = window;
      const allocate = kernels.begin();
      const rgbaAt = allocate(width * height * 4);
      const freeAt = allocate(0);
      const strip: Grid = { ...grid, transform: moveOrigin(grid.transform, window), width, height };
      await paintParts(painted, { grid: strip, rgbaAt, freeAt, signal: context.signal });
      return splitBands(new Uint8Array(kernels.buffer(), rgbaAt, width * height * 4));
    };
    const source = { readWindow, checkWanted: makeCheckWanted(context) };
    const blocks = await encodeCogPart(cog, part, source, top, room);
    return withTransfer(blocks, transferOf(blocks));
  };

/** Red, green, blue and alpha, each by itself. */
export function splitBands(rgba: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
  const count = rgba.length / 4;
  return [0, 1, 2, 3].map((band) => {
    const plane = new Uint8Array(count);
    for (let i = 0, from = band; i < count; i += 1, from += 4) plane[i] = rgba[from] as number;
    return plane;
  });
}

/** Plans the COG of a picture: red, green, blue and opacity, as all programs show them. */
export const planPictureCog = ({ width, height, epsg, transform }: Grid): PartedCog =>
  planCogParts({
    width,
    height,
    epsg,
    transform,
    bandCount: 4,
    type: 'uint8',
    nodata: null,
    compression: 'steady-deflate',
    predictor: 2,
    photometric: 'rgb',
    alpha: 'cut-out',
    padding: 'flat',
  });

interface CogRequest {
  readonly path: string;
  readonly cog: PartedCog;
  readonly grid: Grid;
  readonly painted: PaintedScene;
}

/** Writes a picture as a COG, its parts painted and encoded on several threads. */
export async function writePictureCog(
  { path, cog, grid, painted }: CogRequest,
  pool: JobRunner<CogPartJobs & TopJobs>,
  { ticket, onProgress }: ExportRun,
): Promise<void> {
  const { plan } = cog;
  await writeCog({
    path,
    cog,
    signal: ticket.signal,
    onProgress,
    encodeTop: makeEncodeTop(pool, cog, ticket),
    encodePart: (part, top, signal, room) => {
      const bytes = estimatePartBytes(cog, part) + MAX_PART_BYTES;
      const job = { painted, grid, cog: { plan }, part, top, room };
      return runPatiently(pool, 'picture-part', job, { ...ticket, bytes, signal });
    },
  });
}
