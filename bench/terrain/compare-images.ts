import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { openFileSource } from '../../src/sources/local-files.ts';

/** How two images of bytes differ. */
export interface Difference {
  /** In levels of brightness. */
  readonly max: number;
  /** Pixels that are not equal, of those compared. */
  readonly share: number;
}

/** Compares two images of equal size and of strips of any height, except for the outermost pixels. */
export async function compareImages(path: string, otherPath: string): Promise<Difference> {
  const [one, other] = await Promise.all([readImage(path), readImage(otherPath)]);
  const { width, height } = one;
  if (other.width !== width || other.height !== height)
    throw new Error(`${path} and ${otherPath} have other sizes`);
  let [max, count] = [0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const difference = Math.abs(one.pixels[i]! - other.pixels[i]!);
      if (difference > 0) count += 1;
      if (difference > max) max = difference;
    }
  }
  return { max, share: count / ((width - 2) * (height - 2)) };
}

async function readImage(path: string) {
  const source = await openFileSource(path);
  const tiff = await openTiff(source);
  const [image] = tiff.images;
  const { width, height, blockHeight, blocksDown, type } = image;
  if (type !== 'uint8') throw new Error(`${path} holds ${type}, not bytes`);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < blocksDown; row++) {
    const block = await readBlock(tiff, image, { band: 0, column: 0, row });
    pixels.set(block.pixels, row * blockHeight * width);
  }
  await source.close();
  return { width, height, pixels };
}
