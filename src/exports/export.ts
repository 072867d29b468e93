import type { SwathError } from '../errors.ts';
import type { AreaOutline, Bounds } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { planAreaWindow } from '../render/native/index.ts';
import { badInput } from './errors.ts';

/** What a file is cropped to; pixels whose centre lies outside an outline hold no data. Longitude and latitude. */
export type ExportArea =
  | { readonly kind: 'bounds'; readonly bounds: Bounds }
  | {
      readonly kind: 'outline';
      readonly outline: AreaOutline;
      /** The same as GeoJSON text, where it is known: writing the numbers of a large outline takes 10 ms. */
      readonly json?: string;
    };

/** How a file is to be written. */
export interface ExportRun {
  /** Owner, lane, time limit and signal of the jobs that make it. */
  readonly ticket: Ticket;
  /** Called after each finished block with the number of blocks done so far. */
  onProgress(blocksDone: number): void;
}

/** A file that is planned and not written yet: everything about it that is known without reading a pixel. */
export interface PlannedExport {
  /** With extension, safe for every file system. */
  readonly fileName: string;
  readonly contentType: string;
  /** What the file will take at most, roughly: the caller is told, and quotas count it. */
  readonly estimatedBytes: number;
  /** Blocks of work: what `onProgress` counts up to. */
  readonly blocks: number;
  /**
   * Writes the whole file to a path that does not exist yet; syncing it to disk is left to what publishes it. After a
   * failure, or when the signal of the ticket aborts, nothing is left at the path or next to it.
   */
  write(path: string, run: ExportRun): Promise<void>;
}

/** Plans a file; refuses what is malformed, empty, too large or impossible with the reason. */
export type PlanExport<Order> = (order: Order) => Promise<PlannedExport>;

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
