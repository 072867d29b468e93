import type { PixelType, SampleType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { sourceBroken } from '../errors.ts';
import type { CogCompression } from '../tiff/codecs/codecs.ts';
import { PHOTOMETRIC } from '../tiff/codecs/picture-codecs.ts';
import { truncated } from '../tiff/directories/directory-reader.ts';
import type { TiffImage } from '../tiff/image-reader.ts';
import { MAX_TILE_SIDE_PX, maxStoredBytes } from '../tiff/limits.ts';
import { sampleFormatOf } from '../tiff/samples/sample-format.ts';
import type { CogLayout } from './cog-layout.ts';
import { planCogLayout } from './cog-layout.ts';
import type { CogLevel, CogOptions, CogPlan } from './plan-cog.ts';
import { checkCost, planCog } from './plan-cog.ts';

/** A level of a file, and the bytes of the file that holds it. */
export interface CopiedLevel {
  readonly image: TiffImage;
  readonly fileBytes: number;
}

/** One band of a file whose blocks are copied. */
export interface CopiedBand {
  /** Full resolution first, then its smaller copies. */
  readonly levels: readonly CopiedLevel[];
  /** Its index in the file. */
  readonly band: number;
}

/** What a copy says itself: the files it is made of may say it otherwise, or in their sidecars. */
export type CopyOptions = Pick<
  CogOptions,
  'epsg' | 'sinusoidalRadiusM' | 'geoKeys' | 'transform' | 'controlPoints' | 'nodata' | 'bands'
>;

/** The blocks of a copy in the order of its file; a block without bytes was never written. Plain data. */
export interface CopiedBlocks {
  /** Index of the band whose file holds it. */
  readonly band: Uint16Array;
  readonly level: Uint8Array;
  readonly offset: Float64Array;
  readonly size: Uint32Array;
}

/** A COG that is made of the blocks of other files, as they are. */
export interface CopiedCog {
  readonly layout: CogLayout;
  readonly blocks: CopiedBlocks;
  /** False when the image is large and its files have no smaller copies that can be copied too. */
  readonly hasOverviews: boolean;
}

/** Images up to this side need no smaller copies: what validators of COGs say. */
const SMALL_SIDE_PX = 512;

/** Old number of deflate, and the one that it has now. */
const toCurrentTag = (tag: number): number => (tag === 32_946 ? 8 : tag);

/**
 * Codecs whose blocks need nothing but their bytes: none, LZW, deflate, PackBits and zstd. JPEG has tables in the file,
 * LERC parameters.
 */
const SELF_CONTAINED: ReadonlySet<number> = new Set([1, 5, 8, 32_773, 50_000]);

const isWritten = (type: SampleType): type is PixelType =>
  type === 'uint8' || type === 'uint16' || type === 'int16' || type === 'float32';

/** Whether the bytes of its blocks mean the same in a little-endian COG. */
function isCopyable(image: TiffImage): boolean {
  return (
    image.isTiled &&
    image.blockWidth === image.blockHeight &&
    image.blockWidth % 16 === 0 &&
    image.blockWidth <= MAX_TILE_SIDE_PX &&
    isWritten(image.type) &&
    image.bits === sampleFormatOf(image.type).bits &&
    (image.littleEndian || image.bits === 8) &&
    !image.bitsReversed &&
    SELF_CONTAINED.has(toCurrentTag(image.compressionTag))
  );
}

/** Whether one directory can list the blocks of both. */
const isStoredAlike = (a: TiffImage, b: TiffImage): boolean =>
  a.type === b.type &&
  toCurrentTag(a.compressionTag) === toCurrentTag(b.compressionTag) &&
  a.predictor === b.predictor;

const isSameSize = (a: TiffImage, b: TiffImage): boolean =>
  a.width === b.width && a.height === b.height && a.blockWidth === b.blockWidth;

/** How bands lie in the blocks: each in blocks of its own, or all of one file together; null for anything between. */
function planInterleave(bands: readonly CopiedBand[]): 'band' | 'pixel' | null {
  const images = bands.map(({ levels }) => levels[0]!.image);
  if (images.every(({ bandCount, interleave }) => bandCount === 1 || interleave === 'band')) return 'band';
  const [first] = images as [TiffImage];
  const isWhole =
    bands.length === first.bandCount &&
    bands.every(({ band, levels }, i) => band === i && levels[0] === bands[0]!.levels[0]);
  return isWhole ? 'pixel' : null;
}

/** The levels that all bands have in the same form, full resolution first; each as one level for each band. */
function findCommonLevels(bands: readonly CopiedBand[]): CopiedLevel[][] {
  const [first, ...others] = bands as [CopiedBand, ...CopiedBand[]];
  const [main] = first.levels as [CopiedLevel];
  return first.levels.flatMap((level) => {
    if (!isCopyable(level.image) || !isStoredAlike(level.image, main.image)) return [];
    const matching = others.map(({ levels }) =>
      levels.find(
        ({ image }) =>
          isCopyable(image) && isSameSize(image, level.image) && isStoredAlike(image, level.image),
      ),
    );
    return matching.includes(undefined) ? [] : [[level, ...(matching as CopiedLevel[])]];
  });
}

function checkBlock({ image, fileBytes }: CopiedLevel, number: number): void {
  const [offset, size] = [image.blockOffsets[number]!, image.blockSizes[number]!];
  if (offset === 0 && size === 0) return;
  const samples = image.blockWidth * image.blockHeight * (image.interleave === 'band' ? 1 : image.bandCount);
  if (offset === 0 || size === 0 || size > maxStoredBytes(samples * bytesPerSample[image.type])) {
    throw sourceBroken(
      'tiff-bad-index',
      `The TIFF is damaged: block ${number} has ${size} bytes at ${offset}.`,
    );
  }
  if (offset + size > fileBytes) throw truncated(`block ${number}`);
}

const isSparse = ({ image }: CopiedLevel): boolean => image.blockSizes.includes(0);

function toCogLevel({ image }: CopiedLevel): CogLevel {
  const { width, height, blocksAcross, blocksDown, blockWidth } = image;
  return { width, height, blocksAcross, blocksDown, blockSize: blockWidth };
}

function toPlan(bands: readonly CopiedBand[], levels: CopiedLevel[][], options: CopyOptions): CogPlan | null {
  const interleave = planInterleave(bands);
  const [{ image }] = levels[0] as [CopiedLevel];
  if (interleave === null || !isWritten(image.type)) return null;
  const { photometric } = image.codecSettings;
  const isRgb = interleave === 'pixel' && photometric === PHOTOMETRIC.rgb && bands.length >= 3;
  const plan = planCog({
    ...options,
    width: image.width,
    height: image.height,
    bandCount: bands.length,
    type: image.type,
    compression: 'none',
    predictor: 1,
    blockSize: image.blockWidth,
    interleave,
    overviews: 'none',
    photometric: isRgb ? 'rgb' : 'gray',
    alpha: isRgb && image.alphaBand === bands.length - 1 && bands.length > 3,
  });
  const copied: CogPlan = {
    ...plan,
    predictor: image.predictor,
    compressionTag: toCurrentTag(image.compressionTag),
    levels: levels.map(([level]) => toCogLevel(level!)),
  };
  checkCost(copied);
  return copied;
}

/**
 * Plans a COG of these bands whose blocks are copied from their files and never decoded; null when their bytes cannot
 * stand in one file: strips, another byte order, other codecs, sizes or kinds of pixels, some bands of blocks that hold
 * more.
 */
export function planCopiedCog(bands: readonly CopiedBand[], options: CopyOptions): CopiedCog | null {
  const levels = findCommonLevels(bands);
  const [main] = levels;
  const image = bands[0]!.levels[0]!.image;
  if (main === undefined || main[0]!.image !== image) return null;
  // blocks that were never written hold the nodata value that the file names
  const isEmptyAlike = (level: CopiedLevel) =>
    !isSparse(level) || level.image.emptyValue === (options.nodata ?? 0);
  if (!levels.flat().every(isEmptyAlike)) return null;
  const plan = toPlan(bands, levels, options);
  if (plan === null) return null;
  const { planes } = plan;
  const blocks = collectBlocks(bands, levels, planes);
  const layout = planCogLayout(plan, blocks.sizes);
  const isSmall = Math.max(image.width, image.height) <= SMALL_SIDE_PX;
  return { layout, blocks: blocks.inOrder, hasOverviews: isSmall || levels.length > 1 };
}

/** All blocks in the order of the file, and their sizes by level. */
function collectBlocks(bands: readonly CopiedBand[], levels: readonly CopiedLevel[][], planes: number) {
  const perPlane = levels.map(([level]) => level!.image.blocksAcross * level!.image.blocksDown);
  const count = perPlane.reduce((sum, blocks) => sum + blocks * planes, 0);
  const inOrder = {
    band: new Uint16Array(count),
    level: new Uint8Array(count),
    offset: new Float64Array(count),
    size: new Uint32Array(count),
  };
  const sizes = perPlane.map((blocks) => new Uint32Array(blocks * planes));
  let next = 0;
  // smallest copy first, full resolution last, as `planCogLayout` has them
  for (let index = levels.length - 1; index >= 0; index--) {
    const blocksOfPlane = perPlane[index]!;
    for (let plane = 0; plane < planes; plane++) {
      const level = levels[index]![plane]!;
      const { image } = level;
      const first = image.interleave === 'band' ? bands[plane]!.band * blocksOfPlane : 0;
      // files may have levels that are not copied
      const own = bands[plane]!.levels.indexOf(level);
      for (let block = 0; block < blocksOfPlane; block++) {
        checkBlock(level, first + block);
        const size = image.blockSizes[first + block]!;
        sizes[index]![plane * blocksOfPlane + block] = size;
        inOrder.band[next] = plane;
        inOrder.level[next] = own;
        inOrder.offset[next] = image.blockOffsets[first + block]!;
        inOrder.size[next] = size;
        next++;
      }
    }
  }
  return { inOrder, sizes };
}

/** Codecs of copied blocks that smaller copies can be encoded with too, by the Compression tag. */
const WRITABLE: ReadonlyMap<number, CogCompression> = new Map([
  [1, 'none'],
  [8, 'steady-deflate'],
  [50_000, 'zstd'],
]);

/** Blocks of the full resolution that are copied, and how the smaller copies must be encoded to stand next to them. */
export interface CopiedMain {
  readonly options: Pick<CogOptions, 'compression' | 'predictor' | 'blockSize' | 'interleave' | 'type'>;
  /** By the number of the block in the copy. */
  readonly blocks: Omit<CopiedBlocks, 'level'>;
}

/** A part of an image, in pixels. */
interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether a part is made of whole blocks. */
function isOfBlocks({ width, height, blockWidth }: TiffImage, part: Part): boolean {
  const isEdge = (position: number, end: number) => position % blockWidth === 0 || position === end;
  const isCorner = part.x % blockWidth === 0 && part.y % blockWidth === 0;
  return isCorner && isEdge(part.x + part.width, width) && isEdge(part.y + part.height, height);
}

/**
 * Plans a COG of these bands, or of a part of them, whose full resolution is copied and whose smaller copies are made
 * anew; null when the blocks cannot be copied, or the part cuts through some.
 */
export function planCopiedMain(bands: readonly CopiedBand[], part: Part): CopiedMain | null {
  const [main] = findCommonLevels(bands);
  const image = bands[0]!.levels[0]!.image;
  const interleave = planInterleave(bands);
  const compression = WRITABLE.get(toCurrentTag(image.compressionTag));
  if (main === undefined || main[0]!.image !== image || interleave === null || compression === undefined)
    return null;
  const { type, predictor, blockWidth: blockSize } = image;
  const isPredicted =
    predictor === 1 || (compression !== 'none' && (predictor === 3) === (type === 'float32'));
  if (!isWritten(type) || !isPredicted || !isOfBlocks(image, part)) return null;
  const levels = interleave === 'band' ? main : main.slice(0, 1);
  const blocks = collectPart(bands, levels, part);
  if (blocks.size.includes(0)) return null;
  return { options: { compression, predictor, blockSize, interleave, type }, blocks };
}

function collectPart(bands: readonly CopiedBand[], levels: readonly CopiedLevel[], part: Part) {
  const { blockWidth, blocksAcross, blocksDown } = levels[0]!.image;
  const across = Math.ceil(part.width / blockWidth);
  const down = Math.ceil(part.height / blockWidth);
  const count = across * down * levels.length;
  const blocks = {
    band: new Uint16Array(count),
    offset: new Float64Array(count),
    size: new Uint32Array(count),
  };
  for (let number = 0; number < count; number++) {
    const plane = Math.floor(number / (across * down));
    const row = part.y / blockWidth + (Math.floor(number / across) % down);
    const column = part.x / blockWidth + (number % across);
    const level = levels[plane]!;
    const first = level.image.interleave === 'band' ? bands[plane]!.band * blocksDown : 0;
    const stored = (first + row) * blocksAcross + column;
    checkBlock(level, stored);
    blocks.band[number] = plane;
    blocks.offset[number] = level.image.blockOffsets[stored]!;
    blocks.size[number] = level.image.blockSizes[stored]!;
  }
  return blocks;
}
