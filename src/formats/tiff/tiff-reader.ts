import { isSwathError } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import type { RawDirectory, TagReader } from './directories/directory-reader.ts';
import { makeHeadReader, makeTagReader, readDirectories } from './directories/directory-reader.ts';
import { SUBFILE, TAG } from './directories/tags.ts';
import { toGeoKeyMap } from './georeference/geo-keys.ts';
import type { Georeference } from './georeference/georeference.ts';
import { toGeoreference, toVerticalUnit } from './georeference/georeference.ts';
import type { TiffImage } from './image-reader.ts';
import { readImage, readPalette } from './image-reader.ts';
import type { BandInfo } from './samples/gdal-metadata.ts';
import { parseGdalMetadata, parseNodataText, toStoredNodata } from './samples/gdal-metadata.ts';

/** An opened TIFF; apart from its source it is plain data. */
export interface Tiff extends Georeference {
  readonly source: ByteSource;
  readonly bigTiff: boolean;
  readonly littleEndian: boolean;
  /** Full resolution first, then its smaller copies, largest first. */
  readonly images: readonly [TiffImage, ...TiffImage[]];
  /** Masks of the images, found by size (`maskOf`): one band that is not 0 where the image has data. */
  readonly masks: readonly TiffImage[];
  /** Red, green and blue of each pixel value, one after the other; null when there is no palette. */
  readonly palette: Uint8Array | null;
  /** In the type of the pixels; null when there is none, or none that a pixel of this type can have. */
  readonly nodata: number | null;
  readonly bands: readonly BandInfo[];
  /** EPSG code of the unit of heights, as the georeference says it; null when it does not. */
  readonly verticalUnit: number | null;
}

/** The mask that belongs to an image: the one of its size; null when the file has none for it. */
export function maskOf(tiff: Tiff, image: TiffImage): TiffImage | null {
  return tiff.masks.find(({ width, height }) => width === image.width && height === image.height) ?? null;
}

/** Reads the directories of a TIFF, everything that is needed to find and decode blocks later. */
export async function openTiff(source: ByteSource, signal?: AbortSignal): Promise<Tiff> {
  const head = makeHeadReader(source, signal);
  const { littleEndian, bigTiff, directories } = await readDirectories(head);
  const read = makeTagReader(head, littleEndian);
  const first = directories[0]!;
  const { main, nodata } = await readMain(read, first, littleEndian);
  const overviews: TiffImage[] = [];
  const masks: TiffImage[] = [];
  for (const directory of directories.slice(1)) {
    const kind = await read.count(directory, TAG.newSubfileType, 0);
    if ((kind & SUBFILE.mask) !== 0) {
      const mask = await readOtherImage(read, directory, { littleEndian, emptyValue: 0 });
      if (mask?.bandCount === 1) masks.push(mask);
    } else if ((kind & SUBFILE.reduced) !== 0) {
      const overview = await readOtherImage(read, directory, main);
      if (overview !== null && isOverview(overview, main)) overviews.push(overview);
    }
  }
  overviews.sort(bySize);
  masks.sort(bySize);
  const metadata = (await read.text(first, TAG.gdalMetadata)) ?? '';
  return {
    source,
    bigTiff,
    littleEndian,
    masks,
    nodata,
    ...(await readGeoreference(read, first)),
    images: [main, ...overviews],
    palette: await readPalette(read, first, main),
    bands: parseGdalMetadata(metadata, main.bandCount),
  };
}

/** The main image, which knows what its nodata value is. */
async function readMain(read: TagReader, directory: RawDirectory, littleEndian: boolean) {
  const image = await readImage(read, directory, { littleEndian, emptyValue: 0 });
  const stated = parseNodataText((await read.text(directory, TAG.gdalNodata)) ?? '');
  const nodata = stated === null ? null : toStoredNodata(stated, image.type);
  return { main: { ...image, emptyValue: nodata ?? 0 }, nodata };
}

/** An image other than the main one; null when it cannot be read, as if it were not there. Damage is an error in all. */
async function readOtherImage(
  read: TagReader,
  directory: RawDirectory,
  how: Pick<TiffImage, 'littleEndian' | 'emptyValue'>,
): Promise<TiffImage | null> {
  try {
    return await readImage(read, directory, how);
  } catch (error) {
    if (isSwathError(error) && error.tag === 'unsupported') return null;
    throw error;
  }
}

/** True for a smaller copy: fewer pixels of the same kind. Thumbnails of another type do not count. */
const isOverview = (image: TiffImage, main: TiffImage): boolean =>
  image.width <= main.width &&
  image.height <= main.height &&
  image.width * image.height < main.width * main.height &&
  image.type === main.type &&
  image.bandCount === main.bandCount;

const bySize = (a: TiffImage, b: TiffImage): number => b.width * b.height - a.width * a.height;

/** Longest list of model tags or geo keys; GDAL's own files have some dozens. */
const MAX_GEO_VALUES = 65_536;

async function readGeoreference(read: TagReader, directory: RawDirectory) {
  const doubles = async (tag: number) => [...((await read.doubles(directory, tag, MAX_GEO_VALUES)) ?? [])];
  const tags = {
    geoKeys: [...((await read.counts(directory, TAG.geoKeyDirectory, MAX_GEO_VALUES)) ?? [])],
    geoDoubles: await doubles(TAG.geoDoubles),
    scale: await doubles(TAG.modelPixelScale),
    tiepoint: await doubles(TAG.modelTiepoint),
    matrix: await doubles(TAG.modelTransformation),
  };
  const verticalUnit = toVerticalUnit(toGeoKeyMap(tags.geoKeys, tags.geoDoubles));
  return { ...toGeoreference(tags), verticalUnit };
}

/** One resolution of an image, and the file to read it from. */
export interface TiffLevel {
  readonly tiff: Tiff;
  readonly image: TiffImage;
}

/**
 * The resolutions of an image that may have its smaller copies in a file of their own (`.ovr`), full resolution first.
 * Copies inside the image's file go before, as in GDAL; copies of another kind of pixels are left out. The file of
 * overviews need not repeat what the pixels mean: they are read with the nodata value of the image.
 */
export function joinOverviews(tiff: Tiff, overviews: Tiff | null): TiffLevel[] {
  const own = tiff.images.map((image) => ({ tiff, image }));
  if (overviews === null || own.length > 1) return own;
  const [main] = tiff.images;
  const isSmaller = ({ width, height }: TiffImage) =>
    width <= main.width && height <= main.height && width * height < main.width * main.height;
  const images = overviews.images
    .filter((image) => isSmaller(image) && image.type === main.type && image.bandCount === main.bandCount)
    .map((image) => ({ ...image, emptyValue: main.emptyValue }));
  const [first, ...more] = images;
  if (first === undefined) return own;
  const joined: Tiff = { ...overviews, images: [first, ...more], nodata: tiff.nodata };
  return [...own, ...joined.images.map((image) => ({ tiff: joined, image }))];
}
