import { isSwathError } from '../../errors.ts';
import { makeProjection } from '../../proj/index.ts';
import type { ByteSource } from '../../storage/index.ts';
import type { Tiff } from '../tiff/index.ts';
import { openTiff, parseAuxXml, parseWorldFile, toStoredNodata } from '../tiff/index.ts';
import type { BesideFiles, BesideSuffix } from './sidecar-files.ts';
import { openBeside, readBesideText, worldSuffixes } from './sidecar-files.ts';

/** Limits of the parsers, in bytes of plain text. */
const MAX_WORLD_FILE_BYTES = 4_096;
const MAX_AUX_XML_BYTES = 4 * 1024 * 1024;

type Place = Pick<Tiff, 'epsg' | 'proj' | 'transform' | 'gcps'>;

const lacksPosition = ({ transform, gcps }: Place): boolean => transform === null && gcps.length === 0;
const lacksSystem = ({ epsg, proj }: Place): boolean => epsg === null && proj === null;

/** The files beside an image that could tell what it does not say itself. */
export function toWantedSuffixes(image: Place & { readonly levels: readonly unknown[] }): BesideSuffix[] {
  return [
    ...(image.levels.length === 1 ? (['.ovr'] as const) : []),
    ...(lacksPosition(image) || lacksSystem(image) ? (['.aux.xml'] as const) : []),
    ...(lacksPosition(image) ? worldSuffixes : []),
  ];
}

/** The same image, placed by the files beside it where it does not say itself where it lies. */
export async function placeByBeside(tiff: Tiff, files: BesideFiles, signal?: AbortSignal): Promise<Tiff> {
  if (!lacksPosition(tiff) && !lacksSystem(tiff)) return tiff;
  const known = await withAuxXml(tiff, files, signal);
  if (!lacksPosition(known)) return known;
  for (const suffix of worldSuffixes) {
    const text = await readBesideText(files, toRead(suffix, MAX_WORLD_FILE_BYTES, signal));
    if (text !== null) return { ...known, transform: parseWorldFile(text) };
  }
  return known;
}

const toRead = (suffix: BesideSuffix, maxBytes: number, signal?: AbortSignal) => ({
  suffix,
  maxBytes,
  ...(signal ? { signal } : {}),
});

async function withAuxXml(tiff: Tiff, files: BesideFiles, signal?: AbortSignal): Promise<Tiff> {
  const text = await readBesideText(files, toRead('.aux.xml', MAX_AUX_XML_BYTES, signal));
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

/** A system by its code where it has one that we know, else by its text; neither when we know neither. */
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

/** The smaller copies beside an image that has none inside; null when there are none. */
export async function openOverviewsBeside(
  tiff: Tiff,
  files: BesideFiles,
  signal?: AbortSignal,
): Promise<Tiff | null> {
  if (tiff.images.length > 1) return null;
  const source = await openBeside(files, '.ovr', signal);
  if (source === null) return null;
  try {
    return await openTiff(source, signal);
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The bytes of an image, closed together with those beside it; its version changes with either. */
export const joinSources = (image: ByteSource, beside: ByteSource): ByteSource => ({
  id: image.id,
  version: `${image.version} ${beside.version}`,
  size: image.size,
  isNear: image.isNear === true && beside.isNear === true,
  read: (offset, length, signal) => image.read(offset, length, signal),
  async close() {
    await Promise.all([image.close(), beside.close()]);
  },
});
