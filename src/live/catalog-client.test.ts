import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toApi } from './catalog-client.ts';

const STAC = 'https://api.stacspec.org/v1.0.0';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';

test('a landing page states the filter language and whether the API supports sorting and fields', () => {
  const pgstac = toApi({
    conformsTo: [
      `${STAC}/item-search`,
      `${STAC}/item-search#sort`,
      `${STAC}/item-search#fields`,
      `${STAC}/item-search#filter`,
      `${CQL2}/basic-cql2`,
      `${CQL2}/cql2-json`,
    ],
  });
  assert.deepEqual([pgstac.filter, pgstac.sort, pgstac.fields], ['cql2', true, true]);
  const older = toApi({ conformsTo: [`${STAC}-rc.1/item-search#query`, `${STAC}/item-search`] });
  assert.deepEqual([older.filter, older.sort, older.fields], ['query', false, false]);
});

test('an API with an empty or invalid landing page gets core requests only', () => {
  for (const landing of [{}, null, 'text', { conformsTo: 'all' }, { conformsTo: [null, 7] }]) {
    const { filter, sort, fields } = toApi(landing);
    assert.deepEqual([filter, sort, fields], ['none', false, false]);
  }
});
