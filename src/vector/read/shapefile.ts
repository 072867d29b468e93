import { badInput } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { toLonLatFrom } from '../geometry/reference-system.ts';
import type { FoundRow } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import type { ArchiveEntry } from './archive.ts';
import { listArchive, readEntry, readSmallEntry } from './archive.ts';
import { ByteStream } from './byte-stream.ts';
import type { DbfTable } from './dbf.ts';
import { readDbfHeader, readDbfRecord } from './dbf.ts';
import { readHead } from './file-chunks.ts';
import type { Reading } from './reading.ts';
import { parseShpRecord } from './shp-record.ts';

/** A .prj or .cpg file; the longest definition that is read has 16 kB. */
const MAX_SMALL_BYTES = 16_384;
const SHP_CODE = 9994;

const damaged = (why: string) => badInput('bad-shape-file', `The Shapefile cannot be read: ${why}.`);

/** The files of one Shapefile in an archive. */
interface Layer {
  readonly shp: ArchiveEntry;
  readonly other: (extension: string) => ArchiveEntry | null;
}

/**
 * Reads the Shapefiles in a zip archive, one after another in the order of their names. Files are unpacked while they are
 * read. Without a .prj, coordinates are longitudes and latitudes.
 */
export async function* readShapefile(reading: Reading): AsyncGenerator<FoundRow> {
  const { head } = await readHead(reading.path, 4, reading.limits.maxBytes);
  if (head.toString('latin1') !== 'PK\x03\x04')
    throw damaged('it is not a zip archive; put the .shp, .dbf, .prj and .cpg files into one');
  const layers = findLayers(await listArchive(reading.path));
  if (layers.length === 0) throw damaged('the archive has no .shp file');
  for (const layer of layers) yield* readLayer(layer, reading);
}

function findLayers(entries: readonly ArchiveEntry[]): readonly Layer[] {
  // Archives of macOS hold a second file of the same name for each.
  const files = entries.filter(({ name }) => !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name));
  const byName = new Map(files.map((entry) => [entry.name.toLowerCase(), entry]));
  return files
    .filter(({ name }) => /\.shp$/i.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((shp) => {
      const base = shp.name.slice(0, -'.shp'.length).toLowerCase();
      return { shp, other: (extension) => byName.get(`${base}.${extension}`) ?? null };
    });
}

async function* readLayer(layer: Layer, { path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const readText = async (extension: string): Promise<string | null> => {
    const entry = layer.other(extension);
    return entry && (await readSmallEntry(path, entry, MAX_SMALL_BYTES, limits)).toString();
  };
  const definition = (await readText('prj'))?.replace(/^\ufeff/, '').trim();
  const rules = { toLonLat: toLonLatFrom(definition || null), maxVertices: limits.maxVertices };
  const codePage = await readText('cpg');
  const table = layer.other('dbf');
  const shapes = new ByteStream(readEntry(path, layer.shp, limits, signal));
  const rows = table === null ? null : new ByteStream(readEntry(path, table, limits, signal));
  try {
    const header = rows && (await readDbfHeader(rows, limits, codePage));
    await checkShpHeader(shapes);
    for (;;) {
      const geometry = await readNext(shapes, rules, limits.maxRowBytes);
      if (geometry === null) return;
      const row = await joinRow(geometry, rows, header);
      if (row !== null) yield row;
    }
  } finally {
    await shapes.close();
    await rows?.close();
  }
}

async function checkShpHeader(shapes: ByteStream): Promise<void> {
  const header = await shapes.take(100);
  if (header === null || header.readInt32BE(0) !== SHP_CODE) throw damaged('its .shp file is not one');
}

/** A geometry, or why it cannot be read; null after the last record. */
async function readNext(
  shapes: ByteStream,
  rules: GeometryRules,
  maxRowBytes: number,
): Promise<Pick<FoundRow, 'geometry' | 'fault'> | null> {
  const head = await shapes.take(8);
  if (head === null) return null;
  const bytes = head.readUInt32BE(4) * 2;
  if (bytes > maxRowBytes) {
    if (!(await shapes.skip(bytes))) throw damaged('its .shp file is truncated');
    return { geometry: null, fault: `The row has more than ${maxRowBytes} bytes.` };
  }
  const record = await shapes.take(bytes);
  if (record === null) throw damaged('its .shp file is truncated');
  try {
    return { geometry: cleanGeometry(parseShpRecord(record), rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return { geometry: null, fault: error.message };
    throw error;
  }
}

/** The shape with its row of the table; null if the row is marked as deleted. */
async function joinRow(
  { geometry, fault }: Pick<FoundRow, 'geometry' | 'fault'>,
  rows: ByteStream | null,
  table: DbfTable | null,
): Promise<FoundRow | null> {
  if (rows === null || table === null) return { id: null, properties: {}, geometry, fault };
  const record = await rows.take(table.recordBytes);
  if (record === null) return toFault(fault ?? 'The table has no row for this shape.');
  const entries = readDbfRecord(record, table);
  return entries && { id: null, properties: toProperties(entries), geometry, fault };
}
