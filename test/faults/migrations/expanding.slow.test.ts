/** Nodes of the last release and of this version work on one database (docs/develop/migrations.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from 'pg';
import { migrations, WORKS_FROM } from '../../../src/adapters/postgres/schema/migrations.ts';
import { addPostgis, makeSchemaName, postgresUrl, withClient } from '../../ports/postgres-schema.ts';

/** What programs of a version rely on: columns by `table.column`, and what is unique. */
interface Schema {
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly isRequired: boolean }>;
  readonly unique: ReadonlyMap<string, readonly string[]>;
}

/** What a later release no longer reads or writes, and a step may therefore take away: `table.column`, or `table`. */
const CONTRACTED: readonly string[] = [];

async function readSchema(client: Client): Promise<Schema> {
  const { rows: columns } = await client.query<{ name: string; type: string; required: boolean }>(
    `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS required
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0
       AND NOT a.attisdropped`,
  );
  const { rows: unique } = await client.query<{ table: string; name: string; columns: string[] }>(
    `SELECT c.relname AS table, pg_get_indexdef(i.indexrelid) AS name,
       ARRAY(SELECT c.relname || '.' || a.attname FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int[]))::text[] AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique`,
  );
  return {
    columns: new Map(columns.map(({ name, type, required }) => [name, { type, isRequired: required }])),
    // By what it covers: an index may be made again under another name.
    unique: new Map(
      unique.map(({ table, name, columns: covered }) => [
        `${table}: ${name.replace(/^.* USING /, '')}`,
        covered,
      ]),
    ),
  };
}

const tableOf = (column: string): string => column.split('.')[0] ?? '';

/** What programs that know the schema from before would fail at; one line each. */
function findBroken(before: Schema, after: Schema): readonly string[] {
  const isContracted = (name: string): boolean =>
    CONTRACTED.includes(name) || CONTRACTED.includes(tableOf(name));
  const tables = new Set([...before.columns.keys()].map(tableOf));
  const lost = [...before.columns].flatMap(([name, { type, isRequired }]) => {
    const now = after.columns.get(name);
    if (now === undefined) return isContracted(name) ? [] : [`${name} is gone`];
    if (now.type !== type) return [`${name} was ${type} and is ${now.type}`];
    return now.isRequired && !isRequired ? [`${name} may no longer be left out`] : [];
  });
  const added = [...after.columns].flatMap(([name, { isRequired }]) =>
    isRequired && !before.columns.has(name) && tables.has(tableOf(name))
      ? [`${name} is new, and a row without it is refused`]
      : [],
  );
  const unique = [
    ...[...before.unique].flatMap(([name, covered]) =>
      after.unique.has(name) || covered.some(isContracted) ? [] : [`${name} is no longer unique`],
    ),
    ...[...after.unique].flatMap(([name, covered]) =>
      before.unique.has(name) || !covered.every((column) => before.columns.has(column))
        ? []
        : [`${name} must be unique now`],
    ),
  ];
  return [...lost, ...added, ...unique];
}

/** Steps that must be refused. */
const BREAKING: readonly (readonly [step: string, says: RegExp])[] = [
  ['ALTER TABLE keys DROP COLUMN label', /^keys\.label is gone$/],
  ['ALTER TABLE keys RENAME COLUMN label TO title', /^keys\.label is gone$/],
  ['DROP TABLE tasks CASCADE', /^tasks\.id is gone$/],
  ['ALTER TABLE tasks RENAME TO jobs', /^tasks\.id is gone$/],
  [
    'ALTER TABLE keys ALTER COLUMN rate_per_minute TYPE bigint',
    /^keys\.rate_per_minute was integer and is bigint$/,
  ],
  ['ALTER TABLE keys ALTER COLUMN expires_at SET NOT NULL', /^keys\.expires_at may no longer be left out$/],
  [
    'ALTER TABLE keys ADD COLUMN owner text NOT NULL',
    /^keys\.owner is new, and a row without it is refused$/,
  ],
  ['CREATE UNIQUE INDEX ON keys (label)', /^keys: btree \(label\) must be unique now$/],
  ['ALTER TABLE keys DROP CONSTRAINT keys_secret_hash_key', /is no longer unique$/],
];

test('no migration removes anything that nodes of the last release use', async (t) => {
  if (postgresUrl === undefined) return t.skip('PostgreSQL is not installed here');
  const schema = makeSchemaName();
  await withClient(postgresUrl, schema, async (client) => {
    await addPostgis(client);
    await client.query(`CREATE SCHEMA ${schema}`);
    try {
      await client.query('CREATE TABLE shape (version integer NOT NULL)');
      for (const step of migrations.slice(0, WORKS_FROM)) await client.query(step);
      const before = await readSchema(client);
      for (const step of migrations.slice(WORKS_FROM)) await client.query(step);
      assert.deepEqual(findBroken(before, await readSchema(client)), []);
      for (const [step, says] of BREAKING) {
        await client.query(`BEGIN; ${step}`);
        const broken = findBroken(before, await readSchema(client));
        assert.ok(
          broken.some((line) => says.test(line)),
          `${step}: ${broken.join('; ')}`,
        );
        await client.query('ROLLBACK');
      }
    } finally {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
    }
  });
});
