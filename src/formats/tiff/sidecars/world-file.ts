import { sourceBroken } from '../../../errors.ts';
import type { Affine } from '../../../geo/index.ts';
import { isUsableTransform } from '../georeference/georeference.ts';

/** Six numbers of any length that a double needs. */
const MAX_WORLD_FILE_CHARACTERS = 4_096;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEdD][+-]?\d+)?$/;

/**
 * A world file (`.tfw`, `.wld`): pixel width, column shear, row shear, pixel height, and the centre of the upper left
 * pixel, one a line. Decimal commas are accepted, as by GDAL.
 */
export function parseWorldFile(text: string): Affine {
  if (text.length > MAX_WORLD_FILE_CHARACTERS) {
    throw sourceBroken(
      'world-file-too-long',
      `A world file has at most ${MAX_WORLD_FILE_CHARACTERS} characters.`,
    );
  }
  const words = text.trim().split(/\s+/, 7);
  const numbers = words.map((word) => {
    const plain = word.replace(',', '.');
    return NUMBER.test(plain) ? Number(plain.replace(/[dD]/, 'e')) : Number.NaN;
  });
  if (numbers.length < 6 || numbers.slice(0, 6).some((value) => !Number.isFinite(value))) {
    throw sourceBroken('bad-world-file', 'The world file does not hold six numbers.');
  }
  const [pixelWidth, colShear, rowShear, pixelHeight, centreX, centreY] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const transform: Affine = [
    centreX - (pixelWidth + rowShear) / 2,
    pixelWidth,
    rowShear,
    centreY - (colShear + pixelHeight) / 2,
    colShear,
    pixelHeight,
  ];
  if (!isUsableTransform(transform)) {
    throw sourceBroken('bad-world-file', 'The world file maps all pixels onto a line or a point.');
  }
  return transform;
}
