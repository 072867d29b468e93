/** Scenes in SQL, the same on both databases: a scene as a row, and the conditions, orders and pages of searches. */

import { makePause } from '../../async/index.ts';
import type {
  FieldFilter,
  FieldValue,
  NewScene,
  Scene,
  SceneHit,
  SceneQuery,
  StoredFiles,
} from '../../catalog/index.ts';
import {
  makeKeyOrders,
  makeListFiles,
  toCanonicalEntries,
  toSearchFields,
  toVersion,
} from '../../catalog/index.ts';
import type { AreaGeometry, LonLat, Ring } from '../../geo/index.ts';
import type { Clause } from './sql.ts';
import { all, any, list, raw, sql } from './sql.ts';

/** A scene as it is stored: searchable fields in columns, the record in two pieces of JSON. */
export interface SceneRow {
  readonly viewId: string;
  readonly sceneId: string;
  readonly productId: string | null;
  readonly dataset: string;
  readonly date: string;
  readonly cloud: number | null;
  readonly version: string;
  /** All fields for filters and sorting. */
  readonly fields: string;
  /** Well-known binary in hexadecimal digits. */
  readonly footprint: string;
  /** The fields of a hit. */
  readonly hit: string;
  /** The rest of the record, opaque to the store: files, calibration and so on. */
  readonly rest: string;
  /** The files that lists of scenes show, which are in the rest too: unpacking it takes far longer than reading them. */
  readonly files: StoredFiles;
}

/** The fields of a hit, to which the version is added. */
const HIT_NAMES: ReadonlySet<string> = new Set([
  'viewId',
  'sceneId',
  'productId',
  'dataset',
  'acquiredAt',
  'footprint',
  'frame',
  'cloudPercent',
  'sunElevationDeg',
  'sunAzimuthDeg',
  'coveragePercent',
  'fields',
  'provenance',
  'indexedAt',
] satisfies (keyof SceneHit)[]);

/** Gives a record its version and splits it; its JSON is built once for both. */
export function toSceneRow(scene: NewScene, orders = makeKeyOrders()): SceneRow {
  const entries = toCanonicalEntries(scene, orders);
  const version = toVersion(entries);
  const fields = toSearchFields(scene);
  const [hit, rest]: [string[], string[]] = [[], []];
  let assets = '';
  for (const [name, text] of entries) {
    (HIT_NAMES.has(name) ? hit : rest).push(text);
    if (name === 'assets') assets = text;
  }
  return {
    viewId: scene.viewId,
    sceneId: scene.sceneId,
    productId: scene.productId ?? (typeof fields.productID === 'string' ? fields.productID : null),
    dataset: scene.dataset,
    date: String(fields.date),
    cloud: typeof fields.cloudCoverage === 'number' ? fields.cloudCoverage : null,
    version,
    fields: JSON.stringify(fields),
    footprint: toWkb(scene.footprint),
    hit: `{${hit.join(',')},"version":"${version}"}`,
    rest: `{${rest.join(',')}}`,
    files: listFiles(scene.dataset, scene.assets, () => assets.slice('"assets":'.length)),
  };
}

/** Remembers what files are like, so it is one for all rows. */
const listFiles = makeListFiles();

/** Gives records their versions and splits them, without blocking the thread for long; `toRow` shapes the result. */
export async function toSceneRows<Row = SceneRow>(
  scenes: readonly NewScene[],
  toRow: (row: SceneRow) => Row = (row) => row as Row,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const orders = makeKeyOrders();
  const pause = makePause();
  for (const scene of scenes) {
    await pause();
    rows.push(toRow(toSceneRow(scene, orders)));
  }
  return rows;
}

/** A record as it is stored; `rest` is left out for hits. */
export interface StoredRecord {
  readonly hit: string;
  readonly rest?: string;
}

/** Joins the two pieces of a record. */
export const parseRecord = ({ hit, rest = '{}' }: StoredRecord): Scene =>
  ({ ...(JSON.parse(hit) as object), ...(JSON.parse(withSidecars(rest)) as object) }) as Scene;

/** Older records call an asset's sidecars `beside`. Quotes inside JSON strings are escaped, so only keys match. */
const withSidecars = (rest: string): string => rest.replaceAll('"beside":[', '"sidecars":[');

