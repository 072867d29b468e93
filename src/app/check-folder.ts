import { statSync } from 'node:fs';
import { badInput, notAllowed } from '../errors.ts';
import { mayHoldScenes } from '../sources/index.ts';
import type { Config } from './config.ts';

/** Refuses a path that is no folder, or that nothing may be ingested from: said once and at the start, not of every file. */
export function checkFolder(path: string, { dataDir, sources }: Config, what: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw badInput('no-folder', `There is no folder ${path}. Check the spelling.`);
  if (!facts.isDirectory()) throw badInput('no-folder', `${path} is a file, not a folder.`);
  if (mayHoldScenes(path, { dataDir, folders: sources.folders })) return;
  throw notAllowed(
    'folder-not-allowed',
    `${what} may not lie in ${path}: neither the data directory nor SWATH_SOURCES names it. Set SWATH_SOURCES="${path}" here and for the server, which opens the files later.`,
  );
}
