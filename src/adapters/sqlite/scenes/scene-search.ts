/** Searches of scenes in SQLite, on a reading thread: pages, records and counts, and the SQL for fields and shapes. */
import type { DatabaseSync } from 'node:sqlite';
import type { SceneQuery } from '../../../catalog/index.ts';
import type { AreaGeometry, LonLatBounds, PointGeometry } from '../../../geo/index.ts';
import { geometryBounds, relates } from '../../../geo/index.ts';
import type { StoredHits } from '../../sql/hit-pages.ts';
import { toHitLists, toSharedFiles } from '../../sql/hit-pages.ts';
import type { DayCount, Dialect, ShapeSql, StoredRecord } from '../../sql/scenes.ts';
import {
  columnFilters,
  fromWkb,
  planPage,
  toCount,
  toDatasetCondition,
  toDayCounts,
  toPage,
  toShapeCount,
  toShapePage,
} from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { all, any, list, raw, sql } from '../../sql/sql.ts';
import { makeQueries, prepare } from '../connection.ts';
import type { FilesRow, PackedRecord } from './packed-records.ts';
import { makeFindFiles, unpackRecord } from './packed-records.ts';
import { makeCountReads } from './scene-counts.ts';

/** A page from the reading thread: JSON stays a string, which is cheap to send to another thread. */
interface StoredPage {
  readonly found: number;
  readonly records: readonly StoredRecord[];
}

