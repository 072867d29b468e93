import type { PartedCog } from '../../formats/cog/index.ts';
import { estimatePartBytes, planCogParts } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import type { PaintedScene } from '../../render/index.ts';
import { MAX_PART_BYTES } from '../../render/index.ts';
import type { TopJobs } from '../cog/encode-top.ts';
import { makeEncodeTop } from '../cog/encode-top.ts';
import { writeCog } from '../cog/write-cog.ts';
import type { ExportRun } from '../export.ts';
import type { CogPartJobs } from './cog-part-job.ts';

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
