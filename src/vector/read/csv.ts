import { isSwathError } from '../../errors.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { ToLonLat } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { isShapeText, parseShapeText } from '../geometry/parse-shape-text.ts';
import { toLonLatFrom } from '../geometry/reference-system.ts';
import type { RawGeometry } from '../geometry/wkb.ts';
import type { FoundRow, VectorLimits } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import type { CsvRecord } from './csv-records.ts';
import { findDelimiter, readRecords, splitRecord, trimReturn } from './csv-records.ts';
import { readChunks, readHead } from './file-chunks.ts';
import type { Reading } from './reading.ts';
import { decodeText } from './text-encoding.ts';

/** Names of the column of shapes, in small letters, the surest first. */
const SHAPE_NAMES = [
  ...['wkt', 'geometry', 'geom', 'the_geom', 'wkt_geom', 'geom_wkt', 'geometry_wkt', 'wkb_geometry', 'wkb'],
  ...['geojson', 'polygon', 'boundary', 'shape', 'coordinates'],
];
/** Names of the columns of points. */
const LON_NAMES = ['longitude', 'lon', 'lng', 'long', 'x'];
const LAT_NAMES = ['latitude', 'lat', 'y'];

/** Enough to see the delimiter in a header of a thousand columns. */
const HEAD_BYTES = 65_536;

/** Reads a table with a header, and a column of shapes or two of longitudes and latitudes. */
export async function* readCsv({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const { head } = await readHead(path, HEAD_BYTES, limits.maxBytes);
  const delimiter = findDelimiter(decodeText(head).replace(/^\ufeff/, ''));
  const records = readRecords(readChunks(path, signal), delimiter, limits.maxRowBytes);
  let table: Table | null = null;
  let names: readonly string[] | null = null;
  for await (const record of records) {
    const values = toValues(record, delimiter);
    if (values === null) continue;
    if (names === null) {
      if (typeof values === 'string') throw notTable('its header cannot be read');
      names = toNames(values, limits);
      continue;
    }
    // Where the shapes are can take a look at the first row.
    table ??= {
      names,
      place: findShapes(names, typeof values === 'string' ? [] : values),
      limits,
      systems: new Map(),
    };
    yield typeof values === 'string' ? toFault(values) : readRow(values, table);
  }
  if (names === null) throw notTable('it is empty');
  if (table === null) findShapes(names, []);
}

const notTable = (why: string) => badInput('bad-shape-file', `The file is not a table of shapes: ${why}.`);

/** The values of a record, a fault, or null for an empty line. */
function toValues(record: CsvRecord, delimiter: string): readonly string[] | string | null {
  if (record === 'too-long') return 'The row is too long.';
  if (record === 'unclosed') return 'A quote is opened in this row and never closed.';
  const text = decodeText(trimReturn(record));
  return text.trim() === '' ? null : splitRecord(text, delimiter);
}

function toNames(values: readonly string[], { maxColumns }: VectorLimits): readonly string[] {
  if (values.length > maxColumns)
    throw tooLarge('too-many-columns', `The table has more than ${maxColumns} columns.`, {
      details: { maxColumns },
    });
  const seen = new Map<string, number>();
  return values.map((value, i) => {
    const name = value.replace(/^\ufeff/, '').trim() || `column_${i + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

/** The columns that hold the shape: one of text, or two of numbers. */
type ShapePlace = { readonly column: number } | { readonly lon: number; readonly lat: number };

function findShapes(names: readonly string[], first: readonly string[]): ShapePlace {
  const small = names.map((name) => name.toLowerCase());
  const find = (known: readonly string[]): number =>
    known.map((name) => small.indexOf(name)).find((index) => index >= 0) ?? -1;
  const column = find(SHAPE_NAMES);
  if (column >= 0) return { column };
  const written = first.slice(0, names.length).findIndex(isShapeText);
  if (written >= 0) return { column: written };
  const [lon, lat] = [find(LON_NAMES), find(LAT_NAMES)];
  if (lon >= 0 && lat >= 0) return { lon, lat };
  throw badInput(
    'no-shapes',
    "The table has no column of shapes: name the column with well-known text 'wkt'.",
  );
}

interface Table {
  readonly names: readonly string[];
  readonly place: ShapePlace;
  readonly limits: VectorLimits;
  /** Reference systems that cells have named, by EPSG code. */
  readonly systems: Map<number, ToLonLat | null>;
}

function readRow(values: readonly string[], table: Table): FoundRow {
  const { names, place, limits } = table;
  if (values.length !== names.length)
    return toFault(`The row has ${values.length} values where the header has ${names.length}.`);
  const isShape = (i: number): boolean => 'column' in place && i === place.column;
  const entries = names.flatMap((name, i): [string, string | null][] =>
    isShape(i) ? [] : [[name, values[i]!.trim() === '' ? null : values[i]!]],
  );
  const row = { id: null, properties: toProperties(entries) };
  try {
    const { geometry, srid } = readShape(values, place);
    const rules = { toLonLat: findSystem(srid, table.systems), maxVertices: limits.maxVertices };
    return { ...row, geometry: cleanGeometry(geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}

function readShape(values: readonly string[], place: ShapePlace): RawGeometry {
  if ('column' in place) {
    const text = values[place.column]!;
    return text.trim() === '' ? { geometry: null, srid: null } : parseShapeText(text);
  }
  const [lon, lat] = [values[place.lon]!.trim(), values[place.lat]!.trim()];
  if (lon === '' && lat === '') return { geometry: null, srid: null };
  if (lon === '' || lat === '') throw new RowFault('The row has a longitude or a latitude, but not both.');
  return { geometry: { type: 'Point', coordinates: [Number(lon), Number(lat)] }, srid: null };
}

function findSystem(srid: number | null, systems: Table['systems']): ToLonLat | null {
  if (srid === null || srid === 0) return null;
  try {
    if (!systems.has(srid)) systems.set(srid, toLonLatFrom(srid));
    return systems.get(srid) ?? null;
  } catch (error) {
    if (isSwathError(error)) throw new RowFault(error.message);
    throw error;
  }
}
