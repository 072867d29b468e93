import type { DatabaseSync } from 'node:sqlite';
import type { SceneQuery } from '../../../catalog/index.ts';
import type { StoredRecord } from '../../sql/scene-row.ts';
import type { DayCount } from '../../sql/scene-search.ts';
import { planPage, toCount, toDayCounts, toPage, toShapeCount, toShapePage } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { makeCountReads } from '../counts/count-reads.ts';
import { sqliteDialect } from '../database/dialect.ts';
import { prepare } from '../database/queries.ts';
import { defineFootprintRelates } from './footprint-relates.ts';
import type { PackedRecord } from './packed-record.ts';
import { unpackRecord } from './packed-record.ts';
import { toShapeSql } from './shape-sql.ts';

/** A page as the reading thread answers it: JSON stays text, which is cheap to send to another thread. */
interface StoredPage {
  readonly found: number;
  readonly records: readonly StoredRecord[];
}

/** A page of hits: one JSON text for all of them leaves the parsing thread the least garbage. */
interface StoredHits {
  readonly found: number;
  readonly hits: string;
}

type Shape = NonNullable<SceneQuery['shape']>;

/** Every read that may take long; runs on a reading thread. */
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
    // For a deep page, counting by day pays off; it takes half as long again as counting.
    if (sort.field === 'date' && offset > 0) {
      const { found, firstDay, skip } = planPage(countDays(query), { offset, descending: sort.descending });
      if (firstDay === null) return { found, numbers: [] };
      return { found, numbers: read(toPage(query, sqliteDialect, { firstDay, offset: skip })) };
    }
    const found = countScenes(query);
    if (offset >= found) return { found, numbers: [] };
    return { found, numbers: read(toPage(query, sqliteDialect, { firstDay: null, offset })) };
  }

  /** In the count table if only dates and clouds are filtered, otherwise in an index. */
  function countScenes(query: SceneQuery): number {
    const found = query.datasets.map(
      (dataset) =>
        counts.total(dataset) ??
        read<{ n: number }>(toCount({ ...query, datasets: [dataset] }, sqliteDialect))[0]?.n ??
        0,
    );
    return found.reduce((sum, n) => sum + n, 0);
  }

  /** A day may be listed more than once, or with a count of 0. */
  const countDays = (query: SceneQuery): readonly DayCount[] =>
    query.datasets.flatMap(
      (dataset) =>
        counts.byDay(dataset) ??
        read<DayCount>(toDayCounts({ ...query, datasets: [dataset] }, sqliteDialect)),
    );

  function findByShape(query: SceneQuery, shape: Shape) {
    // No footprint lies within a point.
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

  /** Count and page are of the same moment, whatever is written meanwhile. */
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
    /** Some records behind a view id, in order of view ids. */
    list(
      after: string,
      dataset: string | null,
      limit: number,
    ): readonly (StoredRecord & { viewId: string })[] {
      // The plus stops SQLite from using an index of datasets, which would lose the order.
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
