import { constants, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { LercData } from 'lerc';
import { decode, getBlobInfo, load } from 'lerc';
import type { SampleType } from '../../../raster/index.ts';
import { bytesPerSample } from '../../../raster/index.ts';
import { MAX_ZSTD_WINDOW_LOG, maxStoredBytes } from '../limits.ts';
import type { CodecSettings, CodedBlock } from './coded-block.ts';

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

/** LERC version 2 (compression 34887), alone or inside deflate or zstd. */
export async function decodeLerc(stored: Uint8Array, block: CodedBlock): Promise<Uint8Array> {
  await load();
  const { width, rows, samples, type } = block;
  const blockBytes = width * rows * samples * bytesPerSample[type];
  const blob = unwrap(stored, block.settings.lercWrap, maxStoredBytes(blockBytes));
  if (!isFitting(blob, block)) throw new Error('the LERC data hold another block');
  return interleave(decode(blob, { returnInterleaved: true }), block);
}
