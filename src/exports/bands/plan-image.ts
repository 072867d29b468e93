import type { BandFile } from '../../blocks/index.ts';
import { toOpenedState, toStated } from '../../blocks/index.ts';
import type { Asset } from '../../catalog/index.ts';
import type { StoredFile } from '../../formats/block-file/index.ts';
import type { CogOptions, CopiedBand, CopyOptions } from '../../formats/cog/index.ts';
import { planCopiedCog, planCopiedMain } from '../../formats/cog/index.ts';
import type { BandInfo, TiffImage } from '../../formats/tiff/index.ts';
import { isStorableCode } from '../../formats/tiff/index.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { PixelType, PixelWindow } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { sourceBroken } from '../errors.ts';
import { toGeoreference } from '../georeference.ts';
import type { TopJobs } from '../write-cog.ts';
import type { BandsJobs } from './bands-jobs.ts';
import type { ChosenBand } from './choose-bands.ts';
import { toCopiedImage, toOriginalImage } from './copied-image.ts';
import { toEncodedImage, toJp2Image } from './encoded-image.ts';
import type { PlannedImage } from './planned-image.ts';
import type { StoredPixels } from './read-pixels.ts';

/** Bands that become one file. */
interface ImageRequest {
  readonly bands: readonly [ChosenBand, ...ChosenBand[]];
  /** The files of the bands, in their order. */
  readonly files: readonly StoredFile[];
  /** The record of the scene. */
  readonly record: StoredPixels['record'];
  /** The pixels that are wanted. */
  readonly window: PixelWindow;
  /** The georeference of those pixels. */
  readonly grid: GeoreferencedGrid;
  /** Pixels outside hold no data; null for all. */
  readonly outline: AreaOutline | null;
  /** `jp2`: always where that is possible; `original`: where the file of the band is one and all of it is wanted. */
  readonly jp2: 'always' | 'original' | 'never';
}

/** Runs the jobs of an image. */
export type ImagePool = JobRunner<BandsJobs & TopJobs>;

/** Decides how a file of bands is made: the original, copied blocks, or pixels that are encoded again. */
export function planImage(request: ImageRequest, pool: ImagePool): PlannedImage {
  const { bands, files, window, grid } = request;
  for (const [i, { asset }] of bands.entries()) checkFile(asset, files[i]!);
  const jp2 = planJp2(request, pool);
  if (jp2 !== null) return jp2;
  const type = toCommonType(bands);
  const nodata = planNodata(request);
  const said: CopyOptions = {
    ...toGeoreference(grid, files[0]!, window),
    nodata,
    bands: toBandInfos(request),
  };
  const copyable = findCopyable(request);
  const copy = copyable === null ? null : planCopy(request, copyable, said, pool);
  if (copy !== null) return copy;
  const main = copyable === null ? null : planCopiedMain(copyable, window);
  const isQuality = bands.some(({ band }) => band.kind === 'quality');
  const options: CogOptions = {
    ...said,
    width: grid.width,
    height: grid.height,
    bandCount: bands.length,
    type,
    compression: 'steady-deflate',
    predictor: type === 'float32' ? 3 : 2,
    interleave: 'band',
    padding: 'flat',
    // classes and flags have no mean
    overviewMethod: isQuality ? 'nearest' : 'average',
    ...main?.options,
  };
  // all smaller copies together are a third
  const estimatedBytes = Math.ceil((estimateStoredBytes(bands, files, window) * 4) / 3);
  const stored =
    main === null || copyable === null
      ? null
      : { blocks: main.blocks, files: copyable.map(({ file }) => file.bytes) };
  return toEncodedImage(options, toStoredPixels(request, nodata), { pool, estimatedBytes, stored });
}

const isWhole = ({ bands, window }: ImageRequest): boolean => {
  const { width, height } = bands[0].asset;
  return window.width === width && window.height === height;
};

/** Refuses a file that is not the one of the record: its plan would be wrong. */
function checkFile({ bandIndex, width, height, type }: Asset, file: StoredFile): void {
  if (file.format === 'jp2') return;
  const { image } = file.levels[0]!;
  const isAlike =
    image.width === width && image.height === height && image.type === type && bandIndex < image.bandCount;
  if (!isAlike)
    throw sourceBroken('source-differs', 'A file of this scene is not what the catalog says it is.');
}

/** What the file says of each band; its name is ours, so that bands of a merged file can be told apart. */
const toBandInfos = ({ bands, files }: ImageRequest): Partial<BandInfo>[] =>
  bands.map(({ band, asset }, i) => {
    const file = files[i]!;
    const stated = file.format === 'tiff' ? file.bands[asset.bandIndex] : undefined;
    return { ...stated, description: band.name };
  });

const toBandFile = ({ band, asset }: ChosenBand): BandFile => ({
  band: band.name,
  href: asset.href,
  bandIndex: asset.bandIndex,
  nodata: asset.nodata,
  ...toOpenedState(asset),
  ...toStated(asset),
});

/** The nodata value of the file: where pixels are filled, they must be told from data. */
function planNodata({ bands, files, outline }: ImageRequest): number | null {
  const isFilled = outline !== null || files.some((file) => file.format === 'tiff' && file.isMasked);
  return toCommonNodata(bands) ?? (isFilled ? 0 : null);
}

