import { throwIfCancelled } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import { makeProjection } from '../../proj/index.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';
import { readHeader } from '../../sources/index.ts';
import { sourceBroken } from '../errors.ts';
import type { Georeference } from '../tiff/georeference/georeference.ts';
import { toStoredNodata } from '../tiff/samples/gdal-metadata.ts';
import { parseAuxXml, parseWorldFile } from '../tiff/sidecars.ts';
import type { Tiff } from '../tiff/tiff-reader.ts';
import { openTiff } from '../tiff/tiff-reader.ts';
import type { BlockFile } from './block-file.ts';

/**
 * Suffixes of the sidecars we read: overviews, what GDAL knows of the image, and its transform as six numbers. Whatever
 * a catalog or a file says, no other sidecar is ever opened.
 */
export const sidecarSuffixes = ['.ovr', '.aux.xml', '.tfw', '.tifw', '.wld'] as const;

/** The suffix of a sidecar. */
export type SidecarSuffix = (typeof sidecarSuffixes)[number];

/** Suffixes of world files, which replace the image's own, in the order in which GDAL looks for them. */
const worldFileSuffixes = ['.tfw', '.tifw', '.wld'] as const satisfies readonly SidecarSuffix[];

/** Which sidecars an image has, and the function that opens them: the one that opened the image. */
export interface SidecarFiles {
  /** Address of the image. */
  readonly href: string;
  /** Only these are requested: over a network each costs a request, even to learn that it does not exist. */
  readonly suffixes: readonly SidecarSuffix[];
  readonly open: OpenSource;
}

/** A sidecar and its state (`ByteSource.version`). */
export interface FoundSidecar {
  readonly suffix: SidecarSuffix;
  readonly stamp: string;
}

/**
 * Finds the sidecars of an image that have what its own file lacks: overviews, a transform, a reference system. The
 * catalog remembers them, so that a picture need not look for them again.
 */
export async function findSidecars(
  file: BlockFile,
  { href, open, signal }: { readonly href: string; readonly open: OpenSource; readonly signal?: AbortSignal },
): Promise<FoundSidecar[]> {
  if (file.format !== 'tiff') return [];
  const found: FoundSidecar[] = [];
  for (const suffix of toWantedSuffixes(file)) {
    // The first of several world files counts.
    const isWorld = worldFileSuffixes.some((world) => world === suffix);
    if (isWorld && found.some((other) => worldFileSuffixes.some((world) => world === other.suffix))) continue;
    const source = await openSidecar({ href, open, suffixes: [suffix] }, suffix, signal);
    if (source === null) continue;
    await source.close();
    found.push({ suffix, stamp: source.version });
  }
  return found;
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
async function openSidecar(
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
async function readSidecarText(
  files: SidecarFiles,
  { suffix, maxBytes }: { readonly suffix: SidecarSuffix; readonly maxBytes: number },
  signal?: AbortSignal,
): Promise<string | null> {
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

/** Limits of the parsers, in bytes of plain text. */
const MAX_WORLD_FILE_BYTES = 4_096;
const MAX_AUX_XML_BYTES = 4 * 1024 * 1024;

const lacksPosition = ({ transform, gcps }: Georeference): boolean => transform === null && gcps.length === 0;
const lacksSystem = ({ epsg, proj }: Georeference): boolean => epsg === null && proj === null;

/** The sidecars that could have what an image lacks. */
function toWantedSuffixes(image: Georeference & { readonly levels: readonly unknown[] }): SidecarSuffix[] {
  return [
    ...(image.levels.length === 1 ? (['.ovr'] as const) : []),
    ...(lacksPosition(image) || lacksSystem(image) ? (['.aux.xml'] as const) : []),
    ...(lacksPosition(image) ? worldFileSuffixes : []),
  ];
}

/** The same image, with the georeference of its sidecars where its own file has none. */
export async function withSidecarGeoreference(
  tiff: Tiff,
  files: SidecarFiles,
  signal?: AbortSignal,
): Promise<Tiff> {
  if (!lacksPosition(tiff) && !lacksSystem(tiff)) return tiff;
  const known = await withAuxXml(tiff, files, signal);
  if (!lacksPosition(known)) return known;
  for (const suffix of worldFileSuffixes) {
    const text = await readSidecarText(files, { suffix, maxBytes: MAX_WORLD_FILE_BYTES }, signal);
    if (text !== null) return { ...known, transform: parseWorldFile(text) };
  }
  return known;
}

async function withAuxXml(tiff: Tiff, files: SidecarFiles, signal?: AbortSignal): Promise<Tiff> {
  const text = await readSidecarText(files, { suffix: '.aux.xml', maxBytes: MAX_AUX_XML_BYTES }, signal);
  if (text === null) return tiff;
  const { wkt, transform, gcps, bands } = parseAuxXml(text);
  const nodata = bands.get(0)?.nodata ?? null;
  return {
    ...tiff,
    ...(lacksSystem(tiff) && wkt !== null ? toSystem(wkt) : {}),
    ...(lacksPosition(tiff) ? { transform, gcps: transform === null ? gcps : [] } : {}),
    nodata: tiff.nodata ?? (nodata === null ? null : toStoredNodata(nodata, tiff.images[0].type)),
  };
}

/** The EPSG code of the whole system, the last one in its WKT (version 1 or 2). */
const WKT_CODE = /(?:AUTHORITY\s*\[\s*"EPSG"\s*,\s*"|ID\s*\[\s*"EPSG"\s*,\s*)(\d{4,5})"?\s*\]\s*\]$/;

/** A system by its code if we know it, otherwise by its text; null for both when we know neither. */
function toSystem(wkt: string): Pick<Tiff, 'epsg' | 'proj'> {
  const code = WKT_CODE.exec(wkt)?.[1];
  if (code !== undefined && isKnown(Number(code))) return { epsg: Number(code), proj: null };
  return { epsg: null, proj: isKnown(wkt) ? wkt : null };
}

function isKnown(crs: number | string): boolean {
  try {
    makeProjection(crs, 4326);
    return true;
  } catch (error) {
    if (isSwathError(error) && (error.code === 'unknown-crs' || error.code === 'bad-crs')) return false;
    throw error;
  }
}

/** The overviews in the `.ovr` sidecar of an image without its own; null when there are none. */
export async function openSidecarOverviews(
  tiff: Tiff,
  files: SidecarFiles,
  signal?: AbortSignal,
): Promise<Tiff | null> {
  if (tiff.images.length > 1) return null;
  const source = await openSidecar(files, '.ovr', signal);
  if (source === null) return null;
  try {
    const overviews = await readHeader(source, (headed) => openTiff(headed, signal), signal);
    return { ...overviews, source };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The bytes of an image, closed together with those of its sidecar; its version changes with either. */
export const joinSources = (image: ByteSource, sidecar: ByteSource): ByteSource => ({
  id: image.id,
  version: `${image.version} ${sidecar.version}`,
  size: image.size,
  isNear: image.isNear === true && sidecar.isNear === true,
  read: (offset, length, signal) => image.read(offset, length, signal),
  isLost: () => image.isLost?.() === true || sidecar.isLost?.() === true,
  async close() {
    await Promise.all([image.close(), sidecar.close()]);
  },
});