/** Reads that may take long, on a reading thread. */
export function makeSceneReads(database: DatabaseSync) {
  const askShape = defineFootprintRelates(database);
  const counts = makeCountReads(database, sqliteDialect);
  const hitOf = prepare<{ hit: string }>(database, 'SELECT hit FROM records WHERE number = ?');
  const recordOf = prepare<PackedRecord>(database, 'SELECT hit, rest FROM records WHERE number = ?');
  const readHit = (number: number): string => hitOf.get(number)?.hit ?? '';
  const readWhole = (number: number): StoredRecord => unpackRecord(recordOf.get(number) as PackedRecord);
  const filesOf = prepare<FilesRow>(database, 'SELECT number, hit, files FROM records WHERE number = ?');
  const findFiles = makeFindFiles({ prepare: (text) => prepare(database, text) });
  const countAll = prepare<{ n: number }>(database, 'SELECT count(*) AS n FROM scenes');
  // Searches of a few kinds repeat: preparing one takes as long as running a short one.
  const { query: read } = makeQueries(database);

  function findPage(
    query: SceneQuery,
    near?: Clause,
  ): { found: number; numbers: readonly { number: number }[] } {
    if (query.datasets.length === 0) return { found: 0, numbers: [] };
    if (query.shape !== undefined) return findByShape(query, query.shape, near);
    const { offset, sort } = query;
    // For a deep page counting by day pays off, although it takes half as long again as a plain count.
    if (sort.field === 'date' && offset > 0) {
      const { found, firstDay, skip } = planPage(countDays(query), { offset, descending: sort.descending });
      if (firstDay === null) return { found, numbers: [] };
      return { found, numbers: read(toPage(query, sqliteDialect, { firstDay, offset: skip })) };
    }
    const found = countScenes(query);
    if (offset >= found) return { found, numbers: [] };
    return { found, numbers: read(toPage(query, sqliteDialect, { firstDay: null, offset })) };
  }

  /** Counts in the count table if only dates and clouds are filtered, otherwise in an index. */
  function countScenes(query: SceneQuery): number {
    const found = query.datasets.map(
      (dataset) =>
        counts.total(dataset) ??
        read<{ n: number }>(toCount({ ...query, datasets: [dataset] }, sqliteDialect))[0]?.n ??
        0,
    );
    return found.reduce((sum, n) => sum + n, 0);
  }

  /** Counts by day; a day may be listed more than once, or with a count of 0. */
  const countDays = (query: SceneQuery): readonly DayCount[] =>
    query.datasets.flatMap(
      (dataset) =>
        counts.byDay(dataset) ??
        read<DayCount>(toDayCounts({ ...query, datasets: [dataset] }, sqliteDialect)),
    );

  function findByShape(query: SceneQuery, shape: Shape, near = toCandidates(query, shape.geometry)) {
    // No footprint is within a point.
    if (shape.geometry.type === 'Point' && shape.relation === 'within') return { found: 0, numbers: [] };
    askShape(shape);
    const numbers = read<{ number: number; found: number }>(
      toShapePage(query, sqliteDialect, toShapeSql(near)),
    );
    const [first] = numbers;
    if (first !== undefined || query.offset === 0) return { found: first?.found ?? 0, numbers };
    const [count] = read<{ n: number }>(toShapeCount(query, sqliteDialect, toShapeSql(near)));
    return { found: count?.n ?? 0, numbers };
  }

  /** Runs reads in one snapshot, so that count and page agree while others write. */
  function inSnapshot<Result>(work: () => Result): Result {
    database.exec('BEGIN');
    try {
      return work();
    } finally {
      database.exec('COMMIT');
    }
  }

  return {
    search: (query: SceneQuery): StoredPage =>
      inSnapshot(() => {
        const { found, numbers } = findPage(query);
        return { found, records: numbers.map(({ number }) => readWhole(number)) };
      }),
    /** A page of hits. `near` selects the scenes that may meet the shape, where they are known already. */
    searchHits: (query: SceneQuery, near?: Clause): StoredHits =>
      inSnapshot(() => {
        const { found, numbers } = findPage(query, near);
        if (query.withFiles !== true)
          return { found, hits: toHitLists(numbers.map(({ number }) => readHit(number))) };
        const rows = numbers.map(({ number }) => filesOf.get(number) as FilesRow);
        const hits = toHitLists(rows.map(({ hit }) => hit));
        return { found, hits, files: toSharedFiles(rows.map(findFiles)) };
      }),
    /** The next records after a view id, ordered by view id. */
    list(
      after: string,
      dataset: string | null,
      limit: number,
    ): readonly (StoredRecord & { viewId: string })[] {
      // The plus keeps SQLite from using an index on datasets, which would lose the order.
      const only = dataset === null ? '' : 'AND +s.dataset = ?';
      const rows = prepare<PackedRecord & { viewId: string }>(
        database,
        `SELECT s.view_id AS viewId, r.hit, r.rest FROM scenes s CROSS JOIN records r ON r.number = s.number
           WHERE s.view_id > ? ${only} ORDER BY s.view_id LIMIT ?`,
      ).all(...(dataset === null ? [after, limit] : [after, dataset, limit]));
      return rows.map(unpackRecord);
    },
    count: (): number => countAll.get()?.n ?? 0,
    countByDataset: counts.byDataset,
  };
}

/** SQLite's json_extract returns numbers, strings and null, and 1 and 0 for true and false. */
const extract = (field: string): Clause => sql`json_extract(s.fields, ${`$.${JSON.stringify(field)}`})`;

/** The SQLite dialect of searches. */
export const sqliteDialect: Dialect = {
  value: extract,
  sortKeys: (field) => [extract(field)],
  mergesInOrder: true,
};

/**
 * The boxes of a geometry in the spatial index: one, or one on each side of the antimeridian, all within ±180. Geometries
 * that meet have boxes that meet, however their longitudes are written.
 */
export function toIndexBoxes(geometry: AreaGeometry | PointGeometry): readonly LonLatBounds[] {
  const pieces = partsOf(geometry).flatMap((part) => cutAtAntimeridian(geometryBounds(part)));
  const whole = hull(pieces);
  // A geometry that is this wide and in several pieces crosses the antimeridian; it does not span the world.
  if (pieces.length < 2 || whole.east - whole.west <= 180) return [whole];
  const [western, eastern] = [true, false].map((isWestern) =>
    pieces.filter(({ west, east }) => west + east < 0 === isWestern),
  ) as [LonLatBounds[], LonLatBounds[]];
  return [western, eastern].filter((side) => side.length > 0).map(hull);
}

