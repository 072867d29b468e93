import { SwathError } from '../../../errors.ts';
import { raw } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Something that Swath needs and the database lacks. */
export interface MissingPrecondition {
  readonly code:
    | 'store-too-old'
    | 'store-encoding'
    | 'postgis-missing'
    | 'postgis-not-enabled'
    | 'store-rights';
  /** A sentence that says what is missing. */
  readonly problem: string;
  /** The SQL to run, or what else to do. */
  readonly remedy: string;
}

/** The schema of Swath's tables, and the privileges of the configured role. */
interface SchemaFacts {
  readonly name: string;
  readonly exists: boolean;
  readonly usage: boolean;
  readonly create: boolean;
}

/** One of our tables that the role may not use. */
interface ForeignTable {
  /** The name with its schema, quoted if necessary. */
  readonly name: string;
  readonly owner: string;
}

/** Facts about a database, read before anything is changed. Names are quoted if necessary. */
export interface DatabaseFacts {
  readonly role: string;
  readonly database: string;
  readonly version: string;
  /** PostgreSQL's version number: 150018 for 15.18. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** Whether the role may create schemas in the database. */
  readonly canCreateSchemas: boolean;
  readonly schema: SchemaFacts;
  readonly foreignTables: readonly ForeignTable[];
  /** Null if the extension is not enabled in the database. */
  readonly postgis: { readonly version: string; readonly schema: string; readonly usage: boolean } | null;
  /** Null if the server does not have PostGIS installed. */
  readonly availablePostgis: string | null;
  /** According to the system catalog; some providers allow other roles too, so startup tries it. */
  readonly canEnablePostgis: boolean;
}

/** Migrations use `SET COMPRESSION`, which is new in 14. */
const OLDEST_VERSION = 14;
const OLDEST_POSTGIS = 3;

const FACTS = `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
  current_setting('server_version') AS version,
  current_setting('server_version_num')::int AS "versionNumber",
  current_setting('server_encoding') AS encoding,
  has_database_privilege(current_database(), 'CREATE') AS "canCreateSchemas",
  (SELECT json_build_object('version', extversion, 'schema', quote_ident(nspname),
      'usage', has_schema_privilege(pg_namespace.oid, 'USAGE'))
    FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'postgis') AS postgis,
  (SELECT default_version FROM pg_available_extensions WHERE name = 'postgis') AS "availablePostgis",
  (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    OR (has_database_privilege(current_database(), 'CREATE')
      AND EXISTS (SELECT FROM pg_available_extension_versions WHERE name = 'postgis' AND trusted))
    AS "canEnablePostgis"`;

/** Reads the facts about a database; changes nothing, and needs only the privilege to connect. */
export async function readDatabaseFacts(client: SqlClient, schema: string): Promise<DatabaseFacts> {
  type Facts = Omit<DatabaseFacts, 'schema' | 'foreignTables'>;
  const [facts] = await client.query<Facts>(raw(FACTS));
  // `parseConnection` has checked that the name is plain and lower-case.
  const [rights] = await client.query<SchemaFacts>(
    raw(`SELECT name, pg_namespace.oid IS NOT NULL AS exists,
          coalesce(has_schema_privilege(pg_namespace.oid, 'USAGE'), false) AS usage,
          coalesce(has_schema_privilege(pg_namespace.oid, 'CREATE'), false) AS create
        FROM (VALUES ('${schema}')) AS wanted (name) LEFT JOIN pg_namespace ON nspname = name`),
  );
  const foreignTables = await client.query<ForeignTable>(
    raw(`SELECT format('%I.%I', nspname, relname) AS name, quote_ident(pg_get_userbyid(relowner)) AS owner
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = '${schema}' AND relkind IN ('r', 'p')
          AND NOT (has_table_privilege(pg_class.oid, 'SELECT') AND has_table_privilege(pg_class.oid, 'INSERT')
            AND has_table_privilege(pg_class.oid, 'UPDATE') AND has_table_privilege(pg_class.oid, 'DELETE'))
        ORDER BY 1`),
  );
  return { ...(facts as Facts), schema: rights as SchemaFacts, foreignTables };
}

