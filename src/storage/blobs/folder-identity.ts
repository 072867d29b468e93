import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Begins with a dot: never the name of a blob. */
const NAME = '.store-id';

/** Reads the id of a folder of blobs; null where none was made yet. */
export async function readFolderId(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, NAME), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The id of a folder of blobs, made when it is missing. A path does not tell whether two nodes share a folder: it may be
 * mounted elsewhere, or be another disk of the same name. Of several processes at once one makes it, and all read the same.
 */
export async function obtainFolderId(folder: string): Promise<string> {
  const known = await readFolderId(folder);
  if (known !== null) return known;
  await mkdir(folder, { recursive: true });
  const own = join(folder, `${NAME}.${randomUUID()}`);
  await writeFile(own, `${randomUUID()}\n`);
  try {
    // Unlike a rename, this fails if there is one already; and the file is whole as soon as it has its name.
    await link(own, join(folder, NAME)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const made = await readFolderId(folder);
  if (made === null) throw new Error('the id of a folder of results was removed');
  return made;
}
