import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRow } from './key-rows.ts';
import { toKeyRecord } from './key-rows.ts';

test('keys from before roles keep their rights, and an unknown role may only read', () => {
  const row: Omit<KeyRow, 'scope'> = {
    id: 'a1',
    label: 'a key',
    ratePerMinute: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    parent: null,
  };
  const roleOf = (scope: string) => toKeyRecord({ ...row, scope }).role;
  assert.deepEqual(['read', 'full', 'catalog', 'later'].map(roleOf), ['read', 'order', 'ingest', 'read']);
});
