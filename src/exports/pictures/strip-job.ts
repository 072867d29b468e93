import type { ThreadTools } from '../../blocks/index.ts';
import { encodeJpegStrip } from '../../formats/jpeg.ts';
import { encodePngStrip } from '../../formats/png.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PaintedScene, PaintParts } from '../../render/index.ts';

/** Some whole rows of a picture, and how they are encoded. */
interface StripJob {
  readonly painted: PaintedScene;
  readonly grid: Grid;
  readonly format: 'jpeg' | 'png';
  /** Whether they are the last of the picture. */
  readonly isLast: boolean;
}

/** Encoded rows of a picture. */
export interface EncodedStrip {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Checksum of what a PNG compresses, and its length; zeros for a JPEG. */
  readonly sum: number;
  readonly filteredBytes: number;
}

/** The job that paints and encodes some rows of a picture. */
export type StripJobs = { 'picture-strip': JobType<StripJob, EncodedStrip> };

/** Builds the handler of that job, for one thread. */
export const makeStripJob =
  ({ kernels }: Pick<ThreadTools, 'kernels'>, paintParts: PaintParts) =>
  async ({ painted, grid, format, isLast }: StripJob, { signal }: JobContext) => {
    const { width, height } = grid;
    const allocate = kernels.begin();
    const rgbaAt = allocate(width * height * 4);
    const freeAt = allocate(0);
    await paintParts(painted, { grid, rgbaAt, freeAt, signal });
    const encode = kernels.begin(freeAt);
    const strip: EncodedStrip =
      format === 'jpeg'
        ? {
            bytes: encodeJpegStrip(kernels, encode, { rgbaAt, width, height }),
            sum: 0,
            filteredBytes: 0,
          }
        : encodePngStrip(kernels, encode, { rgbaAt, width, height, isLast });
    return withTransfer(strip, [strip.bytes.buffer]);
  };
