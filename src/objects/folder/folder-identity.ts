import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../files/index.ts';

/** A folder with one file. Begins with a dot: never the name of a blob. */
const NAME = '.identity';
const FILE = 'id';

/** Reads the id of a folder of blobs; null where none was made yet. */
export async function readFolderId(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, NAME, FILE), 'utf8').catch(ignoreMissing);
  return text?.trim() ?? null;
}

/**
 * The id of a folder of blobs, made when it is missing. A path does not tell whether two nodes share a folder: it may be
 * mounted elsewhere, or be another disk of the same name. Of several processes at once one makes it, and all read the same.
 */
export async function obtainFolderId(folder: string): Promise<string> {
  const known = await readFolderId(folder);
  if (known !== null) return known;
  const own = join(folder, `${NAME}.${randomUUID()}`);
  await mkdir(own, { recursive: true });
  await writeFile(join(own, FILE), `${randomUUID()}\n`);
  // A folder cannot replace one that has files, and has its files as soon as it has its name. A hard link would do the
  // same, but network shares often have none.
  const refusal = await rename(own, join(folder, NAME)).catch((error: unknown) => error);
  await rm(own, { recursive: true, force: true });
  const made = await readFolderId(folder);
  if (made !== null) return made;
  throw refusal ?? new Error('the id of a folder of results was removed');
}
