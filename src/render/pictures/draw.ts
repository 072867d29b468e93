import { internal } from '../../errors.ts';
import type { JobContext } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import { unpackGrids } from '../../raster/index.ts';
import type { ReadClouds } from '../clouds/read-clouds.ts';
import type { PixelTools } from '../pixels/pixel-work.ts';
import { beginWork } from '../pixels/pixel-work.ts';
import type { DrawJob, Picture } from './draw-job.ts';
import { paintCanvas } from './paint-canvas.ts';
import { encodeCanvas } from './paint-steps.ts';

interface DrawDeps extends PixelTools {
  /** May be left out where no plan has clouds. */
  readonly readClouds?: ReadClouds;
}

/** Builds the drawing of pictures, for one thread. Pixels stay in the kernels' memory until they are a file. */
export const makeDraw =
  ({ readClouds = refuseClouds, ...tools }: DrawDeps) =>
  async (job: DrawJob, { signal }: JobContext) => {
    if (job.grids !== undefined) unpackGrids(job.grids);
    const work = { ...beginWork(tools, signal), readClouds };
    const stagesMs: Record<string, number> = {};
    let startedAt = performance.now();
    const endStage = (stage: string): void => {
      const endedAt = performance.now();
      stagesMs[stage] = endedAt - startedAt;
      startedAt = endedAt;
    };
    const canvas = await paintCanvas(job, work, endStage);
    const encoded = await encodeCanvas(canvas, work);
    endStage('encode');
    const picture: Picture = { ...encoded, stagesMs };
    return withTransfer(picture, [picture.bytes.buffer]);
  };

const refuseClouds: ReadClouds = () => {
  throw internal('no-cloud-reader', 'Clouds are planned, but there is no reader for them.');
};
