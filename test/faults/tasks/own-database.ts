import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSchemaName, postgresUrl, withClient } from '../../ports/postgres-schema.ts';

/** A store that a test shares with processes that it kills. */
export interface OwnDatabase extends AsyncDisposable {
  readonly dataDir: string;
  /** Null for SQLite, in the data directory. */
  readonly databaseUrl: string | null;
}

/** Runs tests on SQLite, and on PostgreSQL where there is one; each gets databases of its own. */
export function onEachDatabase(define: (name: string, open: () => Promise<OwnDatabase>) => void): void {
  define('SQLite', async () => {
    const dataDir = makeDirectory();
    return {
      dataDir,
      databaseUrl: null,
      async [Symbol.asyncDispose]() {
        rmSync(dataDir, { recursive: true });
      },
    };
  });
  if (postgresUrl === undefined) return;
  const url = postgresUrl;
  define('PostgreSQL', async () => {
    const dataDir = makeDirectory();
    const name = makeSchemaName();
    await withClient(url, 'public', (client) => client.query(`CREATE DATABASE ${name}`));
    const own = new URL(url);
    own.pathname = `/${name}`;
    return {
      dataDir,
      databaseUrl: own.href,
      async [Symbol.asyncDispose]() {
        await withClient(url, 'public', (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
        rmSync(dataDir, { recursive: true });
      },
    };
  });
}

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'swath-tasks-'));
