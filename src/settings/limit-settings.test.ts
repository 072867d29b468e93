import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitSettings, parseByRole } from './limit-settings.ts';

test('quotas are numbers by role', () => {
  assert.deepEqual(parseByRole('read=10, order=0', 100), { read: 10, order: 0 });
  assert.equal(limitSettings.tasksPerDay.show?.({ order: 5, admin: 7 }), 'order=5,admin=7');
});

test('unknown roles, numbers beyond the limit and roles named twice are refused', () => {
  for (const text of ['', 'read', 'read=', 'reader=1', 'read=-1', 'read=101', 'read=1,read=2', 'read=1=2'])
    assert.throws(() => parseByRole(text, 100), /must/, text);
});
