import type { SampleType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { sourceBroken, unsupported } from '../errors.ts';
import { codecOf, compressionName } from './codecs/codecs.ts';
import type { CodecSettings } from './codecs/picture-codecs.ts';
import { PHOTOMETRIC } from './codecs/picture-codecs.ts';
import type { RawDirectory, TagReader } from './directories/directory-reader.ts';
import { TAG } from './directories/tags.ts';
import {
  MAX_BLOCK_BYTES,
  MAX_JPEG_TABLES_BYTES,
  MAX_SAMPLES,
  MAX_SIDE_PX,
  MAX_TILE_SIDE_PX,
} from './limits.ts';
import { sampleFormatName, sampleFormatOf, toSampleType } from './samples/sample-format.ts';

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
  readonly type: SampleType;
  /** Of a stored sample: those of the type, or fewer where samples share bytes or are 16-bit floats. */
  readonly bits: number;
  /** The band that says how opaque a pixel is; null when none does. */
  readonly alphaBand: number | null;
  /** `pixel`: each block holds all bands; `band`: one. */
  readonly interleave: 'pixel' | 'band';
  readonly compression: string;
  readonly compressionTag: number;
  readonly predictor: 1 | 2 | 3;
  readonly littleEndian: boolean;
  /** True when the lowest bit of a stored byte comes first (FillOrder 2). */
  readonly bitsReversed: boolean;
  readonly codecSettings: CodecSettings;
  /** What pixels are in blocks that were never written. */
  readonly emptyValue: number;
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

async function readSampleType(read: TagReader, directory: RawDirectory) {
  const bits = await sharedCount(read, directory, TAG.bitsPerSample, 1);
  const format = await sharedCount(read, directory, TAG.sampleFormat, 1);
  const type = toSampleType(format, bits);
  if (type === null) {
    const name = sampleFormatName(format, bits);
    throw unsupported('tiff-pixel-type', `This TIFF has ${name} pixels, which cannot be read.`);
  }
  return { type, bits };
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

/** Predictor 2 takes differences of whole samples, predictor 3 those of the bytes of floats. */
function isPredictable(predictor: number, type: SampleType, bits: number): predictor is 1 | 2 | 3 {
  const isWhole = bits === 8 || bits === 16 || bits === 32 || bits === 64;
  const isFloat = sampleFormatOf(type).format === 3;
  return predictor === 1 || (predictor === 2 && isWhole) || (predictor === 3 && isFloat);
}

async function readStorage(
  read: TagReader,
  directory: RawDirectory,
  { type, bits }: { readonly type: SampleType; readonly bits: number },
) {
  const compressionTag = await read.count(directory, TAG.compression, 1);
  const codec = codecOf(compressionTag);
  if (codec === null) {
    const name = compressionName(compressionTag);
    throw unsupported('tiff-compression', `This TIFF is compressed with ${name}, which cannot be read.`);
  }
  const isPicture = 'decodePicture' in codec;
  if (isPicture && bits !== sampleFormatOf(type).bits) {
    throw unsupported(
      'tiff-pixel-type',
      `This TIFF has ${bits}-bit pixels inside ${codec.name}, which cannot be read.`,
    );
  }
  const predictor = codec.hasPredictor ? await read.count(directory, TAG.predictor, 1) : 1;
  if (!isPredictable(predictor, type, bits)) {
    throw damaged(`predictor ${predictor} does not exist for ${bits}-bit ${type} pixels`);
  }
  const photometric = await read.count(directory, TAG.photometric, 1);
  const fillOrder = await read.count(directory, TAG.fillOrder, 1);
  // outside of JPEG, the colours of YCbCr may be stored at half resolution, between the others
  if ((photometric === PHOTOMETRIC.ycbcr && codec.name !== 'jpeg') || (fillOrder !== 1 && fillOrder !== 2)) {
    throw unsupported('tiff-sample-order', 'This TIFF stores its samples in an order that cannot be read.');
  }
  const bitsReversed = fillOrder === 2 && !isPicture;
  return { compression: codec.name, compressionTag, predictor, bitsReversed };
}

/** ExtraSamples: 1 and 2 are opacity, multiplied into the colours or not. */
async function readAlphaBand(read: TagReader, directory: RawDirectory, bandCount: number) {
  const extra = await read.counts(directory, TAG.extraSamples, MAX_SAMPLES);
  const index = extra === null ? -1 : extra.findIndex((kind) => kind === 1 || kind === 2);
  if (extra === null || index < 0 || extra.length > bandCount) return null;
  return bandCount - extra.length + index;
}

const LERC_WRAPS = ['none', 'deflate', 'zstd'] as const;

async function readCodecSettings(
  read: TagReader,
  directory: RawDirectory,
  endsWithAlpha: boolean,
): Promise<CodecSettings> {
  const [, wrap = 0] = (await read.counts(directory, TAG.lercParameters, 16)) ?? [];
  const lercWrap = LERC_WRAPS[wrap];
  if (lercWrap === undefined) throw damaged(`its LERC data are wrapped in a codec of number ${wrap}`);
  return {
    photometric: await read.count(directory, TAG.photometric, 1),
    endsWithAlpha,
    jpegTables: await read.bytes(directory, TAG.jpegTables, MAX_JPEG_TABLES_BYTES),
    lercWrap,
  };
}

async function readBlockGrid(read: TagReader, directory: RawDirectory, width: number, height: number) {
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
  { littleEndian, emptyValue }: Pick<TiffImage, 'littleEndian' | 'emptyValue'>,
): Promise<TiffImage> {
  const width = await read.count(directory, TAG.imageWidth, null);
  const height = await read.count(directory, TAG.imageLength, null);
  if (!isSide(width, MAX_SIDE_PX) || !isSide(height, MAX_SIDE_PX)) {
    throw damaged(`it is ${width} × ${height} pixels`);
  }
  const bandCount = await readBandCount(read, directory);
  const sample = await readSampleType(read, directory);
  const storage = await readStorage(read, directory, sample);
  const planar = await read.count(directory, TAG.planarConfiguration, 1);
  if (planar !== 1 && planar !== 2) throw damaged(`its planar configuration is ${planar}`);
  const interleave = planar === 2 && bandCount > 1 ? 'band' : 'pixel';
  const grid = await readBlockGrid(read, directory, width, height);
  const samples = interleave === 'band' ? 1 : bandCount;
  const blockBytes = grid.blockWidth * grid.blockHeight * samples * bytesPerSample[sample.type];
  if (blockBytes > MAX_BLOCK_BYTES) {
    throw sourceBroken(
      'tiff-block-too-large',
      `A block of the TIFF takes ${blockBytes} bytes; at most ${MAX_BLOCK_BYTES} are read.`,
    );
  }
  const blocksAcross = Math.ceil(width / grid.blockWidth);
  const blocksDown = Math.ceil(height / grid.blockHeight);
  const blockCount = blocksAcross * blocksDown * (interleave === 'band' ? bandCount : 1);
  const alphaBand = await readAlphaBand(read, directory, bandCount);
  const endsWithAlpha = samples > 1 && alphaBand === samples - 1;
  const [offsetsTag, sizesTag] = grid.isTiled
    ? [TAG.tileOffsets, TAG.tileByteCounts]
    : [TAG.stripOffsets, TAG.stripByteCounts];
  return {
    width,
    height,
    bandCount,
    alphaBand,
    interleave,
    littleEndian,
    emptyValue,
    ...sample,
    ...storage,
    codecSettings: await readCodecSettings(read, directory, endsWithAlpha),
    ...grid,
    blocksAcross,
    blocksDown,
    blockOffsets: await readIndex(read, directory, offsetsTag, blockCount),
    blockSizes: await readIndex(read, directory, sizesTag, blockCount),
  };
}

/** Colours of a 16-bit palette. */
const MAX_COLOURS = 65_536;

/** Red, green and blue of each pixel value; null for a file without palette, or with one of another length than its own. */
export async function readPalette(
  read: TagReader,
  directory: RawDirectory,
  { codecSettings, bits }: TiffImage,
): Promise<Uint8Array | null> {
  const stored = await read.counts(directory, TAG.colorMap, 3 * MAX_COLOURS);
  const colours = 2 ** bits;
  if (stored === null || codecSettings.photometric !== PHOTOMETRIC.palette || stored.length !== 3 * colours) {
    return null;
  }
  // 16 bits a colour say the standard; some writers fill the lower eight alone
  const shift = stored.every((value) => value < 256) ? 0 : 8;
  const out = new Uint8Array(stored.length);
  // the file has all reds, then all greens, then all blues
  for (let i = 0; i < stored.length; i++) {
    out[(i % colours) * 3 + Math.floor(i / colours)] = stored[i]! >> shift;
  }
  return out;
}
