import type { BlockFile, FoundSidecar } from '../../formats/block-file/index.ts';
import { findSidecars, openBlockFile } from '../../formats/block-file/index.ts';
import type { Jp2Decoder } from '../../formats/jp2/index.ts';
import type { Affine } from '../../geo/index.ts';
import type { CrsId } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { OpenSource } from '../../sources/index.ts';

/** How headers are read: in the same way as pixels later. */
export interface HeaderDeps {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly signal?: AbortSignal | undefined;
}

/** An opened image with what its sidecars add. */
export interface OpenedImage {
  readonly href: string;
  readonly file: BlockFile;
  readonly sidecars: readonly FoundSidecar[];
  /** State of the file and then of its sidecars. */
  readonly stamps: readonly string[];
}

/** Opens an image with its sidecars, makes a record of its header, and closes it. */
export async function readHeader<T>(
  deps: HeaderDeps,
  href: string,
  toRecord: (image: OpenedImage) => T,
): Promise<T> {
  const image = await openWithSidecars(deps, href);
  try {
    return toRecord(image);
  } finally {
    await image.file.source.close();
  }
}

async function openWithSidecars(
  { open, jp2Decoder, signal }: HeaderDeps,
  href: string,
): Promise<OpenedImage> {
  const source = await open(href, signal);
  try {
    const stamp = source.version;
    const file = await openBlockFile(source, { jp2Decoder, signal });
    const sidecars = await findSidecars(file, { href, open, ...(signal ? { signal } : {}) });
    const stamps = [stamp, ...sidecars.map((one) => one.stamp)];
    if (sidecars.length === 0) return { href, file, sidecars, stamps };
    const files = { href, open, suffixes: sidecars.map(({ suffix }) => suffix) };
    const whole = await openBlockFile(source, { jp2Decoder, signal, sidecars: files });
    return { href, file: whole, sidecars, stamps };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Where a file says that its image lies, by an affine transform; null if it does not say it. */
export function findAffinePlacement({
  epsg,
  proj,
  transform,
}: Pick<BlockFile, 'epsg' | 'proj' | 'transform'>): {
  readonly crs: CrsId;
  readonly transform: Affine;
} | null {
  const crs = epsg ?? proj;
  if (crs === null || transform === null) return null;
  // Throws for an unsupported reference system.
  makeProjection(crs, 4326);
  return { crs, transform };
}
