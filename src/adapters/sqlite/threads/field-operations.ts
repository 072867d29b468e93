import type { DatabaseSync } from 'node:sqlite';
import type {
  FieldChange,
  FieldChanges,
  FieldDraft,
  FieldPut,
  FieldUsage,
  MeasuredField,
  PutOptions,
} from '../../../fields/index.ts';
import type { FieldRow, KnownField, WrittenField } from '../../sql/field-rows.ts';
import {
  isOverLimit,
  KNOWN_COLUMNS,
  makePutPlanner,
  OUTLINE_COLUMNS,
  toField,
  toWrittenField,
  WRITTEN_COLUMNS,
} from '../../sql/field-rows.ts';
import type { Clause } from '../../sql/sql.ts';
import { inTransaction, makeQueries, prepare } from '../connection.ts';
import { FIELD_BY_ID } from './field-reads.ts';

/** Fields that one call removes; other writers then have their turn. */
const REMOVED_AT_A_TIME = 5_000;

const columnsOf = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(', ');
const INSERTED = [...WRITTEN_COLUMNS, ...OUTLINE_COLUMNS];

/** The tree is built by the volumes of boxes: without an extent in every dimension all of them would be zero. */
const OWNER_EXTENT = 0.5;

interface Numbered {
  readonly number: number;
}

/** An owner with what it has stored. */
interface Owner extends Numbered, FieldUsage {}

type WholeRow = FieldRow & { readonly geometry: string };

const KNOWN = `SELECT number, ${KNOWN_COLUMNS} FROM fields WHERE owner = ?`;

/** Writes of fields. */
export function makeFieldWrites(database: DatabaseSync) {
  const putOwner = prepare<Owner>(
    database,
    `INSERT INTO field_owners (owner) VALUES (?) ON CONFLICT (owner) DO UPDATE SET owner = excluded.owner
     RETURNING number, fields, bytes`,
  );
  const findOwner = prepare<Owner>(
    database,
    'SELECT number, fields, bytes FROM field_owners WHERE owner = ?',
  );
  const setUsage = database.prepare('UPDATE field_owners SET fields = ?, bytes = ? WHERE number = ?');
  const byId = prepare<KnownField & Numbered>(database, `${KNOWN} AND id = ?`);
  const byExternalId = prepare<KnownField & Numbered>(database, `${KNOWN} AND external_id = ?`);
  const whole = prepare<WholeRow>(database, FIELD_BY_ID);
  const insert = database.prepare(
    `INSERT INTO fields (owner, created_at, ${INSERTED.join(', ')})
     VALUES (?, ?, ${INSERTED.map(() => '?').join(', ')})`,
  );
  const update = database.prepare(`UPDATE fields SET ${columnsOf(WRITTEN_COLUMNS)} WHERE number = ?`);
  const outline = database.prepare(`UPDATE fields SET ${columnsOf(OUTLINE_COLUMNS)} WHERE number = ?`);
  const addBox = database.prepare('INSERT INTO field_boxes VALUES (?, ?, ?, ?, ?, ?, ?)');
  const dropBox = database.prepare('DELETE FROM field_boxes WHERE number = ?');
  const putValue = database.prepare(
    `INSERT INTO field_values (field, expression, value, date)
     SELECT f.number, ?3, ?4, ?5 FROM field_owners o JOIN fields f ON f.owner = o.number AND f.id = ?2
     WHERE o.owner = ?1
     ON CONFLICT (field, expression) DO UPDATE SET value = excluded.value, date = excluded.date
       WHERE excluded.date >= date`,
  );

  const findKnown = (owner: number, { id, externalId }: FieldDraft): (KnownField & Numbered) | null =>
    (externalId === null ? byId.get(owner, id) : byExternalId.get(owner, externalId)) ?? null;

  function write(owner: number, known: Numbered | null, written: WrittenField): void {
    const { values, outline: shape } = written;
    const plain = WRITTEN_COLUMNS.map((column) => values[column]);
    const shaped = shape === null ? [] : OUTLINE_COLUMNS.map((column) => shape[column]);
    const number =
      known === null
        ? Number(insert.run(owner, values.updated_at, ...plain, ...shaped).lastInsertRowid)
        : known.number;
    if (known !== null) update.run(...plain, number);
    if (shape === null) return;
    if (known !== null) {
      outline.run(...shaped, number);
      dropBox.run(number);
    }
    addBox.run(number, owner, owner + OWNER_EXTENT, shape.west, shape.east, shape.south, shape.north);
  }

  return {
    put: (owner: string, drafts: readonly FieldDraft[], options: PutOptions): readonly FieldPut[] =>
      inTransaction(database, () => {
        const { number, fields, bytes } = putOwner.get(owner) as Owner;
        const planner = makePutPlanner({ fields, bytes }, options);
        const puts = drafts.map((draft) => {
          const known = findKnown(number, draft);
          const { put, written } = planner.plan(draft, known);
          if (written !== null) write(number, known, written);
          return put;
        });
        const used = planner.used();
        setUsage.run(used.fields, used.bytes, number);
        return puts;
      }),
    change: (
      owner: string,
      id: string,
      changes: FieldChanges,
      { version, limit, now }: { version: number | null; limit: FieldUsage; now: string },
    ): FieldChange =>
      inTransaction(database, () => {
        const { number = -1, fields = 0, bytes = 0 } = findOwner.get(owner) ?? {};
        const known = byId.get(number, id);
        if (known === undefined) return { kind: 'absent' };
        if (version !== null && version !== known.version) return { kind: 'stale', version: known.version };
        const written = toWrittenField(known, { ...changes, id }, now);
        if (written !== null) {
          const { externalId } = changes;
          const holder = externalId == null ? undefined : byExternalId.get(number, externalId);
          if (holder !== undefined && holder.number !== known.number) return { kind: 'taken' };
          const used = { fields, bytes };
          if (isOverLimit(used, written, limit)) return { kind: 'full', used };
          write(number, known, written);
          setUsage.run(fields, bytes + written.moreBytes, number);
        }
        return { kind: 'changed', field: toField(owner, whole.get(owner, id) as WholeRow) };
      }),
    putLastValues: (owner: string, rows: readonly MeasuredField[]): void =>
      inTransaction(database, () => {
        for (const { id, expression, value, date } of rows) putValue.run(owner, id, expression, value, date);
      }),
  };
}

/** Removals of fields: some thousand at a time; returns how many there were. */
export function makeFieldRemovals(database: DatabaseSync) {
  const { query } = makeQueries(database);
  const dropBoxes = database.prepare(
    'DELETE FROM field_boxes WHERE number IN (SELECT value FROM json_each(?))',
  );
  const drop = database.prepare('DELETE FROM fields WHERE number IN (SELECT value FROM json_each(?))');
  const setUsage = database.prepare(
    `UPDATE field_owners SET fields = fields - ?2, bytes = bytes - ?3 WHERE owner = ?1`,
  );
  return {
    remove: (owner: string, which: Clause): number =>
      inTransaction(database, () => {
        const rows = query<Numbered & { bytes: number }>({
          sql: `SELECT f.number, f.bytes FROM field_owners o JOIN fields f ON f.owner = o.number
            WHERE o.owner = ? AND ${which.sql} LIMIT ${REMOVED_AT_A_TIME}`,
          values: [owner, ...which.values],
        });
        const numbers = JSON.stringify(rows.map(({ number }) => number));
        dropBoxes.run(numbers);
        drop.run(numbers);
        setUsage.run(
          owner,
          rows.length,
          rows.reduce((sum, { bytes }) => sum + bytes, 0),
        );
        return rows.length;
      }),
  };
}
