import { makeSingleFlight } from '../async/index.ts';
import { isSwathError, SwathError } from '../errors.ts';
import type { BlockFile, BlockImage, SidecarSuffix } from '../formats/block-file/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import type { BlockPosition } from '../formats/tiff/index.ts';
import type { Affine } from '../geo/index.ts';
import { applyAffine } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { PixelWindow, SampleType } from '../raster/index.ts';
import { bytesPerSample } from '../raster/index.ts';
import type { ByteSource, OpenSource } from '../sources/index.ts';
import { SCENE_FILES } from '../sources/index.ts';
import type { FileKey } from './cache/cached-block.ts';
import { toFileKey } from './cache/cached-block.ts';
import { sourceBroken, tooLarge } from './errors.ts';

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

/** An opened file, and which of its blocks were once decoded to their end, where the checksum is. */
export interface VerifiedFile {
  readonly file: BlockFile;
  readonly verified: Set<string>;
}

/** An opened file and its key in the cache. */
interface OpenedFile extends VerifiedFile {
  readonly key: FileKey;
  /** The file itself, without its sidecar. */
  readonly main: ByteSource;
}

/**
 * Opens the file of an image. With `known`, a file that another thread has open is enough if it is in the state that the
 * catalog knows, or if the catalog knows none.
 */
export type OpenImage = OpenSource;

