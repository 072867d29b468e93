import type { DatabaseSync } from 'node:sqlite';
import type {
  FieldGroup,
  FieldQuery,
  FieldSelection,
  ListedField,
  ShapePage,
  StoredShape,
} from '../../../fields/index.ts';
import type { MultiPolygonGeometry } from '../../../geo/index.ts';
import { isPointInArea } from '../../../geo/index.ts';
import type { FieldRow, GroupRow, ShapeRow } from '../../sql/field-rows.ts';
import {
  FIELD_COLUMNS,
  SHAPE_COLUMNS,
  toFieldGroup,
  toListedField,
  toStoredShape,
} from '../../sql/field-rows.ts';
import type { FieldDialect, Way } from '../../sql/field-search.ts';
import { toBoxCount, toFieldCount, toFieldPage, toShapePage, toWay } from '../../sql/field-search.ts';
import { toSpans } from '../../sql/lon-spans.ts';
import { list, sql } from '../../sql/sql.ts';
import { makeQueries, prepare } from '../connection.ts';

/** The last values of a field as JSON. */
const LAST_VALUES = `(SELECT json_group_array(json_array(expression, value, date) ORDER BY expression)
  FROM field_values v WHERE v.field = f.number)`;

/** A field with its geometry, by its owner and id. */
export const FIELD_BY_ID = `SELECT ${FIELD_COLUMNS}, ${LAST_VALUES} AS last_values, f.geometry
  FROM field_owners o JOIN fields f ON f.owner = o.number WHERE o.owner = ? AND f.id = ?`;

/** The SQLite dialect of lists of fields. The spatial index has a third dimension, the number of the owner. */
export const sqliteFieldDialect: FieldDialect = {
  lastValues: LAST_VALUES,
  isOneOf: (ids) => sql`f.id IN (SELECT value FROM json_each(${ids}))`,
  hasText: (text) => sql`instr(f.folded, ${text}) > 0`,
  holds: (lon, lat) => sql`field_holds(f.geometry, ${lon}, ${lat})`,
  near(owner, bounds) {
    const arms = toSpans(bounds).map(
      ({ west, east }) =>
        sql`SELECT number FROM field_boxes WHERE low <= ${owner} AND high >= ${owner}
          AND west <= ${east} AND east >= ${west} AND south <= ${bounds.north} AND north >= ${bounds.south}`,
    );
    // UNION drops fields that were found in two spans.
    return list(arms, ' UNION ');
  },
  // CROSS JOIN makes SQLite begin with the boxes.
  fromNear: (near) => sql`(${near}) b CROSS JOIN fields f ON f.number = b.number`,
};

/** Defines the SQL function for the exact test after the boxes. */
function defineFieldHolds(database: DatabaseSync): void {
  database.function('field_holds', { deterministic: true, directOnly: true }, (geometry, lon, lat) =>
    Number(
      isPointInArea([lon as number, lat as number], JSON.parse(geometry as string) as MultiPolygonGeometry),
    ),
  );
}

/** Lists and counts of fields. */
export function makeFieldReads(database: DatabaseSync) {
  defineFieldHolds(database);
  const { query } = makeQueries(database);
  const ownerNumber = prepare<{ number: number }>(
    database,
    'SELECT number FROM field_owners WHERE owner = ?',
  );
  const numberOf = (owner: string): number | null => ownerNumber.get(owner)?.number ?? null;
  const groups = prepare<GroupRow>(
    database,
    `SELECT g.grp, g.fields, s.share_id, s.expires_at, s.rate_per_minute FROM
       (SELECT grp, count(*) AS fields FROM fields WHERE owner = ?1 AND grp > ?2 GROUP BY grp ORDER BY grp LIMIT ?3) g
     LEFT JOIN field_shares s ON s.owner = ?4 AND s.grp = g.grp ORDER BY g.grp`,
  );

  function findWay(owner: number, selection: FieldSelection): Way {
    const count = toBoxCount(owner, selection, sqliteFieldDialect);
    return count === null ? 'walk' : toWay(query<{ n: number }>(count)[0]?.n ?? 0);
  }

  return {
    list(asked: FieldQuery): readonly ListedField[] {
      const owner = numberOf(asked.owner);
      if (owner === null) return [];
      const page = toFieldPage(owner, asked, findWay(owner, asked), sqliteFieldDialect);
      return query<FieldRow>(page).map((row) => toListedField(asked.owner, row));
    },
    count(selection: FieldSelection): number {
      const owner = numberOf(selection.owner);
      if (owner === null) return 0;
      const count = toFieldCount(owner, selection, findWay(owner, selection), sqliteFieldDialect);
      return query<{ n: number }>(count)[0]?.n ?? 0;
    },
    listShapes(selection: FieldSelection, page: ShapePage): readonly StoredShape[] {
      const owner = numberOf(selection.owner);
      if (owner === null) return [];
      const clause = toShapePage(owner, selection, page, {
        way: findWay(owner, selection),
        dialect: sqliteFieldDialect,
        columns: SHAPE_COLUMNS,
      });
      const shapes: StoredShape[] = [];
      let bytes = 0;
      for (const row of database.prepare(clause.sql).iterate(...clause.values)) {
        const shape = toStoredShape(row as unknown as ShapeRow);
        shapes.push(shape);
        bytes += shape.geometry.length;
        if (bytes >= page.bytes) break;
      }
      return shapes;
    },
    listGroups: (owner: string, after: string | null, limit: number): readonly FieldGroup[] => {
      const number = numberOf(owner);
      if (number === null) return [];
      return groups.all(number, after ?? '', limit, owner).map(toFieldGroup);
    },
  };
}
