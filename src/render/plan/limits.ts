import type { TypedTree } from '../../bandmath/index.ts';
import type { Grid, Size } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import { PLANE_BYTES } from '../../raster/index.ts';
import { toWholeMib } from '../../units.ts';
import { unsupported } from '../errors.ts';
import type { InputPlan, PixelPlan, SharpenPlan } from './render-plan.ts';

/** How much one render, and one sample for a statistic, may take of a thread (docs/operate/limits.md). */
export interface RenderLimits {
  /** Estimated pixel memory of one picture. */
  readonly bytes: number;
  /** Additions of all pixels of a picture together. */
  readonly work: number;
  readonly sample: SampleLimits;
}

/** How much one sample may take of a thread. */
export interface SampleLimits {
  /** Estimated pixel memory. */
  readonly bytes: number;
  /** Additions of all pixels together: expensive expressions are measured on fewer pixels. */
  readonly work: number;
  /** Pixels that all inputs together may read. */
  readonly readPx: number;
  /** Pixels on the longer side of a sample of a scene or an area. */
  readonly sidePx: number;
}

/** The limits of a thread with 256 MiB of pixel memory. */
export const DEFAULT_LIMITS: RenderLimits = {
  bytes: 256 * 2 ** 20,
  // About a second.
  work: 2 ** 30,
  sample: {
    // What a thread has, less what it is reading at the moment.
    bytes: 192 * 2 ** 20,
    // About a quarter of a second.
    work: 2 ** 28,
    // A third of a thread's memory.
    readPx: 16 * 2 ** 20,
    // More pixels make no better percentiles or classes.
    sidePx: 1_024,
  },
};

/** The interpreter takes about this many times as long as compiled code. */
const INTERPRETED = 8;

/** The work of a pixel in additions of compiled code; at least one. */
export const workPerPixel = ({ costPerPixel, needsWindow }: TypedTree): number =>
  Math.max(1, costPerPixel * (needsWindow ? INTERPRETED : 1));

/** Refuses a picture whose expressions would take a thread for too long. */
export function checkWork(tree: TypedTree, { width, height }: Size, { work: maxWork }: RenderLimits): void {
  const work = workPerPixel(tree) * width * height;
  if (work <= maxWork) return;
  throw unsupported(
    'too-expensive',
    `This expression on ${width} × ${height} pixels takes the work of ${work} additions; ${maxWork} is the limit.`,
  );
}

/** RGBA and encoded. */
const PAINTED_BYTES = 4 + 4;

/** The memory of a picture, with `otherBytes` for what else is done to it; refuses what is too much. */
export function estimateBytes(
  pixels: PixelPlan,
  otherBytes: number,
  { bytes: maxBytes }: RenderLimits,
): number {
  const bytes = otherBytes + estimatePlanes(pixels) + pixels.grid.width * pixels.grid.height * PAINTED_BYTES;
  if (bytes <= maxBytes) return bytes;
  throw unsupported(
    'too-expensive',
    `This picture would need ${toWholeMib(bytes)} MiB of pixels; ${toWholeMib(maxBytes)} MiB is the limit.`,
  );
}

/**
 * The pixel memory of computing a plan. A pixel is a float and a mask byte: of each input before and after its warp, and
 * of each expression, with one more mask for what its inputs have in common. Each input counts the work memory of its
 * method: inputs that are warped together share it, inputs with different masks do not.
 */
export function estimatePlanes({ inputs, tree, grid, sharpen }: PixelPlan): number {
  const source = inputs.reduce((sum, input) => sum + inputBytes(input), 0);
  const warped = inputs.reduce((sum, { table }) => sum + PLANE_BYTES + (table === null ? 0 : 4), 0);
  const computed = tree.outputs.length * (PLANE_BYTES + 1);
  // The interpreter has planes of its own, at most one per node, in addition to the inputs with their rules applied.
  const interpreted = tree.needsWindow ? 4 * tree.nodes.length + inputs.length * (PLANE_BYTES + 1) : 0;
  return source + grid.width * grid.height * (warped + computed + interpreted) + sharpenBytes(sharpen, grid);
}

/** Pixels that a warp reads. */
export const countRead = (warp: WarpPlan | null): number =>
  warp === null ? 0 : warp.window.width * warp.window.height;

function inputBytes({ warp, table }: InputPlan): number {
  if (warp === null) return 0;
  return countRead(warp) * (PLANE_BYTES + (table === null ? 0 : 4)) + warp.workBytes;
}

/** Memory of sharpening: the panchromatic band as read, warped and calibrated, and the same of its local mean. */
function sharpenBytes(sharpen: SharpenPlan | undefined, { width, height }: Grid): number {
  const warp = sharpen?.pan.warp;
  if (sharpen === undefined || warp == null) return 0;
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const read = countRead(warp) * PLANE_BYTES + warp.workBytes;
  // Stored numbers are used as they are warped; calibrated ones are computed, with one more mask.
  const computed = sharpen.pan.rule === 'plain' ? 0 : PLANE_BYTES + 1;
  const shown = width * height * (PLANE_BYTES + computed);
  if (low === null) return read + shown;
  const mean = low.grid.width * low.grid.height * PLANE_BYTES;
  return read + mean + low.average.workBytes + low.warp.workBytes + 2 * shown;
}
