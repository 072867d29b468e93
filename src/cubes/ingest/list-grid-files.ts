import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { notFound, tooLarge } from '../../errors.ts';

/** A copy of a file that is only there to be read. */
interface GridCopy {
  readonly path: string;
  remove(): Promise<void>;
}

/** A file of fields, or a folder of Zarr, and its state. */
export interface FoundGrid {
  readonly path: string;
  /** Changes whenever the file does. */
  readonly stamp: string;
  /** Copies what is not a file of this machine, before it is read; its name says what it is. */
  readonly makeCopy?: () => Promise<GridCopy>;
}

/** By extension; files of GFS, and of models that NCEP distributes with it, have the forecast hour instead of one. */
const FILE = /\.(?:nc|nc4|cdf|h5|hdf5|he5|tif|tiff|gri?b|gri?b1|gri?b2)$|\.p?grb2?[a-z]*\..*f\d{2,3}$/i;
/** Files of one run; two a day for 80 years are 58,000. */
const MAX_FILES = 200_000;

/** Lists the files of fields at a path, by name: itself, or those below a folder. */
export async function listGridFiles(from: string): Promise<readonly FoundGrid[]> {
  const stats = await stat(from).catch((cause: unknown) => {
    throw notFound('no-files', `There is no file or folder ${from}.`, { cause });
  });
  if (!stats.isDirectory()) return [{ path: from, stamp: toStamp([stats]) }];
  const found: FoundGrid[] = [];
  await walk(from, found);
  return found;
}

async function walk(folder: string, found: FoundGrid[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'zarr.json' || name === '.zgroup')) {
    found.push({ path: folder, stamp: await stampFolder(folder) });
    return;
  }
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) await walk(path, found);
    else if (isFileOfFields(entry)) found.push({ path, stamp: toStamp([await stat(path)]) });
    if (found.length > MAX_FILES)
      throw tooLarge('too-many-files', `The folder has more than ${MAX_FILES} files.`);
  }
}

const isFileOfFields = (entry: Dirent): boolean =>
  (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith('.') && FILE.test(entry.name);

/** A folder of Zarr has changed when any of its files has. */
async function stampFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length > MAX_FILES)
    throw tooLarge('too-many-files', `The Zarr folder has more than ${MAX_FILES} files.`);
  const stats: { readonly size: number; readonly mtimeMs: number }[] = [];
  for (const { parentPath, name } of files) stats.push(await stat(join(parentPath, name)));
  return toStamp(stats);
}

function toStamp(stats: readonly { readonly size: number; readonly mtimeMs: number }[]): string {
  let [size, latestMs] = [0, 0];
  for (const one of stats) [size, latestMs] = [size + one.size, Math.max(latestMs, one.mtimeMs)];
  return `${stats.length}-${size}-${latestMs}`;
}
