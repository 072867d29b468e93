import type { BlockImage, SidecarSuffix } from '../formats/block-file/index.ts';
import type { BlockPosition } from '../formats/tiff/index.ts';
import type { Affine } from '../geo/index.ts';
import type { PixelWindow, SampleType } from '../raster/index.ts';
import { bytesPerSample } from '../raster/index.ts';
import { tooLarge } from './errors.ts';

/** One band of a file. */
export interface BandFile {
  /** What the band is called, for messages. */
  readonly band: string;
  readonly href: string;
  readonly bandIndex: number;
  readonly nodata: number | null;
  /** Sidecars that hold pixels of it. */
  readonly sidecars?: readonly SidecarSuffix[];
  /** The state of the opened file, with its sidecars; absent when the catalog does not know it. */
  readonly stamp?: string;
  /** What the catalog states of a file that nobody has opened yet; its header is compared with it. */
  readonly stated?: StatedImage;
}

/** What is recorded of a file's state: its sidecars, and the stamps of the file and then of each sidecar. */
export interface FileState {
  readonly sidecars?: readonly SidecarSuffix[];
  /** Absent or empty when the file has not been opened yet. */
  readonly stamps?: readonly string[];
}

/** The sidecars that reading pixels needs, and the stamp as the opened file will state it together with them. */
export function toOpenedState({
  sidecars = [],
  stamps = [],
}: FileState): Pick<BandFile, 'sidecars' | 'stamp'> {
  // The catalog knows the position; of the sidecars, only overviews are still needed.
  const at = sidecars.indexOf('.ovr');
  const [stamp] = stamps;
  const overviews = at < 0 ? undefined : stamps[1 + at];
  return {
    ...(at < 0 ? {} : { sidecars: ['.ovr'] as const }),
    ...(stamp === undefined ? {} : { stamp: overviews === undefined ? stamp : `${stamp} ${overviews}` }),
  };
}

/** Where an image lies and how large it is. */
export interface PlacedImage {
  /** 0 when the reference system has no code. */
  readonly epsg: number;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  readonly type: SampleType;
}

/** What a record states of an image. */
export interface StatedImage extends PlacedImage {
  readonly bandIndex: number;
  readonly nodata: number | null;
  /** Empty when they are unknown. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
}

interface RecordedImage extends StatedImage {
  readonly href: string;
  readonly lattice?: unknown;
  readonly stamps?: readonly string[];
}

/** Whether an address leads over the network. */
export const isRemoteHref = (href: string): boolean => /^(https?|s3):\/\//.test(href);

/**
 * What must be compared when the file of a record is opened: nothing if the record has the state of the file, because
 * then it was made from its header. Local files get their state with the first look at the disk.
 */
export function toStated(record: RecordedImage): { readonly stated?: StatedImage } {
  const { stamps, bandIndex, nodata, epsg, transform, width, height, type, overviews } = record;
  if (stamps !== undefined || record.lattice !== undefined || !isRemoteHref(record.href)) return {};
  return { stated: { bandIndex, nodata, epsg, transform, width, height, type, overviews } };
}

/** Pixels of one level of a file: 0 is the full image, 1 its first overview. */
export interface LevelWindow {
  readonly level: number;
  readonly window: PixelWindow;
}

/** A window of a band, and the record of the catalog that names its file. */
export interface WindowRequest extends BandFile {
  /** Its name is for messages; blocks of different versions never mix. */
  readonly record: { readonly name: string; readonly version: string };
  readonly read: LevelWindow;
  /** Blocks inside the window are not needed again soon: they are not cached, so that others stay in the cache. */
  readonly isOnce?: boolean;
}

/** The max decoded for one window: about a second's work. */
const MAX_DECODED_BYTES = 256 * 2 ** 20;

/** The blocks that a window touches, row by row. */
export function listBlocks(
  window: PixelWindow,
  { blockWidth, blockHeight }: BlockImage,
  band: number,
): readonly BlockPosition[] {
  const positions: BlockPosition[] = [];
  const [lastX, lastY] = [window.x + window.width - 1, window.y + window.height - 1];
  for (let row = Math.floor(window.y / blockHeight); row <= Math.floor(lastY / blockHeight); row += 1) {
    for (
      let column = Math.floor(window.x / blockWidth);
      column <= Math.floor(lastX / blockWidth);
      column += 1
    ) {
      positions.push({ band, column, row });
    }
  }
  return positions;
}

/** Rows of a block, from its top, that a window needs. */
export const countRows = (
  window: PixelWindow,
  { blockHeight, height }: BlockImage,
  { row }: BlockPosition,
): number =>
  // The last block of an image may be lower than the others.
  Math.min(blockHeight, window.y + window.height - row * blockHeight, height - row * blockHeight);

/** Blocks may hold many bands, and a file may make them as large as it likes. */
export const blockBytes = ({ blockWidth, blockHeight, bandCount, type }: BlockImage): number =>
  blockWidth * blockHeight * bandCount * bytesPerSample[type];

/** A plan knows the window but not the blocks below it: a small file can declare gigabytes of them. */
export function checkCost(count: number, image: BlockImage): void {
  if (count * blockBytes(image) <= MAX_DECODED_BYTES) return;
  throw tooLarge('too-much-to-decode', 'The blocks of this file under the picture are too large to decode.');
}

/** Whether a window lies in an image. */
export const fits = (window: PixelWindow, image: BlockImage): boolean =>
  window.x + window.width <= image.width && window.y + window.height <= image.height;
