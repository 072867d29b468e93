import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';
import type { ShapeFormat } from '../shapes.ts';
import { listArchive } from './archive.ts';

/** What `findFormat` looks at: the first line of newline-delimited GeoJSON fits into it. */
export const HEAD_BYTES = 1024 * 1024;

/**
 * The format of a file by its first bytes, or by the names in an archive; a content that is none of them throws
 * `unknown-shape-format`.
 */
export async function findFormat(path: string, head: Buffer): Promise<ShapeFormat> {
  const magic = head.toString('latin1', 0, 16);
  if (magic.startsWith('SQLite format 3\0')) return 'geopackage';
  if (magic.startsWith('PAR1')) return 'geoparquet';
  if (magic.startsWith('PK\x03\x04')) return findArchiveFormat(path);
  // The code of a .shp file: its reader says that it must be zipped.
  if (magic.startsWith('\0\0\x27\x0a')) return 'shapefile';
  if (magic.startsWith('\x1e')) return 'geojsonseq';
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  const [first] = /\S/.exec(text) ?? [];
  if (first === '{') return isLines(text) ? 'geojsonseq' : 'geojson';
  if (first === '<') return 'kml';
  // Any text can be a table; the reader of tables says what its header lacks.
  if (first !== undefined && !text.includes('\0')) return 'csv';
  throw badInput(
    'unknown-shape-format',
    'The file is not GeoJSON, GeoPackage, a zipped Shapefile, GeoParquet, KML or CSV.',
  );
}

/** An archive with Shapefiles is one; any other with KML is KMZ. */
async function findArchiveFormat(path: string): Promise<ShapeFormat> {
  const names = (await listArchive(path)).map(({ name }) => name.toLowerCase());
  const hasFile = (end: string): boolean => names.some((name) => name.endsWith(end));
  return !hasFile('.shp') && hasFile('.kml') ? 'kml' : 'shapefile';
}

/** True if the first line is a feature or geometry of its own, and more text follows. */
function isLines(text: string): boolean {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', start);
  if (end < 0 || text.slice(end).trim() === '') return false;
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return isObject(value) && value.type !== 'FeatureCollection';
  } catch {
    return false;
  }
}