/** Codes of OGC's well-known binary, and PostGIS's flag for a reference system number. */
const POLYGON = 3;
const MULTI_POLYGON = 6;
const HAS_SRID = 0x20000000;
const WGS84 = 4326;
/** First byte of each geometry: numbers are little-endian. */
const LITTLE_ENDIAN = 1;

/** A geometry in hexadecimal digits: PostGIS reads it in a third of the time for GeoJSON. */
export function toWkb(area: AreaGeometry): string {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  const isMany = area.type === 'MultiPolygon';
  const bytes = Buffer.alloc((isMany ? 13 : 4) + sum(parts.map((rings) => sizeOf(rings))));
  let at = 0;
  const writeHead = (type: number, srid: boolean): void => {
    at = bytes.writeUInt8(LITTLE_ENDIAN, at);
    at = bytes.writeUInt32LE(srid ? (type | HAS_SRID) >>> 0 : type, at);
    if (srid) at = bytes.writeUInt32LE(WGS84, at);
  };
  if (isMany) {
    writeHead(MULTI_POLYGON, true);
    at = bytes.writeUInt32LE(parts.length, at);
  }
  for (const rings of parts) {
    writeHead(POLYGON, !isMany);
    at = bytes.writeUInt32LE(rings.length, at);
    for (const ring of rings) {
      at = bytes.writeUInt32LE(ring.length, at);
      for (const [lon, lat] of ring) at = bytes.writeDoubleLE(lat, bytes.writeDoubleLE(lon, at));
    }
  }
  return bytes.toString('hex');
}

/** Head and ring count, then for each ring its count and two doubles per position. */
const sizeOf = (rings: readonly Ring[]): number => 9 + sum(rings.map((ring) => 4 + 16 * ring.length));

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Parses the bytes of `toWkb`, which come from our own database; throws for truncated bytes. */
export function fromWkb(bytes: Uint8Array): AreaGeometry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const readCount = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const readHead = (): number => {
    at += 1;
    const type = readCount();
    if ((type & HAS_SRID) !== 0) at += 4;
    return type & ~HAS_SRID;
  };
  const readRing = (): Ring => {
    const ring: LonLat[] = [];
    for (let left = readCount(); left > 0; left -= 1) {
      ring.push([view.getFloat64(at, true), view.getFloat64(at + 8, true)]);
      at += 16;
    }
    return ring;
  };
  const readRings = (): Ring[] => {
    const rings: Ring[] = [];
    for (let left = readCount(); left > 0; left -= 1) rings.push(readRing());
    return rings;
  };
  if (readHead() === POLYGON) return { type: 'Polygon', coordinates: readRings() };
  const parts: Ring[][] = [];
  for (let left = readCount(); left > 0; left -= 1) {
    readHead();
    parts.push(readRings());
  }
  return { type: 'MultiPolygon', coordinates: parts };
}

/** Values compare within their kind only; true and false are the numbers 1 and 0. */
type ValueKind = 'number' | 'text';

/** The parts of a search that differ between databases. */
export interface Dialect {
  /** The value of a field for comparisons, if it is of this kind. */
  value(field: string, kind: ValueKind): Clause;
  /** Sort keys for a field without its own column: ascending puts numbers before strings. */
  sortKeys(field: string, descending: boolean): readonly Clause[];
  /** Whether the database merges sorted datasets; otherwise each is cut to the page before they are merged. */
  readonly mergesInOrder: boolean;
}

/** Fields with their own indexed column. */
const OWN_COLUMNS: ReadonlyMap<string, { readonly sql: string; readonly kind: ValueKind }> = new Map([
  ['date', { sql: 's.date', kind: 'text' }],
  ['sceneID', { sql: 's.scene_id', kind: 'text' }],
  ['cloudCoverage', { sql: 's.cloud', kind: 'number' }],
  ['satellite', { sql: 's.dataset', kind: 'text' }],
]);

/** The condition for rows of one dataset of the query, without areas. */
export function toDatasetCondition(
  { id, filters }: SceneQuery['datasets'][number],
  dialect: Dialect,
): Clause {
  return all([sql`s.dataset = ${id}`, ...filters.map((filter) => toCondition(filter, dialect))]);
}

