import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputFiles } from '../../../files/index.ts';
import { nodeFiles } from '../../../files/index.ts';
import type { PixelArray } from '../../../raster/index.ts';
import { createCog } from '../cog-writer.ts';
import type { CogOptions } from '../plan-cog.ts';

/** The real file system without waiting for the disk: hundreds of test files need not survive a power cut. */
const hastyFiles: OutputFiles = {
  ...nodeFiles,
  async createTemporary(folder) {
    const { path, file } = await nodeFiles.createTemporary(folder);
    return { path, file: { ...file, sync: async () => {} } };
  },
  syncFolder: async () => {},
};

/** Runs the work with a folder that is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tiff-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a COG `rowsAtOnce` rows at a time. */
export async function writeCogFile(
  path: string,
  options: CogOptions,
  bands: readonly PixelArray[],
  rowsAtOnce = 13,
): Promise<void> {
  const { width, height } = options;
  const cog = await createCog(path, options, hastyFiles);
  for (let row = 0; row < height; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - row);
    const part = bands.map((band) => band.subarray(row * width, (row + rows) * width));
    await cog.writeRows(part, rows);
  }
  await cog.finish();
}

/** The bytes of a COG with these pixels. */
export async function writeCogBytes(
  options: CogOptions,
  bands: readonly PixelArray[],
  rowsAtOnce = 13,
): Promise<Uint8Array> {
  return withFolder(async (folder) => {
    const path = join(folder, 'image.tif');
    await writeCogFile(path, options, bands, rowsAtOnce);
    return readFile(path);
  });
}
