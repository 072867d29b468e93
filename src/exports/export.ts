import type { SwathError } from '../errors.ts';
import type { AreaOutline, Bounds, Grid } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import type { PlannedMosaic } from '../mosaic/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { PlannedPicture } from '../render/index.ts';
import type { PixelPlan } from '../render/native/index.ts';
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
  /** Says what it is made of, for explanations; reads no pixel. */
  describe(): Promise<ExportContent>;
  /**
   * Writes the whole file to a path that does not exist yet; syncing it to disk is left to what publishes it. After a
   * failure, or when the signal of the ticket aborts, nothing is left at the path or next to it.
   */
  write(path: string, run: ExportRun): Promise<void>;
}

/** What a file is made of: plans, by which nothing is read yet. */
export type ExportContent =
  /** Pixels of a scene: of each image, all that is read. */
  | { readonly kind: 'pixels'; readonly images: readonly ImageContent[] }
  /** A picture of a scene, and one of its tiles. */
  | { readonly kind: 'picture'; readonly grid: Grid; readonly tile: PlannedPicture }
  /** A mosaic, and the block in its middle. */
  | { readonly kind: 'mosaic'; readonly grid: Grid; readonly block: PlannedMosaic };

/** An image of a file. */
export interface ImageContent {
  readonly bands: string;
  readonly plan: PixelPlan;
  /** Whether its numbers are those of the scene's files, and not computed. */
  readonly isStored: boolean;
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

/** Characters of a whole file name, with its extension. */
const MAX_CHARS = 120;
/** Bytes of a name on common file systems, less some for what a browser adds to a second download. */
const MAX_BYTES = 240;

/**
 * A text as a part of a file name: letters, digits and what every file system and shell archive accepts. Spaces become
 * underscores and all other characters hyphens; it never begins or ends with a dot.
 */
export function toSafeName(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replaceAll(/\s+/gu, '_')
    .replaceAll(/[^\p{L}\p{M}\p{N}._()+,=-]/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^\.+|\.+$/g, '');
}

/** What a file is named by. */
interface NamedFile {
  readonly viewId: string;
  /** The caller's own name for what is in it; null or empty for none. */
  readonly nameAlias: string | null;
  /** Bands or expressions: the name when there is no alias. */
  readonly combination: string;
  /** Without the dot. */
  readonly extension: string;
}

/** `<scene>_<combination>.<extension>`, cut to a length that file systems take. */
export function toFileName({ viewId, nameAlias, combination, extension }: NamedFile): string {
  const scene = toSafeName(viewId.replaceAll('/', '-'));
  const alias = toSafeName(nameAlias ?? '');
  const end = `.${toSafeName(extension)}`;
  const name = `${scene}_${alias === '' ? toSafeName(combination) : alias}`;
  return `${cutName(name, MAX_CHARS - end.length, MAX_BYTES - Buffer.byteLength(end))}${end}`;
}

/** The beginning of a name, without half characters. */
function cutName(name: string, maxChars: number, maxBytes: number): string {
  let [chars, bytes, taken] = [0, 0, ''];
  for (const character of name) {
    chars += character.length;
    bytes += Buffer.byteLength(character);
    if (chars > maxChars || bytes > maxBytes) break;
    taken += character;
  }
  return taken.replaceAll(/\.+$/g, '');
}
