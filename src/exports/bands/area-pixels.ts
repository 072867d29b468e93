import { rasterizeArea } from '../../areas/index.ts';
import { cancelled } from '../../errors.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobContext } from '../../pool/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { cropGrid } from '../../render/index.ts';

/** Whether any pixel of a grid has its centre in an area. */
export interface AreaJob {
  readonly outline: AreaOutline;
  readonly grid: GeoreferencedGrid;
}

/** Pixels that are looked at in one go: a mask of that many bytes. */
const STRIP_PIXELS = 2 ** 20;

/** Looks strip by strip, from the middle outwards: most areas are found with the first. */
export function hasAreaPixels({ outline, grid }: AreaJob, context: Pick<JobContext, 'cancelled'>): boolean {
  const { width, height } = grid;
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const count = Math.ceil(height / rows);
  const middle = count >> 1;
  const strips = Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  return strips.some((strip) => {
    if (context.cancelled())
      throw cancelled('cancelled', 'The work was stopped: no one waits for it any more.');
    const y = strip * rows;
    const window = { x: 0, y, width, height: Math.min(rows, height - y) };
    return rasterizeArea(outline, cropGrid(grid, window)).includes(1);
  });
}
