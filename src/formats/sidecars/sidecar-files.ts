import { throwIfCancelled } from '../../async/index.ts';
import { isSwathError, sourceBroken } from '../../errors.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';

/**
 * Suffixes of the sidecars we read: overviews, what GDAL knows of the image, and its transform as six numbers. Whatever
 * a catalog or a file says, no other sidecar is ever opened.
 */
export const sidecarSuffixes = ['.ovr', '.aux.xml', '.tfw', '.tifw', '.wld'] as const;

/** The suffix of a sidecar. */
export type SidecarSuffix = (typeof sidecarSuffixes)[number];

/** Suffixes of world files, which replace the image's own, in the order in which GDAL looks for them. */
export const worldFileSuffixes = ['.tfw', '.tifw', '.wld'] as const satisfies readonly SidecarSuffix[];

/** Which sidecars an image has, and the function that opens them: the one that opened the image. */
export interface SidecarFiles {
  /** Of the image itself. */
  readonly href: string;
  /** Only these are requested: over a network each costs a request, even to learn that it does not exist. */
  readonly suffixes: readonly SidecarSuffix[];
  readonly open: OpenSource;
}

/** The address of a sidecar: the image's with the suffix added, or with its own suffix replaced. */
export function sidecarHref(href: string, suffix: SidecarSuffix): string {
  // Signed addresses carry their signature after the path; in the name of a file these are plain characters.
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(href);
  const [, path = href, rest = ''] = (isAddress ? /^([^?#]*)(.*)$/s.exec(href) : null) ?? [];
  const isWorld = worldFileSuffixes.some((world) => world === suffix);
  return `${isWorld ? path.replace(/\.[^./]*$/, '') : path}${suffix}${rest}`;
}

/** Opens a sidecar; null when there is none, as for most images. */
export async function openSidecar(
  { href, suffixes, open }: SidecarFiles,
  suffix: SidecarSuffix,
  signal?: AbortSignal,
): Promise<ByteSource | null> {
  if (!suffixes.includes(suffix)) return null;
  throwIfCancelled(signal);
  try {
    return await open(sidecarHref(href, suffix), signal);
  } catch (error) {
    if (isSwathError(error) && error.code === 'source-gone') return null;
    throw error;
  }
}

/** The text of a small sidecar; null when there is none. */
export async function readSidecarText(
  files: SidecarFiles,
  request: { readonly suffix: SidecarSuffix; readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<string | null> {
  const { suffix, maxBytes, signal } = request;
  const source = await openSidecar(files, suffix, signal);
  if (source === null) return null;
  try {
    if (source.size > maxBytes) {
      throw sourceBroken(
        'sidecar-too-long',
        `The ${suffix} file of an image has more than ${maxBytes} bytes.`,
      );
    }
    return new TextDecoder().decode(await source.read(0, source.size, signal));
  } finally {
    await source.close();
  }
}
