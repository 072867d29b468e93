import type { FileMetaData, SchemaElement } from 'hyparquet';
import { isObject } from '../../json.ts';
import { badInput, tooLarge, unsupported } from '../errors.ts';
import type { ToLonLat } from '../geometry/clean-geometry.ts';
import { parseCrsName, toLonLatFrom } from '../geometry/reference-system.ts';

/** The column of shapes of a Parquet file. */
export interface ShapeColumn {
  readonly name: string;
  readonly toLonLat: ToLonLat | null;
}

/** Names of a column of well-known binary in files that do not say. */
const NAMES = ['geometry', 'geom', 'wkb_geometry', 'wkb', 'the_geom', 'shape'];

/** The columns of the top level that hold one value a row. */
function plainElements({ schema }: Pick<FileMetaData, 'schema'>): readonly SchemaElement[] {
  const plain: SchemaElement[] = [];
  for (let i = 1; i < schema.length; ) {
    const element = schema[i]!;
    if (!element.num_children && element.repetition_type !== 'REPEATED') plain.push(element);
    i = skipElement(schema, i);
  }
  return plain;
}

/** The index after an element and all its children. */
function skipElement(schema: readonly SchemaElement[], index: number): number {
  let next = index + 1;
  let open = schema[index]?.num_children ?? 0;
  // Depth does not matter: each element closes one place and opens those of its children.
  while (open > 0 && next < schema.length) {
    open += (schema[next]?.num_children ?? 0) - 1;
    next++;
  }
  return next;
}

/** The columns that are read, with that of the shapes; too many throw `too-many-columns`. */
export function listColumns(
  metadata: FileMetaData,
  shape: string,
  maxColumns: number,
): readonly SchemaElement[] {
  const elements = plainElements(metadata).filter(isRead);
  if (!elements.some(({ name }) => name === shape))
    throw badInput('no-shapes', `The file has no column '${shape.slice(0, 60)}'.`);
  if (elements.length > maxColumns)
    throw tooLarge('too-many-columns', `The table has more than ${maxColumns} columns.`, {
      details: { maxColumns },
    });
  return elements;
}

/** Decimal numbers of any length cost the square of it, and few files have BSON or intervals. */
export const isRead = ({ type, converted_type, type_length }: SchemaElement): boolean =>
  type !== undefined &&
  converted_type !== 'BSON' &&
  converted_type !== 'INTERVAL' &&
  (converted_type !== 'DECIMAL' || (type !== 'BYTE_ARRAY' && (type_length ?? 0) <= 32));

/** Finds the shapes by the metadata `geo`, by the type of a column, or by its name. */
export function findShapeColumn(metadata: FileMetaData): ShapeColumn {
  const text = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
  if (text !== undefined) return readGeo(text);
  const elements = plainElements(metadata);
  const typed = elements.find(({ logical_type }) => /^GEO(?:METRY|GRAPHY)$/.test(logical_type?.type ?? ''));
  if (typed !== undefined) {
    const crs =
      typed.logical_type !== undefined && 'crs' in typed.logical_type ? typed.logical_type.crs : undefined;
    return { name: typed.name, toLonLat: crs === undefined ? null : toLonLatFrom(codeOf(crs)) };
  }
  const bytes = elements.filter(
    ({ type, converted_type, logical_type }) => type === 'BYTE_ARRAY' && !converted_type && !logical_type,
  );
  const named = bytes.find(({ name }) => NAMES.includes(name.toLowerCase()));
  if (named === undefined)
    throw badInput('no-shapes', "The Parquet file has no column of shapes, nor metadata 'geo'.");
  return { name: named.name, toLonLat: null };
}

/** The metadata of GeoParquet 1.0 and 1.1. */
function readGeo(text: string): ShapeColumn {
  const geo = parseJson(text);
  const primary = isObject(geo) ? geo.primary_column : null;
  const columns = isObject(geo) ? geo.columns : null;
  if (typeof primary !== 'string' || !isObject(columns) || !Object.hasOwn(columns, primary))
    throw badInput(
      'bad-shape-file',
      "The metadata 'geo' of the Parquet file does not name its column of shapes.",
    );
  const column = columns[primary];
  const encoding = isObject(column) ? column.encoding : null;
  if (!isObject(column) || encoding !== 'WKB')
    throw unsupported(
      'shape-encoding',
      `Shapes of the encoding '${String(encoding).slice(0, 30)}' are not read; use WKB.`,
    );
  const crs = column.crs;
  return {
    name: primary,
    toLonLat: crs === undefined || crs === null ? null : toLonLatFrom(readProjJson(crs)),
  };
}

/** The code of a PROJJSON object. */
function readProjJson(crs: unknown): number {
  const ids = isObject(crs) ? crs.ids : null;
  const id = isObject(crs) ? (crs.id ?? (Array.isArray(ids) ? ids[0] : null)) : null;
  return codeOf(isObject(id) ? `${String(id.authority)}:${String(id.code)}` : '');
}

function codeOf(name: string): number {
  const code = parseCrsName(name);
  if (code === null) throw unsupported('shape-crs', 'The reference system of the file has no EPSG code.');
  return code;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
