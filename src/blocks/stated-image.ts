/** Files that nobody has opened yet: what their records state, and whether the header agrees when one is opened. */
import type { BlockFile } from '../formats/block-file/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import type { Affine } from '../geo/index.ts';
import { applyAffine } from '../geo/index.ts';
import type { SampleType } from '../raster/index.ts';
import type { OpenSource } from '../sources/index.ts';
import { SCENE_FILES } from '../sources/index.ts';
import { sourceBroken } from './errors.ts';

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

/**
 * Refuses a file that is not what its record states: its pixels would be drawn in the wrong place, or as the wrong
 * values. The record is then made again from the header, as after a change of the file.
 */
export function checkStated(file: BlockFile, stated: StatedImage | undefined): void {
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
