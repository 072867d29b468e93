import type { SwathError } from '../../errors.ts';
import { badInput } from '../../errors.ts';
import type { Bounds } from '../../geo/index.ts';
import { outlineBounds } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planAreaWindow } from '../../render/index.ts';
import type { ExportArea } from '../export.ts';

/** The rectangle around an area in longitude and latitude. */
export function toAreaBounds(area: ExportArea): Bounds {
  if (area.kind === 'bounds') return area.bounds;
  const { west, south, east, north } = outlineBounds(area.outline);
  return { minX: west, minY: south, maxX: east, maxY: north };
}

/** The window of an image that a file is cropped to; refuses an area without the centre of a pixel. */
export function requireAreaWindow(grid: GeoreferencedGrid, area: ExportArea): PixelWindow {
  const window = planAreaWindow(grid, toAreaBounds(area));
  if (window !== null) return window;
  throw toOutside();
}

/** The refusal of an area without a pixel. */
export const toOutside = (): SwathError =>
  badInput('area-outside-scene', 'The area lies outside the scene, or between the centres of its pixels.');
