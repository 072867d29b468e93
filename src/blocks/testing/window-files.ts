import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCog } from '../../formats/cog/index.ts';

/** Pixels on a side. */
export const SIZE = 700;

/** The value of a pixel unless a test gives another. */
export const valueAt = (x: number, y: number): number => 1 + ((x * 7 + y * 13) % 60_000);

interface FileOptions {
  readonly value?: (x: number, y: number) => number;
  /** A second band that says where there is data. */
  readonly alpha?: (x: number, y: number) => number;
  readonly compression?: 'zstd' | 'deflate';
}

/** Builds the function that writes a test file into a folder. */
export function makeWriteFile(directory: string) {
  /** The file that most tests begin with, made once. */
  let plain: Promise<string> | undefined;

  async function writeFile(name: string, options?: FileOptions): Promise<void> {
    if (options !== undefined) return writeImage(name, options);
    plain ??= writeImage('of-all-tests.tif', {}).then(() => join(directory, 'of-all-tests.tif'));
    copyFileSync(await plain, join(directory, name));
  }

  async function writeImage(
    name: string,
    { value = valueAt, alpha, compression = 'zstd' }: FileOptions,
  ): Promise<void> {
    const cog = await createCog(join(directory, name), {
      width: SIZE,
      height: SIZE,
      bandCount: alpha === undefined ? 1 : 2,
      type: 'uint16',
      epsg: 32631,
      transform: [500_000, 10, 0, 4_700_000, 0, -10],
      nodata: null,
      compression,
      predictor: 2,
      blockSize: 256,
      ...(alpha === undefined ? {} : { alpha: true }),
    });
    const plane = (of: (x: number, y: number) => number) =>
      new Uint16Array(SIZE * SIZE).map((_, i) => of(i % SIZE, Math.floor(i / SIZE)));
    await cog.writeRows(alpha === undefined ? [plane(value)] : [plane(value), plane(alpha)], SIZE);
    await cog.finish();
  }

  return writeFile;
}
