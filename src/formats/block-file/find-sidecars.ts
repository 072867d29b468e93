import type { OpenSource } from '../../sources/index.ts';
import type { SidecarSuffix } from '../sidecars/sidecar-files.ts';
import { openSidecar, worldFileSuffixes } from '../sidecars/sidecar-files.ts';
import { toWantedSuffixes } from '../sidecars/tiff-sidecars.ts';
import type { BlockFile } from './block-file.ts';

/** A sidecar and its state (`ByteSource.version`). */
export interface FoundSidecar {
  readonly suffix: SidecarSuffix;
  readonly stamp: string;
}

/**
 * Finds the sidecars of an image that tell what its own file lacks: overviews, a transform, a reference system. The
 * catalog remembers them, so that a picture need not look for them again.
 */
export async function findSidecars(
  file: BlockFile,
  { href, open, signal }: { readonly href: string; readonly open: OpenSource; readonly signal?: AbortSignal },
): Promise<FoundSidecar[]> {
  if (file.format !== 'tiff') return [];
  const found: FoundSidecar[] = [];
  for (const suffix of toWantedSuffixes(file)) {
    // Of several world files the first counts.
    const isWorld = worldFileSuffixes.some((world) => world === suffix);
    if (isWorld && found.some((other) => worldFileSuffixes.some((world) => world === other.suffix))) continue;
    const source = await openSidecar({ href, open, suffixes: [suffix] }, suffix, signal);
    if (source === null) continue;
    await source.close();
    found.push({ suffix, stamp: source.version });
  }
  return found;
}
