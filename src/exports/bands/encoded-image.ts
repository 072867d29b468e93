import type { CogOptions, CogPart, EncodedBlocks, PartedCog } from '../../formats/index.ts';
import { encodeCogPart, estimatePartBytes, planCogParts, transferOf } from '../../formats/index.ts';
import type { JobContext, JobRunner, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { TopJobs } from '../cog/encode-top.ts';
import { makeCheckWanted, makeEncodeTop } from '../cog/encode-top.ts';
import { runPatiently } from '../cog/run-patiently.ts';
import type { TopPixels } from '../cog/write-cog.ts';
import { writeCog } from '../cog/write-cog.ts';
import type { PlannedImage } from './planned-image.ts';
import type { ReadPixels, StoredPixels } from './read-pixels.ts';

/** A part of a COG that is made of stored numbers. */
export interface EncodePartJob {
  readonly plan: PartedCog['plan'];
  readonly part: CogPart;
  /** In shared memory. */
  readonly top: TopPixels;
  readonly pixels: StoredPixels;
}

/** The job that encodes such a part. */
export type EncodePartJobs = { 'export-bands': JobType<EncodePartJob, EncodedBlocks> };

/** Builds the handler of that job. */
export const makeEncodePart =
  (readPixels: ReadPixels) =>
  async ({ plan, part, top, pixels }: EncodePartJob, context: JobContext) => {
    const { firstBand, bandCount } = part;
    const bands = Array.from({ length: bandCount }, (_, i) => firstBand + i);
    const source = {
      readWindow: (window: StoredPixels['window']) =>
        Promise.all(bands.map((band) => readPixels(pixels, band, window, context.signal))),
      checkWanted: makeCheckWanted(context),
    };
    const blocks = await encodeCogPart({ plan }, part, source, top);
    return withTransfer(blocks, transferOf(blocks));
  };

/** What is decoded while the pixels of a strip are read: at most as much as a reader has under way. */
const READ_BYTES = 32 * 2 ** 20;

/** A COG of stored numbers that are decoded and encoded. */
export function toEncodedImage(
  options: CogOptions,
  pixels: StoredPixels,
  {
    pool,
    estimatedBytes,
  }: { readonly pool: JobRunner<EncodePartJobs & TopJobs>; readonly estimatedBytes: number },
): PlannedImage {
  const cog = planCogParts(options, { bandsApart: options.bandCount > 1 });
  return {
    extension: 'TIF',
    estimatedBytes,
    blocks: cog.blockCount,
    content: {
      kind: 'written',
      async write(path, { ticket, onProgress }) {
        await writeCog({
          path,
          cog,
          encodePart(part, top, signal) {
            const job = { plan: cog.plan, part, top, pixels };
            const bytes = estimatePartBytes(cog, part) + READ_BYTES;
            return runPatiently(pool, 'export-bands', job, { ...ticket, signal, bytes });
          },
          encodeTop: makeEncodeTop(pool, cog, ticket),
          signal: ticket.signal,
          onProgress,
        });
      },
    },
  };
}