/** The filters on these fields that the fields' own columns can answer alone. */
export const columnFilters = (
  filters: readonly FieldFilter[],
  fields: ReadonlySet<string>,
): readonly FieldFilter[] =>
  filters.filter(({ field, ...asked }) => {
    const values = asked.kind === 'one-of' ? asked.values : [asked.from, asked.to];
    const kind = OWN_COLUMNS.get(field)?.kind;
    const isPlain = asked.kind === 'range' || asked.ignoresCase !== true;
    return isPlain && fields.has(field) && values.every((value) => value == null || kindOf(value) === kind);
  });

/** The sort order of a search: columns to select, and an ORDER BY with their names. */
interface SceneOrder {
  /** ` , … AS k0`, to append to a list of columns. */
  readonly columns: Clause;
  readonly order: string;
}

/** Builds the sort order. Scene and view id break ties, so that pages never overlap. */
export function toOrder({ sort }: SceneQuery, dialect: Dialect): SceneOrder {
  const own = OWN_COLUMNS.get(sort.field);
  const keys = own === undefined ? dialect.sortKeys(sort.field, sort.descending) : [raw(own.sql)];
  const direction = sort.descending ? 'DESC' : 'ASC';
  // Only where it matters: for a column that is never null the order of its index suffices.
  const nulls = own?.kind === 'text' ? '' : ' NULLS LAST';
  return {
    columns: list(
      [
        ...keys.map((key, i) => sql`${key} AS ${raw(`k${i}`)}`),
        raw('s.scene_id AS scene_id, s.view_id AS view_id'),
      ],
      ', ',
    ),
    order: [...keys.map((_, i) => `k${i} ${direction}${nulls}`), 'scene_id', 'view_id'].join(', '),
  };
}

function toCondition(filter: FieldFilter, dialect: Dialect): Clause {
  if (filter.kind === 'one-of') return toOneOf(filter, dialect);
  const { from, to } = filter;
  const kind = kindOf(from ?? to ?? null);
  const value = toValue(filter.field, kind, dialect);
  if (from == null && to == null) return all([]);
  // The first string or the last number closes an open end: in SQLite every string is above every number.
  const first = kind === 'text' ? '' : null;
  const last = kind === 'number' ? Number.POSITIVE_INFINITY : null;
  const low = from == null ? first : toPlain(from);
  const high = to == null ? last : toPlain(to);
  const bounds: Clause[] = [];
  if (low !== null) bounds.push(sql`${value} >= ${low}`);
  if (high !== null) bounds.push(sql`${value} <= ${high}`);
  return all(bounds);
}

function toOneOf(
  { field, values, ignoresCase }: Extract<FieldFilter, { readonly kind: 'one-of' }>,
  dialect: Dialect,
): Clause {
  const kinds: readonly ValueKind[] = ['number', 'text'];
  return any(
    kinds.flatMap((kind) => {
      const some = values.filter((value) => value !== null && kindOf(value) === kind);
      if (some.length === 0) return [];
      const isFolded = ignoresCase === true && kind === 'text';
      const marks = list(
        some.map((value) => sql`${isFolded ? toLower(String(value)) : toPlain(value)}`),
        ', ',
      );
      const value = toValue(field, kind, dialect);
      if (!isFolded) return [sql`${value} IN (${marks})`];
      // SQLite's lower() turns a number into a string; numbers sort before every string, also before the empty one.
      return [sql`(lower(${value}) IN (${marks}) AND ${value} >= '')`];
    }),
  );
}

/** Lower-cases ASCII letters only, as SQLite does, and PostgreSQL under the collation C. */
const toLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function toValue(field: string, kind: ValueKind, dialect: Dialect): Clause {
  const own = OWN_COLUMNS.get(field);
  return own?.kind === kind ? raw(own.sql) : dialect.value(field, kind);
}

const kindOf = (value: FieldValue): ValueKind => (typeof value === 'string' ? 'text' : 'number');

const toPlain = (value: FieldValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value;

/** Counts matching scenes by day, for each dataset separately, so that each uses its index. */
export function toDayCounts({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) =>
      sql`SELECT s.date AS day, count(*) AS n FROM scenes s
        WHERE ${toDatasetCondition(dataset, dialect)} GROUP BY s.date`,
  );
  return list(arms, ' UNION ALL ');
}

/** Counts matching scenes, without shapes. */
export function toCount({ datasets }: SceneQuery, dialect: Dialect): Clause {
  const arms = datasets.map(
    (dataset) => sql`(SELECT count(*) FROM scenes s WHERE ${toDatasetCondition(dataset, dialect)})`,
  );
  return sql`SELECT ${list(arms, ' + ')} AS n`;
}

