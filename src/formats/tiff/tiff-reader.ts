import { isSwathError } from '../../errors.ts';
import type { Affine } from '../../geo/index.ts';
import type { ByteSource } from '../../storage/index.ts';
import type { RawDirectory } from './directory-reader.ts';
import { readDirectories } from './directory-reader.ts';
import type { BandInfo } from './gdal-metadata.ts';
import { parseGdalMetadata } from './gdal-metadata.ts';
import { toGeoreference } from './georeference.ts';
import { makeHeadReader } from './head-reader.ts';
import type { TiffImage } from './image-reader.ts';
import { readImage } from './image-reader.ts';
import { parseNodataText, toStoredNodata } from './nodata.ts';
import type { TagReader } from './tag-reader.ts';
import { makeTagReader } from './tag-reader.ts';
import { SUBFILE, TAG } from './tags.ts';

/** An opened TIFF; apart from its source it is plain data. */
export interface Tiff {
  readonly source: ByteSource;
  readonly bigTiff: boolean;
  readonly littleEndian: boolean;
  /** Full resolution first, then its smaller copies, largest first. */
  readonly images: readonly [TiffImage, ...TiffImage[]];
  /** Sizes of the mask directories; their pixels are not read. */
  readonly masks: readonly { readonly width: number; readonly height: number }[];
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  /** As pixels hold it; null when there is none, or none that a pixel of this type can have. */
  readonly nodata: number | null;
  readonly bands: readonly BandInfo[];
}

/** Longest list of model tags or geo keys; GDAL's own files have some dozens. */
const MAX_GEO_VALUES = 65_536;

async function readPlace(read: TagReader, directory: RawDirectory) {
  const doubles = async (tag: number) => [...((await read.doubles(directory, tag, MAX_GEO_VALUES)) ?? [])];
  return toGeoreference({
    geoKeys: [...((await read.counts(directory, TAG.geoKeyDirectory, MAX_GEO_VALUES)) ?? [])],
    scale: await doubles(TAG.modelPixelScale),
    tiepoint: await doubles(TAG.modelTiepoint),
    matrix: await doubles(TAG.modelTransformation),
  });
}

/**
 * A smaller copy we can use: fewer pixels of the same kind. Thumbnails in another type or codec are left out, as if
 * they were not there; damage is damage in any directory.
 */
async function readOverview(
  read: TagReader,
  directory: RawDirectory,
  main: TiffImage,
): Promise<TiffImage | null> {
  try {
    const image = await readImage(read, directory, main.littleEndian);
    const isSmaller =
      image.width <= main.width &&
      image.height <= main.height &&
      image.width * image.height < main.width * main.height;
    return isSmaller && image.type === main.type && image.bandCount === main.bandCount ? image : null;
  } catch (error) {
    if (isSwathError(error) && error.tag === 'unsupported') return null;
    throw error;
  }
}

/** Reads the directories of a TIFF, everything that is needed to find and decode blocks later. */
export async function openTiff(source: ByteSource, signal?: AbortSignal): Promise<Tiff> {
  const head = makeHeadReader(source, signal);
  const { littleEndian, bigTiff, directories } = await readDirectories(head);
  const read = makeTagReader(head, littleEndian);
  const first = directories[0]!;
  const main = await readImage(read, first, littleEndian);
  const overviews: TiffImage[] = [];
  const masks: { width: number; height: number }[] = [];
  for (const directory of directories.slice(1)) {
    const kind = await read.count(directory, TAG.newSubfileType, 0);
    if ((kind & SUBFILE.mask) !== 0) {
      const width = await read.count(directory, TAG.imageWidth, null);
      masks.push({ width, height: await read.count(directory, TAG.imageLength, null) });
    } else if ((kind & SUBFILE.reduced) !== 0) {
      const overview = await readOverview(read, directory, main);
      if (overview !== null) overviews.push(overview);
    }
  }
  overviews.sort((a, b) => b.width * b.height - a.width * a.height);
  const stated = parseNodataText((await read.text(first, TAG.gdalNodata)) ?? '');
  const metadata = (await read.text(first, TAG.gdalMetadata)) ?? '';
  return {
    ...{ source, bigTiff, littleEndian, masks },
    ...(await readPlace(read, first)),
    images: [main, ...overviews],
    nodata: stated === null ? null : toStoredNodata(stated, main.type),
    bands: parseGdalMetadata(metadata, main.bandCount),
  };
}
