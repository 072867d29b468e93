import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that an earlier run has left. */
export interface FoundFile {
  readonly key: string;
  readonly fileBytes: number;
  readonly usedAtMs: number;
}

/** Entries have names of 32 hexadecimal digits and lie in folders named by the first two of them. */
export const isCacheKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
/** Where an entry's file lies. */
export const toEntryPath = (directory: string, key: string): string => join(directory, key.slice(0, 2), key);
/** Where it lies until it is whole; random, because in containers every process has the same number. */
export const toUnfinishedPath = (directory: string, key: string): string =>
  `${toEntryPath(directory, key)}.${randomBytes(8).toString('hex')}.new`;

const FOLDER = /^[0-9a-f]{2}$/;
const UNFINISHED = /^[0-9a-f]{32}\.[0-9a-f]{16}\.new$/;
/** Another process may be writing what is younger than this. */
const UNFINISHED_MS = 60_000;

/**
 * Every entry below a folder, least recently used first. Sweeps away what killed runs left unfinished. Links and names
 * that are not the cache's own are neither followed nor touched.
 */
export async function scanCache(directory: string, signal: AbortSignal): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const folder of await list(directory)) {
    if (!folder.isDirectory() || !FOLDER.test(folder.name)) continue;
    const path = join(directory, folder.name);
    for (const file of await list(path)) {
      if (signal.aborted) return [];
      if (!file.isFile()) continue;
      const isEntry = isCacheKey(file.name) && file.name.startsWith(folder.name);
      if (!isEntry && !UNFINISHED.test(file.name)) continue;
      const facts = await stat(join(path, file.name)).catch(ignoreGone);
      if (facts === null) continue;
      const usedAtMs = Math.max(facts.atimeMs, facts.mtimeMs);
      if (isEntry) found.push({ key: file.name, fileBytes: facts.size, usedAtMs });
      // What seems to be from the future was written before the clock was set back.
      else if (Math.abs(Date.now() - facts.mtimeMs) > UNFINISHED_MS)
        await rm(join(path, file.name), { force: true });
    }
  }
  return found.sort((a, b) => a.usedAtMs - b.usedAtMs);
}

const list = (path: string) =>
  readdir(path, { withFileTypes: true }).catch((error) => ignoreGone(error) ?? []);

/** Another process may have removed it meanwhile. */
export function ignoreGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
