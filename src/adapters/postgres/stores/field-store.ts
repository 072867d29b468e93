import type {
  Field,
  FieldChange,
  FieldChanges,
  FieldDraft,
  FieldPut,
  FieldSelection,
  FieldStore,
  FieldUsage,
  PutOptions,
} from '../../../fields/index.ts';
import type {
  FieldRow,
  GroupRow,
  KnownField,
  ShapeRow,
  ShareRow,
  WrittenField,
} from '../../sql/field-rows.ts';
import {
  FIELD_COLUMNS,
  isOverLimit,
  KNOWN_COLUMNS,
  makePutPlanner,
  OUTLINE_COLUMNS,
  SHAPE_COLUMNS,
  toField,
  toFieldGroup,
  toListedField,
  toShare,
  toStoredShape,
  toWrittenField,
  WRITTEN_COLUMNS,
} from '../../sql/field-rows.ts';
import type { FieldDialect, Way } from '../../sql/field-search.ts';
import { toBoxCount, toFieldCount, toFieldPage, toShapePage, toWay } from '../../sql/field-search.ts';
import { toSpans } from '../../sql/lon-spans.ts';
import type { Clause } from '../../sql/sql.ts';
import { any, raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';

/** Each owner has its latitudes in a strip of this height, so that one index of boxes serves all. */
const STRIP_DEG = 256;

/** The PostgreSQL dialect of lists of fields. */
export const postgresFieldDialect: FieldDialect = {
  lastValues: `(SELECT json_agg(json_build_array(expression, value, date) ORDER BY expression)::text
    FROM field_values v WHERE v.field = f.number)`,
  isOneOf: (ids) => sql`f.id = ANY (ARRAY(SELECT json_array_elements_text(${ids}::json)))`,
  hasText: (text) => sql`strpos(f.folded, ${text}) > 0`,
  holds: (lon, lat) =>
    any(
      // A position on the antimeridian lies on both edges of the map.
      [...new Set([lon, lon === 180 ? -180 : lon === -180 ? 180 : lon])].map(
        (turned) =>
          sql`ST_Intersects(ST_GeomFromGeoJSON(f.geometry), ST_SetSRID(ST_MakePoint(${turned}, ${lat}), 4326))`,
      ),
    ),
  near: (owner, bounds) =>
    sql`SELECT number FROM fields WHERE ${any(
      toSpans(bounds).map(
        ({ west, east }) =>
          sql`bounds && box(point(${west}::float8, ${owner * STRIP_DEG + bounds.south}::float8),
            point(${east}::float8, ${owner * STRIP_DEG + bounds.north}::float8))`,
      ),
    )}`,
  // OFFSET 0 makes PostgreSQL find the boxes first.
  fromNear: (near) => sql`(${near} OFFSET 0) b JOIN fields f ON f.number = b.number`,
};

type WholeRow = FieldRow & { readonly geometry: string };

interface Owner extends FieldUsage {
  readonly number: number;
}

/** Fields in PostgreSQL. */
export function makePostgresFieldStore(client: SqlClient): FieldStore {
  async function findOwner(owner: string): Promise<number | null> {
    if (hasNul(owner)) return null;
    const [row] = await client.query<{ number: number }>(
      sql`SELECT number FROM field_owners WHERE owner = ${owner}`,
    );
    return row?.number ?? null;
  }

  async function findWay(owner: number, selection: FieldSelection): Promise<Way> {
    const count = toBoxCount(owner, selection, postgresFieldDialect);
    if (count === null) return 'walk';
    const [row] = await client.query<{ n: string }>(count);
    return toWay(Number(row?.n));
  }

  /** The owner and the way of a selection; null if it selects nothing. */
  async function prepare(selection: FieldSelection & { readonly crop?: string; readonly text?: string }) {
    const { owner, group, crop, text, ids = [] } = selection;
    if ([group, crop, text, ...ids].some(hasNul)) return null;
    const number = await findOwner(owner);
    return number === null ? null : { number, way: await findWay(number, selection) };
  }

  return {
    put: async (owner, drafts, options) =>
      drafts.length === 0 ? [] : client.inTransaction((held) => putFields(held, owner, drafts, options)),
    change: async (owner, id, changes, options) =>
      hasNul(id)
        ? { kind: 'absent' }
        : client.inTransaction((held) => changeField(held, owner, id, changes, options)),
    find: async (owner, id) => (hasNul(owner) || hasNul(id) ? null : findField(client, owner, id)),
    async findRef(owner, id) {
      if (hasNul(id)) return null;
      const [row] = await client.query<{ ref: string }>(
        sql`SELECT f.ref FROM field_owners o JOIN fields f ON f.owner = o.number
          WHERE o.owner = ${owner} AND f.id = ${id}`,
      );
      return row?.ref ?? null;
    },
    async findByRef(areaRef) {
      if (hasNul(areaRef)) return null;
      const [row] = await client.query<Pick<Field, 'id' | 'geometry'>>(
        sql`SELECT id, geometry FROM fields WHERE ref = ${areaRef}`,
      );
      return row ?? null;
    },
    async list(query) {
      const found = await prepare(query);
      if (found === null) return [];
      const page = toFieldPage(found.number, query, found.way, postgresFieldDialect);
      return (await client.query<FieldRow>(page)).map((row) => toListedField(query.owner, row));
    },
    async count(selection) {
      const found = await prepare(selection);
      if (found === null) return 0;
      const count = toFieldCount(found.number, selection, found.way, postgresFieldDialect);
      return Number((await client.query<{ n: string }>(count))[0]?.n);
    },
    async listShapes(selection, page) {
      const found = await prepare(selection);
      if (found === null) return [];
      const numbers = toShapePage(found.number, selection, page, {
        way: found.way,
        dialect: postgresFieldDialect,
        columns: 'f.number, f.hilbert, f.id, length(f.geometry) AS chars',
      });
      const rows = await client.query<ShapeRow>(
        sql`SELECT ${raw(SHAPE_COLUMNS)} FROM (
            SELECT number, sum(chars) OVER (ORDER BY hilbert, id) - chars AS before FROM (${numbers}) page
          ) summed JOIN fields f ON f.number = summed.number
          WHERE summed.before < ${page.bytes} ORDER BY f.hilbert, f.id`,
      );
      return rows.map(toStoredShape);
    },
    async listGroups(owner, { after, limit }) {
      const number = hasNul(after) ? null : await findOwner(owner);
      if (number === null) return [];
      const rows = await client.query<GroupRow>(
        sql`SELECT g.grp, g.fields, s.share_id, s.expires_at, s.rate_per_minute FROM
            (SELECT grp, count(*) AS fields FROM fields WHERE owner = ${number} AND grp > ${after ?? ''}
             GROUP BY grp ORDER BY grp LIMIT ${limit}) g
          LEFT JOIN field_shares s ON s.owner = ${owner} AND s.grp = g.grp ORDER BY g.grp`,
      );
      return rows.map(toFieldGroup);
    },
    remove: async (owner, id) => !hasNul(id) && (await removeFields(client, owner, sql`id = ${id}`)) === 1,
    async removeGroup(owner, group) {
      if (hasNul(group)) return 0;
      await client.query(sql`DELETE FROM field_shares WHERE owner = ${owner} AND grp = ${group}`);
      return removeFields(client, owner, sql`grp = ${group}`);
    },
    async removeAll(owner) {
      await client.query(sql`DELETE FROM field_shares WHERE owner = ${owner}`);
      return removeFields(client, owner, raw('true'));
    },
    async usage() {
      const rows = await client.query<{ owner: string; fields: number; bytes: string }>(
        raw('SELECT owner, fields, bytes FROM field_owners WHERE fields > 0'),
      );
      return new Map(rows.map(({ owner, fields, bytes }) => [owner, { fields, bytes: Number(bytes) }]));
    },
    async putLastValues(owner, rows) {
      // One statement may change a row once: the latest of several values stays.
      const latest = new Map<string, (typeof rows)[number]>();
      for (const row of rows) {
        const key = `${row.id} ${row.expression}`;
        if (row.date >= (latest.get(key)?.date ?? '')) latest.set(key, row);
      }
      const known = [...latest.values()].filter(({ id }) => !hasNul(id));
      if (known.length === 0) return;
      await client.query({
        sql: PUT_VALUES,
        values: [
          known.map(({ id }) => id),
          known.map(({ expression }) => expression),
          known.map(({ value }) => value),
          known.map(({ date }) => date),
          owner,
        ],
      });
    },
    async putShare(owner, group, share) {
      if (share === null) {
        await client.query(sql`DELETE FROM field_shares WHERE owner = ${owner} AND grp = ${group}`);
        return null;
      }
      const [row] = await client.query<ShareRow>(
        sql`INSERT INTO field_shares (owner, grp, share_id, expires_at, rate_per_minute)
          VALUES (${owner}, ${group}, ${share.id}, ${share.expiresAt}, ${share.ratePerMinute})
          ON CONFLICT (owner, grp) DO UPDATE
            SET expires_at = excluded.expires_at, rate_per_minute = excluded.rate_per_minute RETURNING *`,
      );
      return toShare(row as ShareRow);
    },
    async findShared(shareId) {
      if (hasNul(shareId)) return null;
      const [row] = await client.query<ShareRow & { owner: string; grp: string }>(
        sql`SELECT * FROM field_shares WHERE share_id = ${shareId}`,
      );
      const share = row === undefined ? null : toShare(row);
      return row === undefined || share === null ? null : { owner: row.owner, group: row.grp, share };
    },
  };
}

const PUT_VALUES = `INSERT INTO field_values (field, expression, value, date)
  SELECT f.number, row.expression, row.value, row.date
  FROM unnest(?::text[], ?::text[], ?::float8[], ?::text[]) AS row(id, expression, value, date)
  JOIN field_owners o ON o.owner = ? JOIN fields f ON f.owner = o.number AND f.id = row.id
  ON CONFLICT (field, expression) DO UPDATE SET value = excluded.value, date = excluded.date
    WHERE excluded.date >= field_values.date`;

async function findField(client: SqlClient, owner: string, id: string) {
  const [row] = await client.query<WholeRow>(
    sql`SELECT ${raw(FIELD_COLUMNS)}, ${raw(postgresFieldDialect.lastValues)} AS last_values, f.geometry
      FROM field_owners o JOIN fields f ON f.owner = o.number WHERE o.owner = ${owner} AND f.id = ${id}`,
  );
  return row === undefined ? null : toField(owner, row);
}

/** Locks the row of an owner: its writers take turns, so that none counts while another adds. */
async function lockOwner(client: SqlClient, owner: string): Promise<Owner | null> {
  const [row] = await client.query<{ number: number; fields: number; bytes: string }>(
    sql`SELECT number, fields, bytes FROM field_owners WHERE owner = ${owner} FOR UPDATE`,
  );
  return row === undefined ? null : { ...row, bytes: Number(row.bytes) };
}

const setUsage = (client: SqlClient, number: number, { fields, bytes }: FieldUsage): Promise<unknown> =>
  client.query(sql`UPDATE field_owners SET fields = ${fields}, bytes = ${bytes} WHERE number = ${number}`);

type NumberedField = KnownField & { readonly number: string };

const findKnown = (client: SqlClient, owner: number, which: Clause): Promise<readonly NumberedField[]> =>
  client.query<NumberedField>(
    sql`SELECT number, ${raw(KNOWN_COLUMNS)} FROM fields WHERE owner = ${owner} AND ${which}`,
  );

/** Puts fields, inside a transaction. */
async function putFields(
  client: SqlClient,
  name: string,
  drafts: readonly FieldDraft[],
  options: PutOptions,
): Promise<readonly FieldPut[]> {
  await client.query(sql`INSERT INTO field_owners (owner) VALUES (${name}) ON CONFLICT (owner) DO NOTHING`);
  const owner = (await lockOwner(client, name)) as Owner;
  const externals = drafts.flatMap(({ externalId }) => externalId ?? []);
  const ids = drafts.flatMap(({ externalId, id }) => (externalId === null ? id : []));
  const known = await findKnown(
    client,
    owner.number,
    sql`(external_id = ANY (ARRAY(SELECT json_array_elements_text(${JSON.stringify(externals)}::json)))
      OR id = ANY (ARRAY(SELECT json_array_elements_text(${JSON.stringify(ids)}::json))))`,
  );
  const byId = new Map(known.map((row) => [row.id, row]));
  const byExternalId = new Map(known.map((row) => [row.external_id, row]));
  const planner = makePutPlanner(owner, options);
  const planned = drafts.map((draft) => {
    const { id, externalId } = draft;
    const stored = (externalId === null ? byId.get(id) : byExternalId.get(externalId)) ?? null;
    return { ...planner.plan(draft, stored), stored };
  });
  const toWrite = planned.flatMap(({ written, stored }) =>
    written === null ? [] : [{ written, number: stored?.number ?? null }],
  );
  await writeFields(client, owner.number, toWrite);
  await setUsage(client, owner.number, planner.used());
  return planned.map(({ put }) => put);
}

/** Changes a field, inside a transaction. */
async function changeField(
  client: SqlClient,
  name: string,
  id: string,
  changes: FieldChanges,
  { version, limit, now }: Parameters<FieldStore['change']>[3],
): Promise<FieldChange> {
  const owner = await lockOwner(client, name);
  const [known] = owner === null ? [] : await findKnown(client, owner.number, sql`id = ${id}`);
  if (owner === null || known === undefined) return { kind: 'absent' };
  if (version !== null && version !== known.version) return { kind: 'stale', version: known.version };
  const written = toWrittenField(known, { ...changes, id }, now);
  if (written !== null) {
    const { externalId } = changes;
    const which = sql`external_id = ${externalId ?? null} AND id <> ${id}`;
    if ((await findKnown(client, owner.number, which)).length > 0) return { kind: 'taken' };
    const used = { fields: owner.fields, bytes: owner.bytes };
    if (isOverLimit(used, written, limit)) return { kind: 'full', used };
    await writeFields(client, owner.number, [{ written, number: known.number }]);
    await setUsage(client, owner.number, { ...used, bytes: used.bytes + written.moreBytes });
  }
  const field = await findField(client, name, id);
  return field === null ? { kind: 'absent' } : { kind: 'changed', field };
}

interface ToWrite {
  readonly written: WrittenField;
  /** Null for a new field. */
  readonly number: string | null;
}

const TYPES: Readonly<Record<string, string>> = {
  version: 'integer',
  bytes: 'integer',
  hilbert: 'bigint',
  hectares: 'float8',
  west: 'float8',
  south: 'float8',
  east: 'float8',
  north: 'float8',
};
const typeOf = (column: string): string => TYPES[column] ?? 'text';
const unnest = (columns: readonly string[]): string =>
  `unnest(${columns.map((column) => `?::${typeOf(column)}[]`).join(', ')}) AS row(${columns.join(', ')})`;
const setFrom = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = row.${column}`).join(', ');

/** The box in the index, of a row and its owner. */
const BOX = `box(point(row.west, ?::float8 + row.south), point(row.east, ?::float8 + row.north))`;
const NEW = [...WRITTEN_COLUMNS, ...OUTLINE_COLUMNS];
const INSERT = `INSERT INTO fields (owner, created_at, ${NEW.join(', ')}, bounds)
  SELECT ?::integer, row.updated_at, ${NEW.map((column) => `row.${column}`).join(', ')}, ${BOX} FROM ${unnest(NEW)}`;
const UPDATE = `UPDATE fields f SET ${setFrom(WRITTEN_COLUMNS)}
  FROM ${unnest(['number_text', ...WRITTEN_COLUMNS])} WHERE f.number = row.number_text::bigint`;
const UPDATE_OUTLINE = `UPDATE fields f SET ${setFrom(OUTLINE_COLUMNS)}, bounds = ${BOX}
  FROM ${unnest(['number_text', ...OUTLINE_COLUMNS])} WHERE f.number = row.number_text::bigint`;

/** Writes rows, inside a transaction; at most three statements. */
async function writeFields(client: SqlClient, owner: number, rows: readonly ToWrite[]): Promise<void> {
  const strip = owner * STRIP_DEG;
  const valuesOf = (some: readonly ToWrite[]) =>
    WRITTEN_COLUMNS.map((column) => some.map(({ written }) => written.values[column]));
  const outlinesOf = (some: readonly ToWrite[]) =>
    OUTLINE_COLUMNS.map((column) => some.map(({ written }) => written.outline?.[column] ?? null));
  const added = rows.filter(({ number }) => number === null);
  const changed = rows.filter(({ number }) => number !== null);
  const outlined = changed.filter(({ written }) => written.outline !== null);
  if (added.length > 0) {
    await client.query({
      sql: INSERT,
      values: [owner, strip, strip, ...valuesOf(added), ...outlinesOf(added)],
    });
  }
  const numbersOf = (some: readonly ToWrite[]) => some.map(({ number }) => number);
  if (changed.length > 0) {
    await client.query({ sql: UPDATE, values: [numbersOf(changed), ...valuesOf(changed)] });
  }
  if (outlined.length > 0) {
    await client.query({
      sql: UPDATE_OUTLINE,
      values: [strip, strip, numbersOf(outlined), ...outlinesOf(outlined)],
    });
  }
}

/** Removes fields of an owner, and counts what it has then. */
const removeFields = (client: SqlClient, name: string, which: Clause): Promise<number> =>
  client.inTransaction(async (held) => {
    const owner = await lockOwner(held, name);
    if (owner === null) return 0;
    const [gone] = await held.query<{ fields: string; bytes: string }>(
      sql`WITH gone AS (DELETE FROM fields WHERE owner = ${owner.number} AND ${which} RETURNING bytes)
        SELECT count(*) AS fields, coalesce(sum(bytes), 0) AS bytes FROM gone`,
    );
    const [fields, bytes] = [Number(gone?.fields), Number(gone?.bytes)];
    await setUsage(held, owner.number, { fields: owner.fields - fields, bytes: owner.bytes - bytes });
    return fields;
  });