/** Finds everything that is missing, in the order of the repairs. */
export function findMissingPreconditions(facts: DatabaseFacts): readonly MissingPrecondition[] {
  const { version, versionNumber, encoding, database } = facts;
  const missing: MissingPrecondition[] = [];
  if (versionNumber < OLDEST_VERSION * 10_000) {
    missing.push({
      code: 'store-too-old',
      problem: `Swath needs PostgreSQL ${OLDEST_VERSION} or newer; this is ${version}.`,
      remedy: 'Update the server.',
    });
  }
  if (encoding !== 'UTF8') {
    missing.push({
      code: 'store-encoding',
      problem: `The database ${database} has the encoding ${encoding}; Swath needs UTF8.`,
      remedy: `Make another one: CREATE DATABASE swath TEMPLATE template0 ENCODING 'UTF8';`,
    });
  }
  return [...missing, ...findPostgisProblems(facts), ...findMissingRights(facts)];
}

function findPostgisProblems({
  role,
  database,
  postgis,
  availablePostgis,
  canEnablePostgis,
}: DatabaseFacts): readonly MissingPrecondition[] {
  const found = postgis?.version ?? availablePostgis;
  if (found === null) {
    return [
      {
        code: 'postgis-missing',
        problem: 'The server has no PostGIS.',
        remedy: 'Install it (Debian: apt install postgresql-postgis).',
      },
    ];
  }
  if (Number.parseInt(found, 10) < OLDEST_POSTGIS) {
    return [
      {
        code: 'store-too-old',
        problem: `Swath needs PostGIS ${OLDEST_POSTGIS} or newer; this is ${found}.`,
        remedy: 'Update PostGIS on the server, then run: ALTER EXTENSION postgis UPDATE;',
      },
    ];
  }
  if (postgis === null) {
    if (canEnablePostgis) return [];
    return [
      {
        code: 'postgis-not-enabled',
        problem: `PostGIS is not enabled in the database ${database}, and the role ${role} may not enable it.`,
        remedy: 'CREATE EXTENSION postgis;',
      },
    ];
  }
  if (postgis.usage) return [];
  return [
    {
      code: 'store-rights',
      problem: `The role ${role} may not use the schema ${postgis.schema}, in which PostGIS is.`,
      remedy: `GRANT USAGE ON SCHEMA ${postgis.schema} TO ${role};`,
    },
  ];
}

function findMissingRights({
  role,
  database,
  canCreateSchemas,
  schema: { name, exists, usage, create },
  foreignTables,
}: DatabaseFacts): readonly MissingPrecondition[] {
  const missing: MissingPrecondition[] = [];
  if (!exists && !canCreateSchemas) {
    missing.push({
      code: 'store-rights',
      problem: `The role ${role} may not create the schema ${name} in the database ${database}.`,
      remedy: `CREATE SCHEMA ${name} AUTHORIZATION ${role};`,
    });
  }
  if (exists && !(usage && create)) {
    const [what, rights] = usage ? ['create tables in', 'CREATE'] : ['use', 'USAGE, CREATE'];
    missing.push({
      code: 'store-rights',
      problem: `The role ${role} may not ${what} the schema ${name}.`,
      remedy: `GRANT ${rights} ON SCHEMA ${name} TO ${role};`,
    });
  }
  // One role created the tables, another one uses them: the message names both, and a line per table would hide that.
  const [first] = foreignTables;
  if (first !== undefined) {
    const more = foreignTables.length === 1 ? '' : ` and ${foreignTables.length - 1} more`;
    missing.push({
      code: 'store-rights',
      problem: `The role ${role} may not read and write the table ${first.name}${more}, which the role ${first.owner} owns.`,
      remedy: `GRANT ${first.owner} TO ${role}; (then it may change them too, as new versions of Swath do)`,
    });
  }
  return missing;
}

/** Throws one error that names everything that is missing; its code is that of the first. */
export function refuseMissingPreconditions(
  missing: readonly MissingPrecondition[],
  { address, database }: { readonly address: string; readonly database: string },
): void {
  const [first] = missing;
  if (first === undefined) return;
  const texts = missing.map(({ problem, remedy }) => `${problem}\n  ${remedy}`);
  throw new SwathError(
    'bad-input',
    first.code,
    `PostgreSQL at ${address} cannot be used yet. Ask an administrator to fix this, with SQL in the database ${database}:\n${texts.join('\n')}`,
  );
}
