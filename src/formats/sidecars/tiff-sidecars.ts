import { isSwathError } from '../../errors.ts';
import { makeProjection } from '../../proj/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import { readHeader } from '../../sources/index.ts';
import type { Georeference, Tiff } from '../tiff/index.ts';
import { openTiff, parseAuxXml, parseWorldFile, toStoredNodata } from '../tiff/index.ts';
import type { SidecarFiles, SidecarSuffix } from './sidecar-files.ts';
import { openSidecar, readSidecarText, worldFileSuffixes } from './sidecar-files.ts';

/** Limits of the parsers, in bytes of plain text. */
const MAX_WORLD_FILE_BYTES = 4_096;
const MAX_AUX_XML_BYTES = 4 * 1024 * 1024;

const lacksPosition = ({ transform, gcps }: Georeference): boolean => transform === null && gcps.length === 0;
const lacksSystem = ({ epsg, proj }: Georeference): boolean => epsg === null && proj === null;

/** The sidecars that could tell what an image does not say itself. */
export function toWantedSuffixes(
  image: Georeference & { readonly levels: readonly unknown[] },
): SidecarSuffix[] {
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
    const text = await readSidecarText(files, toRead(suffix, MAX_WORLD_FILE_BYTES, signal));
    if (text !== null) return { ...known, transform: parseWorldFile(text) };
  }
  return known;
}

const toRead = (suffix: SidecarSuffix, maxBytes: number, signal?: AbortSignal) => ({
  suffix,
  maxBytes,
  ...(signal ? { signal } : {}),
});

async function withAuxXml(tiff: Tiff, files: SidecarFiles, signal?: AbortSignal): Promise<Tiff> {
  const text = await readSidecarText(files, toRead('.aux.xml', MAX_AUX_XML_BYTES, signal));
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

/** The code of the whole system, which stands last in it, in WKT of version 1 or 2. */
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
