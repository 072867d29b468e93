import type { DatabaseSync } from 'node:sqlite';
import type { PutOutcome, SceneQuery } from '../../../catalog/index.ts';
import type { StoredRecord } from '../../sql/scene-row.ts';
import { fromWkb } from '../../sql/scene-row.ts';
import type { DayCount } from '../../sql/scene-search.ts';
import { planPage, toCount, toDayCounts, toPage, toShapeCount, toShapePage } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { inSavepoint, inTransaction, prepare } from '../connection.ts';
import type { PackedRecord, Portion, WrittenRow } from './packed-records.ts';
import { packRest, piecesOf, unpackRecord } from './packed-records.ts';
import type { CountChanges, CountedScene } from './scene-counts.ts';
import { makeCountReads, makeCountWrites, noteChange } from './scene-counts.ts';
import { defineFootprintRelates, sqliteDialect, toIndexBoxes, toShapeSql } from './scene-sql.ts';

/** A page from the reading thread: JSON stays a string, which is cheap to send to another thread. */
interface StoredPage {
  readonly found: number;
  readonly records: readonly StoredRecord[];
}

/** A page of hits: one JSON string for all of them creates the least garbage in the parsing thread. */
interface StoredHits {
  readonly found: number;
  readonly hits: string;
}

type Shape = NonNullable<SceneQuery['shape']>;

/** Reads that may take long, on a reading thread. */
export function makeSceneReads(database: DatabaseSync) {
  const askShape = defineFootprintRelates(database);
  const counts = makeCountReads(database);
  const hitOf = prepare<{ hit: string }>(database, 'SELECT hit FROM records WHERE number = ?');
  const recordOf = prepare<PackedRecord>(database, 'SELECT hit, rest FROM records WHERE number = ?');
  const readHit = (number: number): string => hitOf.get(number)?.hit ?? '';
  const readWhole = (number: number): StoredRecord => unpackRecord(recordOf.get(number) as PackedRecord);
  const countAll = prepare<{ n: number }>(database, 'SELECT count(*) AS n FROM scenes');
  const countEach = prepare<{ dataset: string; n: number }>(
    database,
    'SELECT dataset, count(*) AS n FROM scenes GROUP BY dataset ORDER BY dataset',
  );
  const read = <Row>({ sql, values }: Clause): Row[] => prepare<Row>(database, sql).all(...values);

  function findPage(query: SceneQuery): { found: number; numbers: readonly { number: number }[] } {
    if (query.datasets.length === 0) return { found: 0, numbers: [] };
    if (query.shape !== undefined) return findByShape(query, query.shape);
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

  function findByShape(query: SceneQuery, shape: Shape) {
    // No footprint is within a point.
    if (shape.geometry.type === 'Point' && shape.relation === 'within') return { found: 0, numbers: [] };
    askShape(shape);
    const numbers = read<{ number: number; found: number }>(
      toShapePage(query, sqliteDialect, toShapeSql(query, shape.geometry)),
    );
    const [first] = numbers;
    if (first !== undefined || query.offset === 0) return { found: first?.found ?? 0, numbers };
    const [count] = read<{ n: number }>(
      toShapeCount(query, sqliteDialect, toShapeSql(query, shape.geometry)),
    );
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
    searchHits: (query: SceneQuery): StoredHits =>
      inSnapshot(() => {
        const { found, numbers } = findPage(query);
        return { found, hits: `[${numbers.map(({ number }) => readHit(number)).join(',')}]` };
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
    countByDataset: (): readonly (readonly [string, number])[] =>
      countEach.all().map(({ dataset, n }) => [dataset, n]),
  };
}

/** The columns of a scene that are read before it is replaced or removed. */
type KnownScene = CountedScene & { readonly number: number; readonly version: string };

/** Writes of scenes, on the writing thread. */
export function makeSceneWrites(database: DatabaseSync) {
  const writeCounts = makeCountWrites(database);
  const find = prepare<KnownScene>(
    database,
    'SELECT number, version, dataset, date, cloud FROM scenes WHERE view_id = ?',
  );
  // Two statements: INSERT … ON CONFLICT DO UPDATE takes SQLite twice as long as INSERT.
  const insert = database.prepare(
    `INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, unhex(?), jsonb(?))`,
  );
  const update = database.prepare(
    `UPDATE scenes SET view_id = ?, scene_id = ?, product_id = ?, dataset = ?, date = ?, cloud = ?, version = ?,
       footprint = unhex(?), fields = jsonb(?)
     WHERE number = ?`,
  );
  const record = database.prepare('INSERT OR REPLACE INTO records (number, hit, rest) VALUES (?, ?, ?)');
  const addBox = database.prepare('INSERT INTO scene_boxes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropBoxes = database.prepare('DELETE FROM scene_boxes WHERE id = ? OR id = ?');
  const drop = database.prepare('DELETE FROM scenes WHERE number = ?');

  function put(row: WrittenRow, rest: Uint8Array | undefined, changes: CountChanges): PutOutcome {
    const known = find.get(row.viewId);
    if (known?.version === row.version) return 'unchanged';
    noteChange(changes, { before: known, after: row });
    const { dataset, date, cloud, footprint } = row;
    const values = [
      row.viewId,
      row.sceneId,
      row.productId,
      dataset,
      date,
      cloud,
      row.version,
      footprint,
      row.fields,
    ] as const;
    if (known !== undefined) update.run(...values, known.number);
    const number = known?.number ?? Number(insert.run(...values).lastInsertRowid);
    record.run(number, row.hit, rest ?? packRest(row.rest ?? ''));
    if (known !== undefined) dropBoxes.run(number * 2, number * 2 + 1);
    for (const [i, box] of toIndexBoxes(fromWkb(Buffer.from(footprint, 'hex'))).entries()) {
      addBox.run(number * 2 + i, box.west, box.east, box.south, box.north, dataset, date, cloud);
    }
    return known === undefined ? 'added' : 'replaced';
  }

  return {
    /** Puts all rows or none, inside the thread's transaction for all waiting puts. */
    put: (rows: readonly WrittenRow[], packed: readonly Portion[] = []): readonly PutOutcome[] =>
      inSavepoint(database, () => {
        const changes: CountChanges = new Map();
        const rests = packed.flatMap(piecesOf);
        const outcomes = rows.map((row, i) => put(row, rests[i], changes));
        writeCounts(changes);
        return outcomes;
      }),
    /** Replaces a scene; false if it now has another version or is gone. */
    replace: (row: WrittenRow, version: string): boolean =>
      inTransaction(database, () => {
        const known = find.get(row.viewId);
        if (known?.version !== version) return false;
        const changes: CountChanges = new Map();
        put(row, undefined, changes);
        writeCounts(changes);
        return true;
      }),
    remove: (viewId: string): boolean =>
      inTransaction(database, () => {
        const known = find.get(viewId);
        if (known === undefined) return false;
        dropBoxes.run(known.number * 2, known.number * 2 + 1);
        // The foreign key removes its record too.
        drop.run(known.number);
        const changes: CountChanges = new Map();
        noteChange(changes, { before: known });
        writeCounts(changes);
        return true;
      }),
  };
}
