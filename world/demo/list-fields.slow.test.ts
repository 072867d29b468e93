import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAreaGeometry } from '../../src/areas/index.ts';
import example from '../../web/panels/fields/example-fields.json' with { type: 'json' };
import { listFields } from './list-fields.ts';

test('fields of the world are areas that can be stored, each with its own id', () => {
  const fields = listFields(5_000);
  assert.equal(fields.length, 5_000);
  assert.equal(new Set(fields.map(({ id }) => id)).size, 5_000);
  for (const { geometry } of fields) parseAreaGeometry(geometry);
  // The viewer offers the first ones as an example; their crops are those of 2026.
  assert.deepEqual(
    example.features.map(({ id, properties: { name }, geometry }) => ({ id, name, geometry })),
    fields
      .slice(0, example.features.length)
      .map(({ id, properties: { name }, geometry }) => ({ id, name, geometry })),
  );
});
