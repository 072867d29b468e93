import type { ThreadTools } from '../../blocks/index.ts';
import type { CogPart, EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import { encodeCogPart, transferOf } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PixelArray, PixelWindow } from '../../raster/index.ts';
import type { PaintedScene, PaintParts } from '../../render/index.ts';
import { makeCheckWanted } from '../cog/encode-top.ts';

/** A part of a picture that is made a COG. */
interface CogPartJob {
  readonly painted: PaintedScene;
  /** Of the whole picture. */
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
function splitBands(rgba: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
  const count = rgba.length / 4;
  return [0, 1, 2, 3].map((band) => {
    const plane = new Uint8Array(count);
    for (let i = 0, from = band; i < count; i += 1, from += 4) plane[i] = rgba[from] as number;
    return plane;
  });
}
