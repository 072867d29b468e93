import type { ColorbarSize, ColorPlan, Stretch } from '../../color/index.ts';
import { paintColorbar } from '../../color/index.ts';
import { encodePng } from '../../formats/png.ts';
import type { JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { Kernels } from '../../raster/index.ts';

/** What a colorbar shows. */
export interface ColorbarJob {
  readonly plan: ColorPlan;
  readonly size: ColorbarSize;
  /** Null: no values, so no ticks. */
  readonly range: Stretch | null;
}

/** The job of drawing a colorbar as PNG. */
export type ColorbarJobs = { colorbar: JobType<ColorbarJob, Uint8Array<ArrayBuffer>> };

/** Draws a colorbar as PNG. */
export type DrawColorbar = (job: ColorbarJob, ticket: Ticket) => Promise<Uint8Array<ArrayBuffer>>;

/** Painted, copied to the kernels' memory, encoded: four bytes a pixel each. */
const BYTES_PER_PIXEL = 12;

/** Builds the drawing of colorbars on a thread of the pool: the largest is a megapixel. */
export const makeDrawColorbar =
  ({ pool }: { readonly pool: JobRunner<ColorbarJobs> }): DrawColorbar =>
  async (input, ticket) => {
    const bytes = input.size.width * input.size.height * BYTES_PER_PIXEL;
    return (await pool.run('colorbar', input, { ...ticket, bytes })).output;
  };

/** The job itself, for a thread. */
export const makeColorbarJob =
  (kernels: Kernels) =>
  async ({ plan, size, range }: ColorbarJob) => {
    const rgba = paintColorbar(plan, { size, range });
    const allocate = kernels.begin();
    const rgbaAt = allocate(rgba.length);
    new Uint8Array(kernels.buffer(), rgbaAt, rgba.length).set(rgba);
    const png = encodePng(kernels, allocate, { rgbaAt, ...size, isOpaque: true });
    return withTransfer(png, [png.buffer]);
  };