/** The numbers of a page's scenes, in order. Each dataset is read in the order of its index, up to the page's end. */
export function toPage(
  query: SceneQuery,
  dialect: Dialect,
  { firstDay, offset }: { readonly firstDay: string | null; readonly offset: number },
): Clause {
  const { columns, order } = toOrder(query, dialect);
  const arms = query.datasets.map((dataset) => {
    const arm = sql`SELECT s.number AS number, ${columns} FROM scenes s
      WHERE ${toDatasetCondition(dataset, dialect)}${fromDay(firstDay, query.sort.descending)}`;
    if (dialect.mergesInOrder || query.datasets.length === 1) return arm;
    return sql`(${arm} ORDER BY ${raw(order)} LIMIT ${offset + query.limit})`;
  });
  return sql`${list(arms, ' UNION ALL ')} ORDER BY ${raw(order)} LIMIT ${query.limit} OFFSET ${offset}`;
}

function fromDay(day: string | null, descending: boolean): Clause {
  if (day === null) return raw('');
  return descending ? sql` AND s.date <= ${day}` : sql` AND s.date >= ${day}`;
}

/** The source of scenes that may meet a shape, and the exact test. */
export interface ShapeSql {
  /** A FROM clause with the scene table as `s`. */
  readonly from: Clause;
  /** Which scenes of a dataset may meet it, for a database whose index of footprints knows datasets and years. */
  readonly near?: (dataset: SceneQuery['datasets'][number]) => Clause;
  readonly test: Clause;
}

/** A page of the scenes that match a shape, each row with the total count. */
export function toShapePage(query: SceneQuery, dialect: Dialect, shape: ShapeSql): Clause {
  const { columns, order } = toOrder(query, dialect);
  return sql`SELECT t.*, count(*) OVER () AS found FROM (
      SELECT s.number AS number, ${columns} ${toShapeSource(query, dialect, shape)}
    ) t ORDER BY ${raw(order)} LIMIT ${query.limit} OFFSET ${query.offset}`;
}

/** Counts the scenes that match a shape; needed only when a page is beyond the last one. */
export const toShapeCount = (query: SceneQuery, dialect: Dialect, shape: ShapeSql): Clause =>
  sql`SELECT count(*) AS n ${toShapeSource(query, dialect, shape)}`;

/**
 * FROM and WHERE of the scenes that match a shape. Where an index finds those near it, OFFSET 0 has PostgreSQL plan that
 * without the exact test: it takes the test for so expensive that it would read all scenes of the dates from another
 * index first, to spare a few.
 */
function toShapeSource(query: SceneQuery, dialect: Dialect, { from, near, test }: ShapeSql): Clause {
  const conditions = query.datasets.map((dataset) => toDatasetCondition(dataset, dialect));
  if (near === undefined) return sql`FROM ${from} WHERE ${all([any(conditions), test])}`;
  const mayMatch = query.datasets.map((dataset, i) => all([conditions[i] as Clause, near(dataset)]));
  return sql`FROM (SELECT * FROM ${from} WHERE ${any(mayMatch)} OFFSET 0) s WHERE ${test}`;
}

/** The count of matching scenes on a day. */
export interface DayCount {
  readonly day: string;
  readonly n: number;
}

/** The start of a page when hits are sorted by date. */
export interface PagePlan {
  readonly found: number;
  /** The day of the page's first hit; null when the page is beyond the last hit. */
  readonly firstDay: string | null;
  /** Hits of that day on earlier pages. */
  readonly skip: number;
}

/**
 * Finds the day on which a page begins. A count by day costs little more than a plain count, and saves a deep page the
 * scan over all earlier hits.
 */
export function planPage(
  counts: readonly DayCount[],
  { offset, descending }: { readonly offset: number; readonly descending: boolean },
): PagePlan {
  const byDay = new Map<string, number>();
  for (const { day, n } of counts) byDay.set(day, (byDay.get(day) ?? 0) + n);
  const days = [...byDay].sort(([a], [b]) => (a < b === descending ? 1 : -1));
  let found = 0;
  let first: { readonly firstDay: string; readonly skip: number } | undefined;
  for (const [day, n] of days) {
    if (first === undefined && offset < found + n) first = { firstDay: day, skip: offset - found };
    found += n;
  }
  return { found, ...(first ?? { firstDay: null, skip: 0 }) };
}