function toStoredPixels(request: ImageRequest, nodata: number | null): StoredPixels {
  const { bands, record, window, outline, grid } = request;
  return {
    record,
    bands: bands.map(toBandFile),
    type: toCommonType(bands),
    window,
    outside: outline === null ? null : { outline, grid },
    fill: nodata ?? 0,
  };
}

/** A band whose blocks may be copied. */
interface CopyableBand extends CopiedBand {
  readonly file: Extract<StoredFile, { readonly format: 'tiff' }>;
}

/** The bands with their blocks; null if the pixels differ from what the blocks hold, or if a file is not a TIFF. */
function findCopyable({ bands, files, outline }: ImageRequest): readonly CopyableBand[] | null {
  const copyable: CopyableBand[] = [];
  for (const [i, file] of files.entries()) {
    if (outline !== null || file.format !== 'tiff' || file.isMasked) return null;
    copyable.push({ levels: file.levels, band: bands[i]!.asset.bandIndex, file });
  }
  return copyable;
}

/** All levels copied; null when they cannot be. */
function planCopy(
  request: ImageRequest,
  copyable: readonly CopyableBand[],
  options: CopyOptions,
  pool: ImagePool,
): PlannedImage | null {
  const cog = isWhole(request) ? planCopiedCog(copyable, options) : null;
  if (cog === null || !cog.hasOverviews) return null;
  const bytes = copyable.map(({ file }) => ({ image: file.bytes, overviews: file.overviewBytes }));
  return toCopiedImage(cog, bytes, pool);
}

/** The one band as a JP2 file; null when it cannot or need not be one. */
function planJp2(request: ImageRequest, pool: ImagePool): PlannedImage | null {
  const { bands, files, window, grid, outline, jp2 } = request;
  const [file] = files as [StoredFile];
  if (bands.length > 1 || jp2 === 'never') return null;
  if (file.format === 'jp2' && file.bandCount === 1 && isWhole(request) && outline === null) {
    return toOriginalImage(file.bytes, 'jp2', pool);
  }
  const { type } = bands[0].asset;
  const isPossible =
    (type === 'uint8' || type === 'uint16') &&
    grid.proj == null &&
    grid.lattice == null &&
    isStorableCode(grid.epsg);
  if (jp2 !== 'always' || !isPossible) return null;
  const { width, height, epsg, transform } = grid;
  const estimatedBytes = estimateStoredBytes(bands, files, window);
  const pixels = toStoredPixels(request, bands[0].asset.nodata);
  return toJp2Image({ width, height, epsg, transform }, pixels, { pool, estimatedBytes });
}

/** The smallest type that holds every number of both: floats of 32 bits hold all integers of 16. */
function widen(one: PixelType, other: PixelType): PixelType {
  if (one === other) return one;
  if (one === 'float32' || other === 'float32') return 'float32';
  if (one === 'uint8') return other;
  if (other === 'uint8') return one;
  return 'float32';
}

/** The type of a file of these bands: no number changes. */
const toCommonType = (bands: readonly ChosenBand[]): PixelType =>
  bands.map(({ asset }) => asset.type).reduce(widen);

/** The one value of a list without nulls; null when it has none or several. */
function toOnly(values: readonly (number | null)[]): number | null {
  const stated = values.filter((value) => value !== null);
  return stated.length > 0 && stated.every((value) => Object.is(value, stated[0])) ? stated[0]! : null;
}

/**
 * The nodata value of a file of these bands: a TIFF has one for all. Where they differ, that of the measured bands
 * counts (quality bands of Landsat have another); pixels never change because of it.
 */
function toCommonNodata(bands: readonly ChosenBand[]): number | null {
  const all = toOnly(bands.map(({ asset }) => asset.nodata));
  if (all !== null) return all;
  return toOnly(bands.filter(({ band }) => band.kind !== 'quality').map(({ asset }) => asset.nodata));
}

/** Our encoder and that of the file may differ by this much. */
const ENCODER_SHARE = 1.25;

/** Stored bytes of the blocks of a band under a window; a block of several bands counts in equal parts. */
function countStored(image: TiffImage, band: number, { x, y, width, height }: PixelWindow): number {
  const { blockWidth, blockHeight, blocksAcross, blocksDown, blockSizes, interleave, bandCount } = image;
  const first = interleave === 'band' ? band * blocksAcross * blocksDown : 0;
  let [bytes, pixels] = [0, 0];
  for (let row = Math.floor(y / blockHeight); row * blockHeight < y + height; row++) {
    for (let column = Math.floor(x / blockWidth); column * blockWidth < x + width; column++) {
      bytes += blockSizes[first + row * blocksAcross + column]!;
      pixels += blockWidth * blockHeight;
    }
  }
  // blocks at the edges of the window count by the part that is wanted
  const share = (width * height) / pixels;
  return (bytes * Math.min(1, share)) / (interleave === 'band' ? 1 : bandCount);
}

/** What bands of this window take when they are compressed, roughly: as in their files, or less than plain pixels. */
function estimateStoredBytes(
  bands: readonly ChosenBand[],
  files: readonly StoredFile[],
  window: PixelWindow,
): number {
  return bands.reduce((sum, { asset }, i) => {
    const plain = window.width * window.height * bytesPerSample[asset.type];
    const file = files[i]!;
    if (file.format === 'jp2') return sum + plain;
    return sum + Math.min(plain, ENCODER_SHARE * countStored(file.levels[0]!.image, asset.bandIndex, window));
  }, 0);
}
