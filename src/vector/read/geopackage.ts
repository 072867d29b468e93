import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import { badInput, tooLarge, unsupported } from '../errors.ts';
import type { GeometryRules } from '../geometry/clean-geometry.ts';
import { cleanGeometry, RowFault } from '../geometry/clean-geometry.ts';
import { parseGeoPackageBlob } from '../geometry/geopackage-blob.ts';
import { toLonLatFrom } from '../geometry/reference-system.ts';
import { quoteName } from '../quote-name.ts';
import type { FoundRow, VectorLimits } from '../shapes.ts';
import { toFault, toProperties } from '../shapes.ts';
import { describeTable, openUntrusted } from './open-untrusted.ts';
import type { Reading } from './reading.ts';

/** Layers of one file. */
const MAX_LAYERS = 100;
/** Rows after which other work of the thread gets its turn: the database answers synchronously. */
const TURN_ROWS = 500;

/** A layer of features, as the file lists it. */
interface Layer {
  readonly table: string;
  readonly column: string;
  readonly srs: bigint;
}

/** Reads the layers of features of a GeoPackage, one after another; layers that are views are refused. */
export async function* readGeoPackage({ path, limits, signal }: Reading): AsyncGenerator<FoundRow> {
  const database = await tried(() => openUntrusted(path, limits));
  try {
    const layers = await tried(() => listLayers(database));
    if (layers.length === 0) throw badInput('no-shapes', 'The GeoPackage has no layer of features.');
    for (const layer of layers) {
      const rules = {
        toLonLat: await tried(() => findSystem(database, layer.srs)),
        maxVertices: limits.maxVertices,
      };
      const rows = await tried(() => openRows(database, layer, limits));
      for (let count = 1; ; count++) {
        const next = await tried(() => rows.next());
        if (next === null) break;
        yield readRow(next, rows, rules);
        if (count % TURN_ROWS === 0) await setImmediate();
        throwIfCancelled(signal);
      }
    }
  } finally {
    database.close();
  }
}

const [TOO_BIG, NOT_ALLOWED] = [18, 23];

/** Errors of the database are about the file, which nobody has checked. */
async function tried<T>(run: () => T): Promise<T> {
  try {
    return run();
  } catch (error) {
    if (isSwathError(error) || !(error instanceof Error && 'errcode' in error)) throw error;
    if (error.errcode === TOO_BIG)
      throw tooLarge('shape-file-too-large', 'A row of the GeoPackage is too large.', { cause: error });
    if (error.errcode === NOT_ALLOWED)
      throw unsupported('geopackage-code', 'The GeoPackage computes its rows, which is not allowed.', {
        cause: error,
      });
    throw badInput('bad-shape-file', 'The file cannot be read as a GeoPackage: it is damaged.', {
      cause: error,
    });
  }
}

function listLayers(database: DatabaseSync): readonly Layer[] {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE name IN ('gpkg_contents', 'gpkg_geometry_columns') AND type = 'table'",
    )
    .all();
  if (names.length < 2) throw badInput('bad-shape-file', 'The database is not a GeoPackage.');
  const statement = database.prepare(
    `SELECT c.table_name, g.column_name, g.srs_id, s.type, s.sql FROM gpkg_contents c, gpkg_geometry_columns g, sqlite_schema s
     WHERE c.data_type = 'features' AND g.table_name = c.table_name AND s.name = c.table_name LIMIT ${MAX_LAYERS + 1}`,
  );
  statement.setReadBigInts(true);
  const rows = statement.all();
  if (rows.length > MAX_LAYERS)
    throw tooLarge('shape-file-too-large', `The GeoPackage has more than ${MAX_LAYERS} layers.`);
  return rows.map((row) => {
    const { table_name: table, column_name: column, srs_id: srs, type, sql } = row;
    if (typeof table !== 'string' || typeof column !== 'string' || typeof srs !== 'bigint')
      throw badInput('bad-shape-file', 'The list of layers of the GeoPackage is damaged.');
    // A view or virtual table runs code of the file.
    if (type !== 'table' || /^\s*CREATE\s+VIRTUAL/i.test(String(sql))) throw computed(table);
    return { table, column, srs };
  });
}

const computed = (table: string) =>
  unsupported('geopackage-code', `The layer '${table.slice(0, 60)}' of the GeoPackage is not a plain table.`);

/** 0 is an unknown system of longitudes and latitudes, -1 an unknown one of metres. */
function findSystem(database: DatabaseSync, srs: bigint): GeometryRules['toLonLat'] {
  if (srs === 0n || srs === 4326n) return null;
  const statement = database.prepare(
    'SELECT organization, organization_coordsys_id AS code, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?',
  );
  const found = statement.get(srs);
  if (found === undefined || srs === -1n)
    throw unsupported('shape-crs', 'The GeoPackage does not say which reference system it has.');
  const { organization, code, definition } = found;
  if (/^EPSG$/i.test(String(organization)) && typeof code === 'number') {
    try {
      return toLonLatFrom(code);
    } catch (error) {
      // Systems that are not in our table may be defined well enough.
      if (!isSwathError(error) || typeof definition !== 'string' || definition === 'undefined') throw error;
    }
  }
  return toLonLatFrom(String(definition));
}

/** The rows of a layer, as arrays of values. */
interface Rows {
  readonly names: readonly string[];
  readonly shape: number;
  /** The column that identifies a row; -1 if there is none. */
  readonly key: number;
  readonly isBoolean: readonly boolean[];
  next(): readonly unknown[] | null;
}

function openRows(database: DatabaseSync, { table, column }: Layer, { maxColumns }: VectorLimits): Rows {
  const statement = database.prepare(`SELECT * FROM ${quoteName(table)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns();
  if (columns.length > maxColumns)
    throw tooLarge('too-many-columns', `The table has more than ${maxColumns} columns.`, {
      details: { maxColumns },
    });
  const names = columns.map(({ name }) => name);
  const shape = names.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  if (shape < 0) throw badInput('bad-shape-file', `The layer has no column '${column.slice(0, 60)}'.`);
  const found = describeTable(database, table);
  // Expressions of the file would run for each row.
  if (found.isComputed) throw computed(table);
  const key = found.key === null ? -1 : names.indexOf(found.key);
  const rows = statement.iterate() as IterableIterator<unknown>;
  return {
    names,
    shape,
    key,
    isBoolean: columns.map(({ type }) => /^BOOLEAN$/i.test(type ?? '')),
    next() {
      const { done, value } = rows.next();
      return done ? null : (value as readonly unknown[]);
    },
  };
}

function readRow(
  values: readonly unknown[],
  { names, shape, key, isBoolean }: Rows,
  rules: GeometryRules,
): FoundRow {
  const entries = names.flatMap((name, i): [string, unknown][] => {
    if (i === shape || i === key) return [];
    const value = values[i];
    return [[name, isBoolean[i] && typeof value === 'bigint' ? value !== 0n : value]];
  });
  const id = key < 0 ? null : values[key];
  const row = { id: id === null || id === undefined ? null : String(id), properties: toProperties(entries) };
  const blob = values[shape];
  if (blob === null) return { ...row, geometry: null, fault: null };
  if (!(blob instanceof Uint8Array)) return toFault('The geometry is not one of a GeoPackage.', row);
  try {
    return { ...row, geometry: cleanGeometry(parseGeoPackageBlob(blob).geometry, rules), fault: null };
  } catch (error) {
    if (error instanceof RowFault) return toFault(error.message, row);
    throw error;
  }
}
