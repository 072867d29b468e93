import { sourceBroken, unsupported } from '../../errors.ts';
import type { PixelType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { codecOf, compressionName } from './codecs.ts';
import type { RawDirectory } from './directory-reader.ts';
import { MAX_BLOCK_BYTES, MAX_SAMPLES, MAX_SIDE_PX, MAX_TILE_SIDE_PX } from './limits.ts';
import { sampleFormatName, toPixelType } from './sample-format.ts';
import type { TagReader } from './tag-reader.ts';
import { TAG } from './tags.ts';

/** One resolution of a TIFF: how its pixels are stored and where. Plain data: it can be sent to a worker. */
export interface TiffImage {
  readonly width: number;
  readonly height: number;
  /** A block is a tile, or a strip as wide as the image. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly isTiled: boolean;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly bandCount: number;
  readonly type: PixelType;
  /** `pixel`: each block holds all bands; `band`: one. */
  readonly interleave: 'pixel' | 'band';
  readonly compression: string;
  readonly compressionTag: number;
  readonly predictor: 1 | 2 | 3;
  readonly littleEndian: boolean;
  /** By block number; offset and size 0 mean a block that was never written. */
  readonly blockOffsets: Float64Array;
  readonly blockSizes: Float64Array;
}

const damaged = (what: string) => sourceBroken('tiff-bad-image', `The TIFF is damaged: ${what}.`);

const isSide = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;

/** The one value that all bands share. */
async function sharedCount(
  read: TagReader,
  directory: RawDirectory,
  tag: number,
  fallback: number,
): Promise<number> {
  const values = (await read.counts(directory, tag, MAX_SAMPLES)) ?? new Float64Array([fallback]);
  if (values.some((value) => value !== values[0])) {
    throw unsupported(
      'tiff-mixed-bands',
      'The bands of this TIFF have different pixel types, which cannot be read.',
    );
  }
  return values[0]!;
}

async function readPixelType(read: TagReader, directory: RawDirectory): Promise<PixelType> {
  const bits = await sharedCount(read, directory, TAG.bitsPerSample, 1);
  const format = await sharedCount(read, directory, TAG.sampleFormat, 1);
  const type = toPixelType(format, bits);
  if (type === null) {
    const name = sampleFormatName(format, bits);
    throw unsupported('tiff-pixel-type', `This TIFF has ${name} pixels, which cannot be read.`);
  }
  return type;
}

async function readBandCount(read: TagReader, directory: RawDirectory): Promise<number> {
  const bandCount = await read.count(directory, TAG.samplesPerPixel, 1);
  if (!isSide(bandCount, MAX_SAMPLES)) {
    throw sourceBroken(
      'tiff-too-many-bands',
      `The TIFF says it has ${bandCount} bands; at most ${MAX_SAMPLES} are read.`,
    );
  }
  return bandCount;
}

async function readStorage(read: TagReader, directory: RawDirectory, type: PixelType) {
  const compressionTag = await read.count(directory, TAG.compression, 1);
  const codec = codecOf(compressionTag);
  if (codec === null) {
    const name = compressionName(compressionTag);
    throw unsupported('tiff-compression', `This TIFF is compressed with ${name}, which cannot be read.`);
  }
  const stated = codec.hasPredictor ? await read.count(directory, TAG.predictor, 1) : 1;
  if ((stated !== 1 && stated !== 2 && stated !== 3) || (stated === 3 && type !== 'float32')) {
    throw damaged(`predictor ${stated} does not exist for ${type} pixels`);
  }
  const predictor: 1 | 2 | 3 = stated;
  const photometric = await read.count(directory, TAG.photometric, 1);
  const fillOrder = await read.count(directory, TAG.fillOrder, 1);
  // 6 is YCbCr, whose colours may be stored at half resolution; 2 turns the bits of each byte around
  if (photometric === 6 || fillOrder !== 1) {
    throw unsupported('tiff-sample-order', 'This TIFF stores its samples in an order that cannot be read.');
  }
  return { compression: codec.name, compressionTag, predictor };
}

async function readBlockShape(read: TagReader, directory: RawDirectory, width: number, height: number) {
  const isTiled = directory.has(TAG.tileWidth);
  if (!isTiled) {
    // absent means: one strip
    const rows = await read.count(directory, TAG.rowsPerStrip, height);
    if (rows < 1) throw damaged('its strips have no rows');
    return { isTiled, blockWidth: width, blockHeight: Math.min(rows, height) };
  }
  const blockWidth = await read.count(directory, TAG.tileWidth, null);
  const blockHeight = await read.count(directory, TAG.tileLength, null);
  if (!isSide(blockWidth, MAX_TILE_SIDE_PX) || !isSide(blockHeight, MAX_TILE_SIDE_PX)) {
    throw damaged(
      `its tiles are ${blockWidth} × ${blockHeight} and at most ${MAX_TILE_SIDE_PX} a side are read`,
    );
  }
  return { isTiled, blockWidth, blockHeight };
}

async function readIndex(
  read: TagReader,
  directory: RawDirectory,
  tag: number,
  count: number,
): Promise<Float64Array> {
  const stated = directory.get(tag)?.count ?? 0;
  if (stated !== count) throw damaged(`its index has ${stated} entries for ${count} blocks`);
  return (await read.counts(directory, tag, count))!;
}

/** Reads and checks everything that says where pixels are; no size is trusted before it is compared with a limit. */
export async function readImage(
  read: TagReader,
  directory: RawDirectory,
  littleEndian: boolean,
): Promise<TiffImage> {
  const width = await read.count(directory, TAG.imageWidth, null);
  const height = await read.count(directory, TAG.imageLength, null);
  if (!isSide(width, MAX_SIDE_PX) || !isSide(height, MAX_SIDE_PX)) {
    throw damaged(`it is ${width} × ${height} pixels`);
  }
  const bandCount = await readBandCount(read, directory);
  const type = await readPixelType(read, directory);
  const storage = await readStorage(read, directory, type);
  const planar = await read.count(directory, TAG.planarConfiguration, 1);
  if (planar !== 1 && planar !== 2) throw damaged(`its planar configuration is ${planar}`);
  const interleave = planar === 2 && bandCount > 1 ? 'band' : 'pixel';
  const shape = await readBlockShape(read, directory, width, height);
  const samples = interleave === 'band' ? 1 : bandCount;
  const blockBytes = shape.blockWidth * shape.blockHeight * samples * bytesPerSample[type];
  if (blockBytes > MAX_BLOCK_BYTES) {
    throw sourceBroken(
      'tiff-block-too-large',
      `A block of the TIFF takes ${blockBytes} bytes; at most ${MAX_BLOCK_BYTES} are read.`,
    );
  }
  const blocksAcross = Math.ceil(width / shape.blockWidth);
  const blocksDown = Math.ceil(height / shape.blockHeight);
  const blockCount = blocksAcross * blocksDown * (interleave === 'band' ? bandCount : 1);
  const [offsetsTag, sizesTag] = shape.isTiled
    ? [TAG.tileOffsets, TAG.tileByteCounts]
    : [TAG.stripOffsets, TAG.stripByteCounts];
  return {
    ...{ width, height, bandCount, type, interleave, littleEndian },
    ...storage,
    ...shape,
    ...{ blocksAcross, blocksDown },
    blockOffsets: await readIndex(read, directory, offsetsTag, blockCount),
    blockSizes: await readIndex(read, directory, sizesTag, blockCount),
  };
}
