import type { TypedTree } from '../bandmath/index.ts';
import { unsupported } from '../errors.ts';
import type { Size } from '../geo/index.ts';
import { PLANE_BYTES } from '../raster/index.ts';
import { sharpenBytes } from './pansharpening/index.ts';
import type { InputPlan, PixelPlan } from './plan.ts';

/** Pixel memory one render may be estimated to need (docs/operate.md, "Limits"). */
const MAX_RENDER_BYTES = 256 * 1024 * 1024;
/** Additions of all pixels together: about a second's work. */
const MAX_WORK = 2 ** 30;
/** The interpreter needs about so many times as long as compiled code. */
const INTERPRETED = 8;

/** The work of a pixel in additions of compiled code; at least one. */
export const workPerPixel = ({ costPerPixel, needsWindow }: TypedTree): number =>
  Math.max(1, costPerPixel * (needsWindow ? INTERPRETED : 1));

/** Refuses a picture whose expressions would take a thread for too long. */
export function checkWork(tree: TypedTree, { width, height }: Size): void {
  const work = workPerPixel(tree) * width * height;
  if (work <= MAX_WORK) return;
  throw unsupported(
    'too-dear',
    `This expression on ${width} × ${height} pixels takes the work of ${work} additions; ${MAX_WORK} is the limit.`,
  );
}

/** The memory of a picture, and of what else is done to it, refused when it is too much. */
export function estimateBytes(pixels: PixelPlan, besideBytes = 0): number {
  const bytes = besideBytes + estimatePlanes(pixels) + pixels.grid.width * pixels.grid.height * PAINTED_BYTES;
  if (bytes <= MAX_RENDER_BYTES) return bytes;
  throw unsupported(
    'too-dear',
    `This picture would need ${Math.ceil(bytes / 2 ** 20)} MiB of pixels; 256 MiB is the limit.`,
  );
}

/** RGBA and encoded. */
const PAINTED_BYTES = 4 + 4;

/**
 * A pixel is held as float and mask: of each input before and after its warp, and of each expression, with one mask more
 * for what its inputs have in common. Each input counts the work memory of its method: those that are warped together
 * share it, those of different masks do not.
 */
export function estimatePlanes({ inputs, tree, grid, sharpen }: PixelPlan): number {
  const source = inputs.reduce((sum, input) => sum + sourceBytes(input), 0);
  const warped = inputs.reduce((sum, { table }) => sum + PLANE_BYTES + (table === null ? 0 : 4), 0);
  const computed = tree.outputs.length * (PLANE_BYTES + 1);
  // The interpreter keeps planes of its own, at most one a node, beside the inputs with their rules applied.
  const interpreted = tree.needsWindow ? 4 * tree.nodes.length + inputs.length * (PLANE_BYTES + 1) : 0;
  return source + grid.width * grid.height * (warped + computed + interpreted) + sharpenBytes(sharpen, grid);
}

function sourceBytes({ warp, table }: InputPlan): number {
  if (warp === null) return 0;
  const { width, height } = warp.window;
  return width * height * (PLANE_BYTES + (table === null ? 0 : 4)) + warp.workBytes;
}
