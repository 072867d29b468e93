import { join } from 'node:path';
import { sourceBroken } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { openFileSource } from './file-source.ts';
import { makeResolveInside } from './resolve-inside.ts';

/** Opens what a catalogued href points at. */
export type OpenSource = (href: string, signal?: AbortSignal) => Promise<ByteSource>;

/** Plain names joined by single slashes: no way up, no absolute path, no drive, nothing hidden. */
const SAFE_HREF = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){0,19}$/;

/** True for an href that can only lie inside the data directory. */
export const isDataHref = (href: string): boolean => SAFE_HREF.test(href);

/**
 * Opens files of the data directory, and nothing outside of it, also not through a symbolic link, unless
 * that leads into one of the named folders.
 */
export function makeDataFiles(directory: string, folders: readonly string[] = []): OpenSource {
  const resolveInside = makeResolveInside([directory, ...folders]);
  return async (href) => {
    if (!isDataHref(href))
      throw sourceBroken('bad-href', 'A file of this scene has an address that is not allowed.');
    return openFileSource(await resolveInside(join(directory, href)));
  };
}
