import { cancelled, isSwathError, sourceBroken } from '../../errors.ts';
import type { ByteSource, OpenSource } from '../../storage/index.ts';

/**
 * Files that others keep beside an image, by their endings: smaller copies, what GDAL knows of it, and its place as six
 * numbers. Whatever a catalog or a file says, no other name is ever opened beside an image.
 */
export const besideSuffixes = ['.ovr', '.aux.xml', '.tfw', '.tifw', '.wld'] as const;

/** The ending of a file beside an image. */
export type BesideSuffix = (typeof besideSuffixes)[number];

/** Endings that take the place of the image's own, in the order in which GDAL looks for them. */
export const worldSuffixes = ['.tfw', '.tifw', '.wld'] as const satisfies readonly BesideSuffix[];

/** Which files stand beside an image, and the door to open them by: the one the image came through. */
export interface BesideFiles {
  /** Of the image itself. */
  readonly href: string;
  /** Only these are asked for: over a network each costs a request, also to learn that it does not exist. */
  readonly suffixes: readonly BesideSuffix[];
  readonly open: OpenSource;
}

/** Where a file beside an image is: its address with the ending added, or put in place of the image's own. */
export function besideHref(href: string, suffix: BesideSuffix): string {
  // Signed addresses carry their signature behind the path; in the name of a file these are plain characters.
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(href);
  const [, path = href, rest = ''] = (isAddress ? /^([^?#]*)(.*)$/s.exec(href) : null) ?? [];
  const isWorld = worldSuffixes.some((world) => world === suffix);
  return `${isWorld ? path.replace(/\.[^./]*$/, '') : path}${suffix}${rest}`;
}

/** Opens a file beside an image; null when there is none, which is the usual case. */
export async function openBeside(
  { href, suffixes, open }: BesideFiles,
  suffix: BesideSuffix,
  signal?: AbortSignal,
): Promise<ByteSource | null> {
  if (!suffixes.includes(suffix)) return null;
  if (signal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
  try {
    return await open(besideHref(href, suffix), signal);
  } catch (error) {
    if (isSwathError(error) && error.code === 'source-gone') return null;
    throw error;
  }
}

/** The text of a small file beside an image; null when there is none. */
export async function readBesideText(
  files: BesideFiles,
  request: { readonly suffix: BesideSuffix; readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<string | null> {
  const { suffix, maxBytes, signal } = request;
  const source = await openBeside(files, suffix, signal);
  if (source === null) return null;
  try {
    if (source.size > maxBytes) {
      throw sourceBroken(
        'beside-too-long',
        `The ${suffix} file of an image has more than ${maxBytes} bytes.`,
      );
    }
    return new TextDecoder().decode(await source.read(0, source.size, signal));
  } finally {
    await source.close();
  }
}
