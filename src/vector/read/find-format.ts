import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';
import type { ShapeFormat } from '../shapes.ts';

/** What `findFormat` looks at: the first line of newline-delimited GeoJSON fits into it. */
export const HEAD_BYTES = 1024 * 1024;

/** The format of a file by its first bytes; a content that is none of them throws `unknown-shape-format`. */
export function findFormat(head: Buffer): ShapeFormat {
  const magic = head.toString('latin1', 0, 16);
  if (magic.startsWith('SQLite format 3\0')) return 'geopackage';
  if (magic.startsWith('PAR1')) return 'geoparquet';
  if (magic.startsWith('PK\x03\x04')) return findArchiveFormat(head);
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

/** An archive is a Shapefile unless its first file is KML, as the format KMZ requires. */
const findArchiveFormat = (head: Buffer): ShapeFormat => {
  const nameLength = head.length < 30 ? 0 : head.readUInt16LE(26);
  return /\.kml$/i.test(head.toString('latin1', 30, 30 + nameLength)) ? 'kml' : 'shapefile';
};

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
