import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseFacts } from './preconditions.ts';
import { findMissingPreconditions, refuseMissingPreconditions } from './preconditions.ts';

const READY: DatabaseFacts = {
  role: 'swath',
  database: 'swath',
  version: '15.18',
  versionNumber: 150_018,
  encoding: 'UTF8',
  canCreateSchemas: false,
  schema: { name: 'swath', exists: true, usage: true, create: true },
  foreignTables: [],
  postgis: { version: '3.3.2', schema: 'public', usage: true },
  availablePostgis: '3.3.2',
  canEnablePostgis: false,
};
const find = (facts: Partial<DatabaseFacts>) => findMissingPreconditions({ ...READY, ...facts });
const codesOf = (facts: Partial<DatabaseFacts>) => find(facts).map(({ code }) => code);

test('a complete database lacks nothing', () => {
  assert.deepEqual(find({}), []);
  const absent = { ...READY.schema, exists: false, usage: false, create: false };
  assert.deepEqual(find({ schema: absent, canCreateSchemas: true }), [], 'startup creates the schema');
  assert.deepEqual(find({ postgis: null, canEnablePostgis: true }), [], 'startup enables PostGIS');
});

test('old servers, other encodings and missing software are reported with the versions found', () => {
  assert.match(
    find({ versionNumber: 130_014, version: '13.14' })[0]?.problem ?? '',
    /14 or newer; this is 13\.14/,
  );
  assert.deepEqual(codesOf({ versionNumber: 140_000 }), []);
  assert.match(find({ encoding: 'SQL_ASCII' })[0]?.problem ?? '', /encoding SQL_ASCII/);
  assert.deepEqual(codesOf({ postgis: null, availablePostgis: null }), ['postgis-missing']);
  assert.deepEqual(codesOf({ postgis: { version: '2.5.5', schema: 'public', usage: true } }), [
    'store-too-old',
  ]);
  assert.deepEqual(codesOf({ postgis: null, availablePostgis: '2.5.5' }), ['store-too-old']);
});

test('the refusal names everything that is missing, with the code of the first problem', () => {
  const missing = find({
    postgis: null,
    foreignTables: [
      { name: 'swath.keys', owner: 'old' },
      { name: 'swath.scenes', owner: 'old' },
    ],
  });
  const refuse = () => refuseMissingPreconditions(missing, { address: 'h/swath', database: 'swath' });
  assert.throws(refuse, {
    code: 'postgis-not-enabled',
    message: /CREATE EXTENSION.*swath\.keys and 1 more/s,
  });
  refuseMissingPreconditions([], { address: 'h/swath', database: 'swath' });
});
