import { dirname } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { nodeFiles } from '../../files/index.ts';
import type { Box } from '../geometry/bounds.ts';
import { boxOf, growBox } from '../geometry/bounds.ts';
import { toGeoPackageBlob } from '../geometry/geopackage-blob.ts';
import { quoteName } from '../quote-name.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, TableWriter } from '../tables.ts';
import { cellOf, toIsoTime } from '../tables.ts';

/** Types of columns (OGC 12-128r18, table 1). */
const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'DOUBLE',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'DATETIME',
  geometry: 'GEOMETRY',
};

const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

/** The tables that every GeoPackage has. The time is always the same: equal rows make equal files. */
const TABLES = `
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
PRAGMA application_id = ${0x47504b47}; PRAGMA user_version = 10300;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', NULL),
  ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', NULL),
  ('WGS 84 geodetic', 4326, 'EPSG', 4326, '${WGS84}', NULL);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
  description TEXT DEFAULT '', last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
  srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
  scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));`;

/** The extension with which a program finds the shapes of a region without reading the others. */
const RTREE = {
  name: 'gpkg_rtree_index',
  definition: 'http://www.geopackage.org/spec120/#extension_rtree',
} as const;

/**
 * Triggers that keep the index in step with the layer (OGC 12-128r18, annex F.3). Their functions are those of the program
 * that changes the file; SQLite looks for them only then.
 */
function toTriggers(layer: string, shape: string): string {
  const [table, column, index] = [quoteName(layer), quoteName(shape), quoteName(`rtree_${layer}_${shape}`)];
  const name = (suffix: string): string => quoteName(`rtree_${layer}_${shape}_${suffix}`);
  const isThere = `NEW.${column} NOT NULL AND NOT ST_IsEmpty(NEW.${column})`;
  const isGone = `NEW.${column} IS NULL OR ST_IsEmpty(NEW.${column})`;
  const put = `INSERT OR REPLACE INTO ${index} VALUES (NEW.fid, ST_MinX(NEW.${column}), ST_MaxX(NEW.${column}), ST_MinY(NEW.${column}), ST_MaxY(NEW.${column}));`;
  const remove = (ids: string): string => `DELETE FROM ${index} WHERE id ${ids};`;
  return `
CREATE TRIGGER ${name('insert')} AFTER INSERT ON ${table} WHEN (${isThere}) BEGIN ${put} END;
CREATE TRIGGER ${name('update1')} AFTER UPDATE OF ${column} ON ${table}
  WHEN OLD.fid = NEW.fid AND (${isThere}) BEGIN ${put} END;
CREATE TRIGGER ${name('update2')} AFTER UPDATE OF ${column} ON ${table}
  WHEN OLD.fid = NEW.fid AND (${isGone}) BEGIN ${remove('= OLD.fid')} END;
CREATE TRIGGER ${name('update3')} AFTER UPDATE ON ${table}
  WHEN OLD.fid != NEW.fid AND (${isThere}) BEGIN ${remove('= OLD.fid')} ${put} END;
CREATE TRIGGER ${name('update4')} AFTER UPDATE ON ${table}
  WHEN OLD.fid != NEW.fid AND (${isGone}) BEGIN ${remove('IN (OLD.fid, NEW.fid)')} END;
CREATE TRIGGER ${name('delete')} AFTER DELETE ON ${table}
  WHEN OLD.${column} NOT NULL BEGIN ${remove('= OLD.fid')} END;`;
}
const CHANGED = '1980-01-01T00:00:00.000Z';