/** Image files that are open, with their headers. */
export interface OpenFiles {
  open(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile>;
  /** The next caller opens it again: it may be fixed or replaced under its name. */
  forget(request: WindowRequest): void;
}

interface OpenFilesDeps {
  readonly open: OpenImage;
  readonly jp2Decoder: Jp2Decoder;
  readonly maxFiles?: number;
}

/** Files held open in one thread; each has a descriptor and its block index. */
const MAX_OPEN_FILES = 64;

/** Builds the cache of open files of one thread. A failure is never cached. */
export function makeOpenFiles({ open, jp2Decoder, maxFiles = MAX_OPEN_FILES }: OpenFilesDeps): OpenFiles {
  const files = makeLru<OpenedFile>({ max: maxFiles, onDrop: ({ file }) => void file.source.close() });
  const opening = makeSingleFlight<OpenedFile>();
  /** Names of files that failed: the sources of other threads may be wrong too. */
  const suspects = new Set<string>();

  async function openAnew(request: WindowRequest, signal: AbortSignal): Promise<OpenedFile> {
    const { stamp } = request;
    const isSuspect = suspects.delete(toFileName(request));
    const { href, sidecars: suffixes = [] } = request;
    const openStamped: OpenSource = (name, stop) => open(name, stop, isSuspect ? undefined : { stamp });
    const source = await openStamped(href, signal);
    try {
      const sidecars = { href, suffixes, open: openStamped };
      const file = await openBlockFile(source, { jp2Decoder, signal, sidecars });
      try {
        checkStamp(file.source.version, stamp);
        checkStated(file, request.stated);
      } catch (error) {
        // Closes its sidecar too.
        await file.source.close();
        throw error;
      }
      // The version is that of the opened bytes: blocks of a replaced file never mix with those of the new one.
      const key = toFileKey([request.record.version, href, file.source.version]);
      const opened = { file, key, main: source, verified: new Set<string>() };
      files.set(toFileName(request), opened);
      return opened;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  return {
    async open(request, signal) {
      const name = toFileName(request);
      const start = ({ signal: shared }: { readonly signal: AbortSignal }) => openAnew(request, shared);
      const known = files.get(name);
      // Its blocks may be in the cache, so no read would notice.
      const isLost = known?.file.source.isLost?.() === true;
      // It is opened again: it may have been put back, or replaced.
      if (isLost) forget(request);
      return known === undefined || isLost ? (await opening.run({ key: name, signal, start })).value : known;
    },
    forget,
  };

  function forget(request: WindowRequest): void {
    const name = toFileName(request);
    files.delete(name);
    if (suspects.size >= maxFiles) suspects.clear();
    suspects.add(name);
  }
}

/** A scene that changed is another file, whatever it is called; so is one opened with other sidecars. */
export const toFileName = ({ record, href, sidecars = [] }: WindowRequest): string =>
  `${record.version} ${sidecars.join('')} ${href}`;

/** The level that a window is read from; refuses a file that does not have the window. */
export function levelOf(
  { levels }: Pick<BlockFile, 'levels'>,
  { bandIndex, read }: WindowRequest,
): BlockImage {
  const image = levels[read.level];
  if (image !== undefined && bandIndex < image.bandCount && fits(read.window, image)) return image;
  throw sourceBroken.about('source-differs', '{file} is not what the catalog says it is.', {
    subject: SCENE_FILES,
  });
}

/**
 * Refuses a file that differs from the one its plan was made for: its pixels would be sent under the ETag of the other.
 * The thread that planned then updates the catalog and plans again.
 */
export function checkStamp(version: string, stamp: string | undefined): void {
  if (stamp === undefined || version === stamp) return;
  throw sourceBroken.about('source-changed', '{file} was replaced.', { subject: SCENE_FILES });
}

/**
 * Refuses a file that is not what its record states: its pixels would be drawn in the wrong place, or as the wrong
 * values. The record is then made again from the header, as after a change of the file.
 */
function checkStated(file: BlockFile, stated: StatedImage | undefined): void {
  if (stated === undefined || isAsStated(file, stated)) return;
  throw sourceBroken.about('source-changed', '{file} is not what the catalog says it is.', {
    subject: SCENE_FILES,
  });
}

/** The same for a file that its caller has not opened as an image. */
export async function checkStatedFile(
  href: string,
  stated: StatedImage | undefined,
  deps: { readonly open: OpenSource; readonly jp2Decoder: Jp2Decoder; readonly signal?: AbortSignal },
): Promise<void> {
  if (stated === undefined) return;
  const source = await deps.open(href, deps.signal);
  try {
    checkStated(await openBlockFile(source, deps), stated);
  } finally {
    await source.close();
  }
}

function isAsStated({ levels, epsg, transform, nodata }: BlockFile, stated: StatedImage): boolean {
  const [{ width, height, type, bandCount }, ...overviews] = levels;
  if (stated.bandIndex >= bandCount) return false;
  if (nodata !== null && !Number.isNaN(nodata) && nodata !== stated.nodata) return false;
  const isListed =
    stated.overviews.length === 0 ||
    (stated.overviews.length === overviews.length &&
      stated.overviews.every(
        (one, i) => one.width === overviews[i]?.width && one.height === overviews[i].height,
      ));
  // The metadata of a product may place files that say nothing themselves, or define a system in other words.
  const found = {
    width,
    height,
    type,
    epsg: epsg === null || stated.epsg === 0 ? stated.epsg : epsg,
    transform: transform ?? stated.transform,
  };
  return isListed && isSameImage(found, stated);
}

/** Items give coordinates with fewer digits than files do. */
const SAME_PX = 0.1;

/** Whether two images have the same size, type and place. */
export function isSameImage(one: PlacedImage, other: PlacedImage): boolean {
  const { width, height, type } = one;
  if (width !== other.width || height !== other.height || type !== other.type) return false;
  if (one.epsg !== other.epsg) return false;
  const pixel = Math.max(...[1, 2, 4, 5].map((i) => Math.abs(one.transform[i] as number)));
  return [
    [0, 0],
    [width, 0],
    [0, height],
  ].every(([column = 0, row = 0]) => {
    const [x, y] = applyAffine(one.transform, column, row);
    const [otherX, otherY] = applyAffine(other.transform, column, row);
    return Math.hypot(x - otherX, y - otherY) <= SAME_PX * pixel;
  });
}

/**
 * Whether a source is in the state that a catalog knows. A stamp names the state of the file and, after a space, that of
 * its sidecar; the source may be either.
 */
export const isInState = (version: string, stamp: string | null): boolean =>
  stamp === null || stamp === version || stamp.startsWith(`${version} `) || stamp.endsWith(` ${version}`);

/** Adds scene, band and block to the details for the log; the message for the user stays unchanged. */
export function nameFault(error: unknown, where: string): Error {
  if (isSwathError(error)) {
    return new SwathError(error.tag, error.code, error.message, {
      cause: error,
      template: error.template,
      details: { ...error.details, where },
    });
  }
  return new Error(`reading ${where}`, { cause: error });
}
