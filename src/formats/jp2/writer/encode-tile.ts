import type { Size } from '../../../geo/index.ts';
import type { Jp2Encoder } from '../openjpeg/openjpeg-encoder.ts';
import type { EncodedTile, WrittenImage } from './written-codestream.ts';
import { planDecompositions, splitTile } from './written-codestream.ts';

/** Encodes the samples of one tile of an image: its bands pixel by pixel, in little-endian order. */
export async function encodeJp2Tile(
  samples: Uint8Array,
  { width, height }: Size,
  image: WrittenImage,
  encoder: Jp2Encoder,
): Promise<EncodedTile> {
  const { bandCount, bitsPerSample } = image;
  const decompositions = planDecompositions(image);
  return splitTile(
    await encoder.encode({ width, height, bandCount, bitsPerSample, decompositions, samples }),
  );
}