/** Names that SQLite tells apart: it ignores capital letters, and the key of a row is `fid`. */
function toNames(columns: readonly Column[]): readonly string[] {
  const taken = new Set(['fid']);
  return columns.map(({ name }) => {
    let unique = name;
    for (let i = 1; taken.has(unique.toLowerCase()); i++) unique = `${name}_${i}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Writes a GeoPackage 1.3 with one layer; the first column of geometries is its shape, others are left out. */
export async function writeGeoPackage(
  path: string,
  columns: readonly Column[],
  layer: string,
): Promise<TableWriter> {
  const shape = columns.findIndex(({ type }) => type === 'geometry');
  const indexes = columns.map((_, i) => i).filter((i) => i === shape || columns[i]?.type !== 'geometry');
  const names = toNames(columns);
  const { path: temporary, file } = await nodeFiles.createTemporary(dirname(path));
  const database = new DatabaseSync(temporary);
  let bounds: Box | null = null;
  let isOver = false;

  function describe(): void {
    const sides =
      bounds === null ? [null, null, null, null] : [bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax];
    database
      .prepare("INSERT INTO gpkg_contents VALUES (?, 'features', ?, '', ?, ?, ?, ?, ?, 4326)")
      .run(layer, layer, CHANGED, ...sides);
    database
      .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, ?, 'GEOMETRY', 4326, 0, 0)")
      .run(layer, names[shape]!);
    database
      .prepare("INSERT INTO gpkg_extensions VALUES (?, ?, ?, ?, 'write-only')")
      .run(layer, names[shape]!, RTREE.name, RTREE.definition);
    // Behind the rows: with them, each row would call functions that only other programs have.
    database.exec(toTriggers(layer, names[shape]!));
  }

  async function discard(): Promise<void> {
    if (isOver) return;
    isOver = true;
    if (database.isOpen) database.close();
    await file.close().catch(() => {});
    await nodeFiles.remove(temporary);
  }

  function createLayer(): { readonly row: StatementSync; readonly box: StatementSync } {
    const definitions = indexes.map((i) => `${quoteName(names[i]!)} ${TYPES[columns[i]!.type]}`);
    const list = indexes.map((i) => quoteName(names[i]!)).join(', ');
    const places = indexes.map(() => '?').join(', ');
    database.exec(TABLES);
    database.exec(
      `CREATE TABLE ${quoteName(layer)} (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, ${definitions.join(', ')})`,
    );
    const index = quoteName(`rtree_${layer}_${names[shape]!}`);
    database.exec(`CREATE VIRTUAL TABLE ${index} USING rtree(id, minx, maxx, miny, maxy)`);
    return {
      row: database.prepare(`INSERT INTO ${quoteName(layer)} (${list}) VALUES (${places})`),
      box: database.prepare(`INSERT INTO ${index} VALUES (?, ?, ?, ?, ?)`),
    };
  }

  const insert = await attempt(createLayer, discard);
  return {
    async write({ rows, columns: values }) {
      database.exec('BEGIN');
      for (let row = 0; row < rows; row++) {
        const geometry = cellOf(values[shape]!, row) as ShapeGeometry | null;
        const box = geometry && boxOf(geometry);
        const own = box && ([box.xmin, box.xmax, box.ymin, box.ymax] as const);
        if (box !== null) {
          if (bounds === null) bounds = box;
          else growBox(bounds, box);
        }
        const { lastInsertRowid } = insert.row.run(
          ...indexes.map((i) => toSql(cellOf(values[i]!, row), columns[i]!.type)),
        );
        if (own !== null) insert.box.run(lastInsertRowid, ...own);
      }
      database.exec('COMMIT');
    },
    async finish() {
      try {
        describe();
        database.close();
        await file.sync();
        await nodeFiles.rename(temporary, path);
        await nodeFiles.syncFolder(dirname(path));
      } finally {
        await discard();
      }
    },
    discard,
  };
}

/** The result of a function; if it throws, what there is so far is removed first. */
async function attempt<T>(run: () => T, discard: () => Promise<void>): Promise<T> {
  try {
    return run();
  } catch (error) {
    await discard();
    throw error;
  }
}

function toSql(
  value: ReturnType<typeof cellOf>,
  type: ColumnType,
): string | number | bigint | Uint8Array | null {
  if (value === null) return null;
  switch (type) {
    case 'geometry':
      return toGeoPackageBlob(value as ShapeGeometry);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'timestamp':
      return toIsoTime(value);
    case 'integer':
      return Number.isFinite(value) ? BigInt(Math.trunc(value as number)) : null;
    case 'number':
      return Number.isFinite(value) ? (value as number) : null;
    default:
      return String(value);
  }
}
