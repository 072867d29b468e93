import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShapeFormat, ShapeRow, VectorLimits } from '../index.ts';
import { defaultVectorLimits, readShapes } from '../index.ts';

/** Runs a test with a folder that is removed afterwards. */
export async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-vector-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All items in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** All rows of a file. */
export async function readRows(
  path: string,
  format: ShapeFormat | null = null,
  limits: Partial<VectorLimits> = {},
): Promise<ShapeRow[]> {
  const merged = Object.assign({}, defaultVectorLimits, limits);
  return collect(readShapes(path, { format, limits: merged }));
}

/** All rows of bytes that are written to a file first. */
export const readBytes = (
  bytes: string | Uint8Array,
  format: ShapeFormat | null = null,
  limits: Partial<VectorLimits> = {},
): Promise<ShapeRow[]> =>
  withFolder(async (folder) => {
    const path = join(folder, 'upload');
    await writeFile(path, bytes);
    return readRows(path, format, limits);
  });
