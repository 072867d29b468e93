import { constants, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { LercData } from 'lerc';
import { decode, getBlobInfo, load } from 'lerc';
import type { SampleType } from '../../../raster/index.ts';
import { bytesPerSample } from '../../../raster/index.ts';
import { loadSharp } from '../../sharp.ts';
import { MAX_BLOCK_BYTES, MAX_ZSTD_WINDOW_LOG, maxStoredBytes } from '../limits.ts';

/** Values of the PhotometricInterpretation tag that change how pixels are read. */
export const PHOTOMETRIC = { rgb: 2, palette: 3, ycbcr: 6 } as const;

/** What codecs that store pictures, not bytes, must know of a block before they decode it. */
export interface CodedBlock {
  readonly width: number;
  readonly rows: number;
  /** Interleaved bands. */
  readonly samples: number;
  readonly type: SampleType;
  readonly settings: CodecSettings;
}

/** Tags of an image that only some codecs look at. Plain data. */
export interface CodecSettings {
  readonly photometric: number;
  /** True when the last of the interleaved bands says how opaque a pixel is. */
  readonly endsWithAlpha: boolean;
  /** Tables that all JPEG blocks share; null when each has its own. */
  readonly jpegTables: Uint8Array | null;
  /** What LERC data are wrapped in. */
  readonly lercWrap: 'none' | 'deflate' | 'zstd';
}

/** JPEG (compression 7): one to four 8-bit bands; YCbCr comes out as RGB, as GDAL gives it. */
export async function decodeJpeg(stored: Uint8Array, block: CodedBlock): Promise<Uint8Array> {
  const { width, rows, samples, type, settings } = block;
  const { stream, frame } = joinJpeg(stored, settings.jpegTables, settings.photometric === PHOTOMETRIC.ycbcr);
  // some writers store the last strip with the rows of all others; what is too much is cut off below
  const isBounded = frame.width * frame.height * frame.components <= MAX_BLOCK_BYTES;
  const isFitting = frame.width === width && frame.height >= rows && isBounded;
  if (type !== 'uint8' || frame.bitDepth !== 8 || frame.components !== samples || !isFitting) {
    const found = `${frame.width} × ${frame.height} × ${frame.components} of ${frame.bitDepth} bits`;
    throw new Error(`the JPEG stream holds ${found} where ${width} × ${rows} × ${samples} ${type} belong`);
  }
  const picture = await openPicture(stream, frame.width * frame.height);
  if (samples === 1) picture.toColourspace('b-w');
  if (samples === 4) picture.pipelineColourspace('cmyk').toColourspace('cmyk');
  const decoded = await picture.raw().toBuffer();
  if (decoded.length !== width * frame.height * samples) throw new Error('the JPEG picture has other bands');
  const pixels = new Uint8Array(decoded.subarray(0, width * rows * samples));
  return samples === 4 ? invert(pixels) : pixels;
}

/** WebP (compression 50001): three or four 8-bit bands. */
export async function decodeWebp(stored: Uint8Array, block: CodedBlock): Promise<Uint8Array> {
  const { width, rows, samples, type } = block;
  if (type !== 'uint8' || (samples !== 3 && samples !== 4)) {
    throw new Error(`WebP holds 3 or 4 bands of uint8, not ${samples} of ${type}`);
  }
  const isWebp =
    Buffer.from(stored.subarray(0, 12))
      .toString('latin1')
      .replace(/^RIFF.{4}/s, '') === 'WEBP';
  if (!isWebp) throw new Error('the WebP stream does not begin like one');
  const picture = await openPicture(stored, width * rows);
  // an encoder drops an alpha that is full everywhere
  if (samples === 4) picture.ensureAlpha();
  else picture.removeAlpha();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== rows || info.channels !== samples) {
    throw new Error(`the WebP picture is ${info.width} × ${info.height} × ${info.channels}`);
  }
  return new Uint8Array(data);
}

