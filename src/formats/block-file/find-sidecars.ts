import type { OpenSource } from '../../storage/index.ts';
import type { BesideSuffix } from '../sidecars/sidecar-files.ts';
import { openBeside, worldSuffixes } from '../sidecars/sidecar-files.ts';
import { toWantedSuffixes } from '../sidecars/tiff-sidecars.ts';
import type { BlockFile } from './block-file.ts';

/** A file beside an image, and its state (`ByteSource.version`). */
export interface FoundBeside {
  readonly suffix: BesideSuffix;
  readonly stamp: string;
}

/**
 * Looks which files stand beside an image and could tell what it lacks: smaller copies, a place, a reference system. For
 * the catalog to remember, so that a picture need not look for them again.
 */
export async function findBeside(
  file: BlockFile,
  { href, open, signal }: { readonly href: string; readonly open: OpenSource; readonly signal?: AbortSignal },
): Promise<FoundBeside[]> {
  if (file.format !== 'tiff') return [];
  const found: FoundBeside[] = [];
  for (const suffix of toWantedSuffixes(file)) {
    // Of several world files the first counts.
    const isWorld = worldSuffixes.some((world) => world === suffix);
    if (isWorld && found.some((other) => worldSuffixes.some((world) => world === other.suffix))) continue;
    const source = await openBeside({ href, open, suffixes: [suffix] }, suffix, signal);
    if (source === null) continue;
    await source.close();
    found.push({ suffix, stamp: source.version });
  }
  return found;
}
