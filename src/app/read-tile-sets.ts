import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../files/index.ts';
import { MIB } from '../units.ts';
import { badInput } from './errors.ts';

// Reads: nothing more

/** Capabilities name every set. */
const MAX_FILES = 20;

/** Reads the tile matrix sets of the operator: files of `tile-matrix-sets/` in the data directory. */
export async function readTileSets(dataDir: string): Promise<readonly { name: string; text: string }[]> {
  const folder = join(dataDir, 'tile-matrix-sets');
  const found = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const names = found.filter((name) => name.endsWith('.json')).sort();
  if (names.length > MAX_FILES)
    throw badInput(
      'too-many-tile-sets',
      `${folder} has ${names.length} tile matrix sets; ${MAX_FILES} are allowed.`,
    );
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if ((await stat(path)).size > MIB) throw badInput('large-tile-set', `${path} is larger than 1 MiB.`);
      return { name, text: await readFile(path, 'utf8') };
    }),
  );
}