function partsOf(geometry: AreaGeometry | PointGeometry): readonly (AreaGeometry | PointGeometry)[] {
  if (geometry.type !== 'MultiPolygon') return [geometry];
  return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }));
}

function cutAtAntimeridian(bounds: LonLatBounds): readonly LonLatBounds[] {
  const { south, north } = bounds;
  if (bounds.east - bounds.west >= 360) return [{ west: -180, east: 180, south, north }];
  const turn = 360 * Math.floor((bounds.west + 180) / 360);
  const [west, east] = [bounds.west - turn, bounds.east - turn];
  if (east < 180) return [{ west, east, south, north }];
  // Also for a geometry that only touches the antimeridian: it meets geometries on the other side.
  return [
    { west, east: 180, south, north },
    { west: -180, east: east - 360, south, north },
  ];
}

function hull(boxes: readonly LonLatBounds[]): LonLatBounds {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    east: Math.max(...boxes.map(({ east }) => east)),
    south: Math.min(...boxes.map(({ south }) => south)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}

/**
 * CROSS JOIN makes SQLite begin with the boxes; otherwise it may begin with a date and look up the box of every scene.
 * `footprint_relates` comes last because it is expensive.
 */
export function toShapeSql(near: Clause): ShapeSql {
  return {
    from: sql`(${near}) near CROSS JOIN scenes s ON s.number = near.number`,
    test: raw('footprint_relates(s.footprint)'),
  };
}

/** The distance within which two areas touch (geo/area.ts), with a margin for rounding. */
const TOUCH_DEG = 1e-8;

/** Fields that are stored with the boxes. */
const BOX_FIELDS: ReadonlySet<string> = new Set(['date', 'cloudCoverage']);

/** The numbers of the scenes whose boxes meet that of a geometry. */
export function toCandidates({ datasets }: SceneQuery, geometry: PointGeometry | AreaGeometry): Clause {
  const mayMatch = toMayMatch(datasets);
  const arms = toBoxConditions(geometry).map(
    (box) => sql`SELECT s.id >> 1 AS number FROM scene_boxes s WHERE ${box} AND ${mayMatch}`,
  );
  // UNION drops scenes that were found by both of their boxes; with a single arm DISTINCT does.
  return arms.length === 1 ? sql`SELECT DISTINCT * FROM (${arms[0] as Clause})` : list(arms, ' UNION ');
}

/** The conditions that can be tested on what is stored with the boxes, here as `s`. */
export const toMayMatch = (datasets: SceneQuery['datasets']): Clause =>
  any(
    datasets.map(({ id, filters }) =>
      toDatasetCondition({ id, filters: columnFilters(filters, BOX_FIELDS) }, sqliteDialect),
    ),
  );

/** Conditions for the boxes that may meet a geometry: one for each part of its own. */
export const toBoxConditions = (geometry: PointGeometry | AreaGeometry): readonly Clause[] =>
  toIndexBoxes(geometry).map(({ west, east, south, north }) =>
    all([
      sql`west <= ${east + TOUCH_DEG}`,
      sql`east >= ${west - TOUCH_DEG}`,
      sql`south <= ${north + TOUCH_DEG}`,
      sql`north >= ${south - TOUCH_DEG}`,
    ]),
  );

type Shape = NonNullable<SceneQuery['shape']>;

/** Upper bound of remembered answers in one search: the acquisitions of a tile often share their footprint. */
const MAX_REMEMBERED = 4096;

/** Defines the SQL function for the exact test after the boxes; returns the function that sets its shape. */
function defineFootprintRelates(database: DatabaseSync): (shape: Shape) => void {
  let asked: Shape | undefined;
  const known = new Map<string, number>();
  database.function('footprint_relates', { deterministic: true, directOnly: true }, (footprint) => {
    const bytes = footprint as Uint8Array;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const remembered = known.get(name);
    if (remembered !== undefined || asked === undefined) return remembered ?? 0;
    const answer = Number(relates(fromWkb(bytes), asked.geometry, asked.relation));
    if (known.size < MAX_REMEMBERED) known.set(name, answer);
    return answer;
  });
  return (shape) => {
    asked = shape;
    known.clear();
  };
}
