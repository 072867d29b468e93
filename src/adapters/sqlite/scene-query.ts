import type { SQLInputValue } from 'node:sqlite';
import type { FieldFilter, FieldValue, SceneQuery } from '../../catalog/index.ts';
import { geometryBounds } from '../../geo/index.ts';

/** A piece of SQL with the values of its question marks; user text is only ever among the values. */
interface Clause {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** The WHERE and ORDER BY of a scene query. */
export function toWhere(query: SceneQuery): Clause {
  const datasets = query.datasets.map(({ id, filters }) =>
    all([{ sql: 'scenes.dataset = ?', values: [id] }, ...filters.map(toCondition)]),
  );
  const clauses = [any(datasets)];
  if (query.shape !== undefined) clauses.push(toShapeCondition(query.shape));
  return all(clauses);
}

/** The order of hits; scene and view id break ties. */
export function toOrder({ sort }: SceneQuery): Clause {
  const direction = sort.descending ? 'DESC' : 'ASC';
  if (sort.field === 'date')
    return { sql: `scenes.date ${direction}, scenes.scene_id, scenes.view_id`, values: [] };
  return {
    sql: `json_extract(scenes.fields, ?) ${direction}, scenes.scene_id, scenes.view_id`,
    values: [toJsonPath(sort.field)],
  };
}

function toCondition(filter: FieldFilter): Clause {
  const column = toColumn(filter.field);
  if (filter.kind === 'one-of') {
    const marks = filter.values.map(() => '?').join(', ');
    return {
      sql: `${column.sql} IN (${marks})`,
      values: [...column.values, ...filter.values.map(toSqlValue)],
    };
  }
  const bounds: Clause[] = [];
  if (filter.from !== undefined) bounds.push(compare(column, '>=', filter.from));
  if (filter.to !== undefined) bounds.push(compare(column, '<=', filter.to));
  return all(bounds);
}

const compare = (column: Clause, operator: '>=' | '<=', value: FieldValue): Clause => ({
  sql: `${column.sql} ${operator} ?`,
  values: [...column.values, toSqlValue(value)],
});

/** Fields with a column of their own use it, because it is indexed. */
const OWN_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['date', 'scenes.date'],
  ['sceneID', 'scenes.scene_id'],
]);

function toColumn(field: string): Clause {
  const own = OWN_COLUMNS.get(field);
  if (own !== undefined) return { sql: own, values: [] };
  return { sql: 'json_extract(scenes.fields, ?)', values: [toJsonPath(field)] };
}

const toJsonPath = (field: string): string => `$.${JSON.stringify(field)}`;

/** json_extract gives 1 and 0 for JSON's true and false. */
const toSqlValue = (value: FieldValue): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value);

/** Longitudes are stored as written, so a footprint over the antimeridian may reach beyond 180: ask a turn away too. */
const TURNS_DEG = [0, 360, -360];

function toShapeCondition({ geometry, relation }: NonNullable<SceneQuery['shape']>): Clause {
  const { west, east, south, north } = geometryBounds(geometry);
  const boxes = TURNS_DEG.map((turn) => ({
    sql: '(west <= ? AND east >= ? AND south <= ? AND north >= ?)',
    values: [east + turn, west + turn, north, south],
  }));
  const box = any(boxes);
  return {
    sql: `scenes.number IN (SELECT number FROM scene_bounds WHERE ${box.sql})
          AND footprint_relates(scenes.record, ?, ?)`,
    values: [...box.values, JSON.stringify(geometry), relation],
  };
}

const all = (clauses: readonly Clause[]): Clause => join(clauses, ' AND ', '1');
const any = (clauses: readonly Clause[]): Clause => join(clauses, ' OR ', '0');

function join(clauses: readonly Clause[], word: string, empty: string): Clause {
  if (clauses.length === 0) return { sql: empty, values: [] };
  return { sql: `(${clauses.map((c) => c.sql).join(word)})`, values: clauses.flatMap((c) => c.values) };
}
