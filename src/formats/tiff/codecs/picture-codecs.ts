import { loadSharp } from '../../sharp.ts';
import { MAX_BLOCK_BYTES } from '../limits.ts';
import type { CodedBlock } from './coded-block.ts';
import { PHOTOMETRIC } from './coded-block.ts';
import { joinJpeg } from './jpeg-stream.ts';

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
