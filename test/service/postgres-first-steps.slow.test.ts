/** PostgreSQL as the page on operation prepares it, from an empty server; and what Swath says where a right is missing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const page = readFileSync('docs/operate/nodes.md', 'utf8');
const [, PREPARATION = ''] = /```sql\n(CREATE ROLE.*?)```/s.exec(page) ?? [];
const [, ADDRESS = ''] = /^ {4}SWATH_DATABASE_URL=(\S+)\?sslmode=verify-full swath serve$/m.exec(page) ?? [];

let cluster: PostgresCluster | null = null;
const dataDir = mkdtempSync(join(tmpdir(), 'swath-first-'));
before(async () => {
  cluster = await startPostgres([], 'postgres');
});
after(() => {
  cluster?.stop();
  rmSync(dataDir, { recursive: true });
});

/** The server of the test; null where PostgreSQL is not installed. */
function findServer() {
  if (cluster === null) return null;
  const { url } = cluster;
  const { host } = new URL(url);
  const psql = (text: string, database = 'postgres'): string => {
    const address = new URL(url);
    address.pathname = `/${database}`;
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', address.href], {
      input: text,
      encoding: 'utf8',
    });
  };
  /** The page's address, with this server in it and, if need be, another database. */
  const toAddress = (database = 'swath'): string =>
    ADDRESS.replace('db.example.org', host).replace(/\/swath$/, `/${database}`);
  return { psql, toAddress };
}

const toEnv = (databaseUrl: string) => ({
  ...ONE_THREAD,
  SWATH_DATA: dataDir,
  SWATH_DATABASE_URL: databaseUrl,
  SWATH_LOG: 'silent',
});

test('the documented SQL is all that an empty server needs, and grants no more', async (t) => {
  const server = findServer();
  if (server === null) return t.skip('PostgreSQL is not installed here');
  const { psql, toAddress } = server;
  psql(PREPARATION);
  const env = toEnv(toAddress());
  const doctor = await runSwath(['doctor'], env);
  assert.match(doctor.stdout, /ok Schema version +not made yet/);
  {
    await using swath = await startSwath({ dataDir, env });
    const headers = { 'x-api-key': SERVICE_KEY };
    const area = {
      type: 'Polygon',
      coordinates: [
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    };
    const body = JSON.stringify({ type: 'Feature', properties: {}, geometry: area });
    const stored = await fetch(`${swath.url}/api/render/cropper`, { method: 'POST', headers, body });
    assert.equal(stored.status, 200, await stored.text());
    assert.equal((await fetch(`${swath.url}/api/tasks`, { headers })).status, 200);
    assert.equal(await swath.stop(), 0);
  }
  const rights = `SELECT has_database_privilege('swath', 'swath', 'CREATE'), has_schema_privilege('swath', 'public', 'CREATE'),
    rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = 'swath'`;
  assert.equal(psql(rights, 'swath').trim(), 'f|f|f');
  const later = await runSwath(['doctor'], env);
  assert.match(later.stdout, /ok Contents +0 scenes, 0 cached scenes of live catalogs, 0 keys/);
});

/** A database that lacks something, how it comes about, and what repairs it. */
interface Lack {
  readonly name: string;
  /** What an administrator has run in an empty database, as the superuser. */
  readonly made: string;
  readonly says: RegExp;
  /** Run to repair it: what the message shows, unless it shows something else. */
  readonly repair?: string;
}

const POSTGIS = 'CREATE EXTENSION postgis;';
const SCHEMA = 'CREATE SCHEMA swath AUTHORIZATION swath;';
const LACKS: readonly Lack[] = [
  {
    name: 'no_postgis',
    made: SCHEMA,
    says: /PostGIS is not enabled in the database no_postgis, and the role swath may not enable it\.\n {2}CREATE EXTENSION postgis;\n/,
  },
  {
    name: 'no_schema',
    made: POSTGIS,
    says: /The role swath may not create the schema swath in the database no_schema\.\n {2}CREATE SCHEMA swath AUTHORIZATION swath;\n/,
  },
  {
    name: 'no_usage',
    made: `${POSTGIS} CREATE SCHEMA swath;`,
    says: /The role swath may not use the schema swath\.\n {2}GRANT USAGE, CREATE ON SCHEMA swath TO swath;\n/,
  },
  {
    name: 'no_create',
    made: `${POSTGIS} CREATE SCHEMA swath; GRANT USAGE ON SCHEMA swath TO swath;`,
    says: /The role swath may not create tables in the schema swath\.\n {2}GRANT CREATE ON SCHEMA swath TO swath;\n/,
  },
  {
    name: 'no_geometry',
    made: `${POSTGIS} ${SCHEMA} REVOKE ALL ON SCHEMA public FROM PUBLIC;`,
    says: /The role swath may not use the schema public, in which PostGIS is\.\n {2}GRANT USAGE ON SCHEMA public TO swath;\n/,
  },
  {
    name: 'no_tables',
    made: `${POSTGIS} ${SCHEMA} CREATE ROLE somebody; CREATE TABLE swath.shape (version integer NOT NULL); ALTER TABLE swath.shape OWNER TO somebody;`,
    says: /The role swath may not read and write the table swath\.shape, which the role somebody owns\.\n {2}GRANT somebody TO swath;/,
    repair: 'GRANT somebody TO swath;',
  },
  {
    name: 'no_connection',
    made: `${POSTGIS} ${SCHEMA} REVOKE ALL ON DATABASE no_connection FROM PUBLIC;`,
    says: /The role swath may not connect to the database\. .*\n {2}GRANT CONNECT ON DATABASE "no_connection" TO swath;\n/,
  },
];

for (const { name, made, says, repair } of LACKS) {
  test(`${name}: the startup names what is missing, doctor says the same, and its remedy works`, async (t) => {
    const server = findServer();
    if (server === null) return t.skip('PostgreSQL is not installed here');
    const { psql, toAddress } = server;
    psql(`CREATE DATABASE ${name} TEMPLATE template0`);
    psql(made, name);
    const env = toEnv(toAddress(name));
    const { status, stderr } = await runSwath(['keys', 'list'], env);
    assert.equal(status, 1);
    assert.match(stderr, says);
    assert.ok(!stderr.includes('    at ') && !stderr.includes('secret'), stderr);
    const remedy = /\n {2}(.*)\n/.exec(stderr)?.[1] ?? '';
    const doctor = await runSwath(['doctor'], env);
    assert.equal(doctor.status, 1);
    assert.ok(doctor.stdout.includes(remedy), `${doctor.stdout} has ${remedy}`);
    psql(repair ?? remedy, name);
    const repaired = await runSwath(['keys', 'list'], env);
    assert.equal(repaired.status, 0, repaired.stderr);
  });
}

test('everything that is missing is named at once, and nothing is changed', async (t) => {
  const server = findServer();
  if (server === null) return t.skip('PostgreSQL is not installed here');
  const { psql, toAddress } = server;
  psql(`CREATE DATABASE bare TEMPLATE template0`);
  const { status, stderr } = await runSwath(['serve'], { ...toEnv(toAddress('bare')), SWATH_PORT: '0' });
  assert.equal(status, 1);
  assert.match(stderr, /CREATE EXTENSION postgis;\n.*may not create the schema/s);
  assert.equal(psql(`SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'swath%'`, 'bare').trim(), '0');
});