/** LERC version 2 (compression 34887), alone or inside deflate or zstd. */
export async function decodeLerc(stored: Uint8Array, block: CodedBlock): Promise<Uint8Array> {
  await load();
  const { width, rows, samples, type } = block;
  const blockBytes = width * rows * samples * bytesPerSample[type];
  const blob = unwrap(stored, block.settings.lercWrap, maxStoredBytes(blockBytes));
  if (!isFitting(blob, block)) throw new Error('the LERC data hold another block');
  return interleave(decode(blob, { returnInterleaved: true }), block);
}

/** Decodes within the pixels of the block: libvips refuses a larger picture by its header. */
async function openPicture(bytes: Uint8Array, pixels: number) {
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: pixels, failOn: 'warning', sequentialRead: true, animated: false });
}

/** JPEG holds its four components as inks, which libvips turns into light. */
function invert(bytes: Uint8Array): Uint8Array {
  for (let i = 0; i < bytes.length; i++) bytes[i] = 255 - bytes[i]!;
  return bytes;
}

/** Markers of a JPEG stream (ITU-T T.81, table B.1). */
const MARKER = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dht: 0xc4,
  dri: 0xdd,
  app0: 0xe0,
  com: 0xfe,
} as const;

/** What the frame header of a stream says. */
interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly components: number;
}

interface Segments {
  /** Those that decoding needs, up to the first scan. */
  readonly needed: readonly Uint8Array[];
  readonly frame: JpegFrame | null;
  /** The first scan and all after it. */
  readonly scans: Uint8Array | null;
}

const broken = (what: string) => new Error(`the JPEG stream ${what}`);

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== MARKER.dht && marker !== 0xc8 && marker !== 0xcc;

/** Frames we decode: baseline, extended and progressive, all with Huffman coding. */
const isReadableFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

/** Walks the segments in front of the first scan. Comments, colour profiles and vendors' words are dropped. */
function splitSegments(bytes: Uint8Array): Segments {
  if (bytes[0] !== 0xff || bytes[1] !== MARKER.soi) throw broken('does not begin like one');
  const needed: Uint8Array[] = [];
  let frame: JpegFrame | null = null;
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) throw broken('has bytes between its segments');
    const marker = bytes[at + 1];
    // fill bytes may precede a marker
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === MARKER.eoi) return { needed, frame, scans: null };
    if (marker === MARKER.sos) return { needed, frame, scans: bytes.subarray(at) };
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (marker === undefined || length < 2 || at + 2 + length > bytes.length) throw broken('is cut off');
    const segment = bytes.subarray(at, at + 2 + length);
    if (isFrame(marker)) {
      if (frame !== null || !isReadableFrame(marker) || length < 8)
        throw broken(`has a frame of kind ${marker}`);
      frame = {
        bitDepth: segment[4]!,
        height: (segment[5]! << 8) | segment[6]!,
        width: (segment[7]! << 8) | segment[8]!,
        components: segment[9]!,
      };
    }
    if (marker < MARKER.app0) needed.push(segment);
    at += 2 + length;
  }
  return { needed, frame, scans: null };
}

/**
 * Progressive pictures have about ten scans. Each costs the time of a whole picture and may take twenty bytes, so that a
 * small stream could keep a decoder busy for hours.
 */
const MAX_SCANS = 64;

/** Scans of a stream: a scan's data cannot contain this pair of bytes. */
function countScans(scans: Uint8Array): number {
  let count = 0;
  for (let at = scans.indexOf(0xff); at >= 0; at = scans.indexOf(0xff, at + 1)) {
    if (scans[at + 1] === MARKER.sos) count++;
  }
  return count;
}

/** Adobe's note, by which decoders decide whether three components are RGB (0) or YCbCr (1). */
const colourNote = (transform: 0 | 1): Uint8Array =>
  Uint8Array.of(0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform);

