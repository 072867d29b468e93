import { cancelled } from '../../src/errors.ts';
import type { CogOptions, CogResult, CogWriter } from '../../src/formats/cog/index.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import type { PixelArray } from '../../src/raster/index.ts';

/** Images of one size that are made together. */
interface Strips {
  readonly images: readonly { readonly path: string; readonly options: CogOptions }[];
  readonly width: number;
  readonly height: number;
  /** The next rows: for each image, an array for each of its bands. */
  develop(firstRow: number, rows: number): readonly (readonly PixelArray[])[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Pixels that are in work at once; noise is drawn for each strip, so that another number gives other images. */
const STRIP_PX = 1 << 17;
/** Of wide images too: every strip begins with tables of clouds and speckle. */
const MIN_STRIP_ROWS = 32;

/** Writes images some rows at a time, so that a full scene takes no more memory than a small one. */
export async function writeInStrips(strips: Strips): Promise<readonly CogResult[]> {
  const { images, width, height, develop, signal, onProgress } = strips;
  const writers: CogWriter[] = [];
  try {
    for (const { path, options } of images) writers.push(await createCog(path, options));
    const rowsAtOnce = Math.max(MIN_STRIP_ROWS, Math.floor(STRIP_PX / width));
    for (let row = 0; row < height; row += rowsAtOnce) {
      if (signal?.aborted) throw cancelled('product-stopped', 'Writing the product was stopped.');
      const rows = Math.min(rowsAtOnce, height - row);
      const developed = develop(row, rows);
      for (const [i, writer] of writers.entries()) await writer.writeRows(developed[i]!, rows);
      onProgress?.((row + rows) / height);
    }
    const results: CogResult[] = [];
    for (const writer of writers) results.push(await writer.finish());
    return results;
  } catch (error) {
    for (const writer of writers) await writer.abort();
    throw error;
  }
}

/** Strips and bands have noise of their own; there are fewer than 16 bands. */
export const toStripSeed = (seed: number, firstRow: number, band: number): number =>
  (Math.imul(seed, 1_000_003) + firstRow * 16 + band) | 0;
