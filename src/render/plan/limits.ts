import type { TypedTree } from '../../bandmath/index.ts';
import { unsupported } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import { toWholeMib } from '../../units.ts';
import { estimatePlanes } from './estimate-planes.ts';
import type { PixelPlan } from './pixel-plan.ts';

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
/** RGBA and encoded. */
const PAINTED_BYTES = 4 + 4;

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