/**
 * A block's stream made whole: with the tables that all blocks share and with its colours named, since in a TIFF the
 * tags say what they are and the stream need not.
 */
function joinJpeg(
  stored: Uint8Array,
  tables: Uint8Array | null,
  isYcbcr: boolean,
): { readonly stream: Uint8Array; readonly frame: JpegFrame } {
  const shared = tables === null ? [] : splitSegments(tables).needed.filter((part) => !isFrame(part[1]!));
  const { needed, frame, scans } = splitSegments(stored);
  if (frame === null || scans === null) throw broken('holds no picture');
  if (countScans(scans) > MAX_SCANS) throw broken(`has more than ${MAX_SCANS} scans`);
  const note = frame.components === 3 ? [colourNote(isYcbcr ? 1 : 0)] : [];
  const start = Uint8Array.of(0xff, MARKER.soi);
  return { stream: Buffer.concat([start, ...note, ...shared, ...needed, scans]), frame };
}

/** LERC's numbers of pixel types. */
const LERC_TYPES: readonly SampleType[] = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'float32',
  'float64',
];

function unwrap(stored: Uint8Array, wrap: CodecSettings['lercWrap'], maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes };
  if (wrap === 'deflate') return inflateSync(stored, options);
  if (wrap === 'zstd') {
    return zstdDecompressSync(stored, {
      ...options,
      params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG },
    });
  }
  return stored;
}

/**
 * Values of a pixel, from the header by hand: the library makes arrays of that length before it says it. The header:
 * 6 bytes of name, version, checksum (from version 3), rows, columns, values of a pixel (from version 4).
 */
function readDepth(blob: Uint8Array): number {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const name = Buffer.from(blob.subarray(0, 6)).toString('latin1');
  if (name !== 'Lerc2 ' || blob.length < 30) throw new Error('the LERC data do not begin like any');
  return view.getInt32(6, true) >= 4 ? view.getInt32(22, true) : 1;
}

/** True when the blob holds the block: its bands inside each pixel or one after the other, alpha perhaps as its mask. */
function isFitting(blob: Uint8Array, { width, rows, samples, type, settings }: CodedBlock): boolean {
  if (readDepth(blob) > samples) return false;
  const info = getBlobInfo(blob);
  const bands = info.depthCount * info.bandCount;
  const isMaskAlpha = settings.endsWithAlpha && type === 'uint8' && bands === samples - 1;
  return (
    info.width === width &&
    info.height === rows &&
    LERC_TYPES[info.dataType] === type &&
    (bands === samples || isMaskAlpha) &&
    (info.depthCount === 1 || info.bandCount === 1)
  );
}

/** Bands interleaved; masked floats become NaN and the mask of a picture its alpha, as libtiff does both. */
function interleave(data: LercData, { width, rows, samples, type }: CodedBlock): Uint8Array {
  const [only] = data.pixels;
  if (data.mask === null && data.pixels.length === 1 && data.depthCount === samples) {
    return new Uint8Array(only!.buffer, only!.byteOffset, only!.byteLength);
  }
  const pixelCount = width * rows;
  const Samples = only!.constructor as Float64ArrayConstructor;
  const out = new Samples(pixelCount * samples);
  const isFloat = type === 'float32' || type === 'float64';
  const depth = data.depthCount;
  data.pixels.forEach((band, bandNumber) => {
    const mask = data.bandMasks?.[bandNumber] ?? data.mask;
    for (let i = 0; i < pixelCount; i++) {
      const isMasked = mask !== null && mask[i] === 0;
      for (let d = 0; d < depth; d++) {
        const value = isMasked && isFloat ? Number.NaN : band[i * depth + d]!;
        out[i * samples + bandNumber + d] = value;
      }
    }
  });
  if (depth * data.pixels.length < samples) {
    for (let i = 0; i < pixelCount; i++) out[i * samples + samples - 1] = data.mask?.[i] === 0 ? 0 : 255;
  }
  return new Uint8Array(out.buffer);
}
