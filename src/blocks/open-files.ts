import { makeSingleFlight } from '../async/index.ts';
import { isSwathError, SwathError } from '../errors.ts';
import type { BlockFile, BlockImage } from '../formats/block-file/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import { applyAffine } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { ByteSource, OpenSource } from '../sources/index.ts';
import { SCENE_FILES } from '../sources/index.ts';
import type { FileKey } from './cache/cached-block.ts';
import { toFileKey } from './cache/cached-block.ts';
import { sourceBroken } from './errors.ts';
import type { PlacedImage, StatedImage, WindowRequest } from './window-request.ts';
import { fits } from './window-request.ts';

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
    const isSuspect = suspects.delete(toName(request));
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
      files.set(toName(request), opened);
      return opened;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  return {
    async open(request, signal) {
      const name = toName(request);
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
    const name = toName(request);
    files.delete(name);
    if (suspects.size >= maxFiles) suspects.clear();
    suspects.add(name);
  }
}

/** A scene that changed is another file, whatever it is called; so is one opened with other sidecars. */
const toName = ({ record, href, sidecars = [] }: WindowRequest): string =>
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
