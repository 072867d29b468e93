import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { postgresUrl } from '../ports/postgres-schema.ts';
import { assertGuideCode } from '../support/guide-code.ts';
import { noteStoreContract } from './note-port/note-store-contract.ts';
import { openPostgres, openSqlite } from './note-port/open-stores.ts';

/** The example of docs/develop/add-a-store-port.md, on both databases. */
noteStoreContract('SQLite', openSqlite);
if (postgresUrl !== undefined) noteStoreContract('PostgreSQL', () => openPostgres(postgresUrl as string));

test('the code of docs/develop/add-a-store-port.md is that of the example', () => {
  assertGuideCode('docs/develop/add-a-store-port.md', {
    example: ['test/how-to/note-port/*.ts'],
    minBlocks: 8,
  });
});

test('the files that docs/develop/add-a-store-port.md names exist', () => {
  const guide = readFileSync('docs/develop/add-a-store-port.md', 'utf8');
  const named = [...guide.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  // Those of the example are what the guide adds.
  const existing = named.filter((file) => !file.includes('note'));
  assert.ok(existing.length >= 6, `${existing.length} files`);
  for (const file of existing) assert.doesNotThrow(() => readFileSync(file), file);
});
