import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { JOBS, toJobsTable } from './jobs.ts';

test('the documentation lists the twelve jobs with their clicks', () => {
  assert.equal(Object.keys(JOBS).length, 12);
  const page = readFileSync('docs/use/viewer.md', 'utf8');
  assert.ok(page.includes(toJobsTable()), `docs/use/viewer.md should have this table:\n${toJobsTable()}`);
});
