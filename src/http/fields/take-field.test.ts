import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../adapters/sqlite/index.ts';
import type { SceneQuery } from '../../catalog/index.ts';
import { makeFields, withFieldOutlines } from '../../fields/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { geometryBounds, outlineBounds } from '../../geo/index.ts';
import { makeAreas } from '../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../library/testing/memory-library.ts';
import type { ScenePictureRequest } from '../../render/index.ts';
import { roundDegrees } from '../kit/bodies.ts';
import { makeTestApp, OTHER_KEY, otherRecord, readError } from '../testing/make-test-app.ts';
import { exampleField } from './field-wire.ts';

const directory = await mkdtemp(join(tmpdir(), 'swath-fields-'));
const store = openSqliteStore(directory);
after(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const planned: ScenePictureRequest[] = [];
const searched: SceneQuery[] = [];
const measured: LonLatBounds[] = [];
const { call, post } = makeTestApp({
  fields: makeFields({ store: store.fields, maxPerOwner: 9, now: () => new Date() }),
  areas: makeAreas({ ...unlimitedAreas, store: withFieldOutlines(makeMemoryAreas().store, store.fields) }),
  records: [otherRecord],
  renderer: {
    async plan(request) {
      planned.push(request as ScenePictureRequest);
      throw new Error('planned');
    },
  },
  scenes: {
    searchHits: async (query) => {
      searched.push(query);
      return { found: 0, hits: [] };
    },
  },
  terrain: {
    readAreaStatistics: async ({ outline }) => {
      measured.push(outlineBounds(outline));
      throw new Error('measured');
    },
  },
});

const created = (await (await post('/api/fields', exampleField)).json()) as {
  readonly id: string;
  readonly cropper_ref: string;
};
/** Stored positions lie on a fine lattice. */
function assertIsExample(bounds: LonLatBounds | undefined): void {
  const { west, south, east, north } = bounds ?? assert.fail('nothing was asked for');
  assert.deepEqual([west, south, east, north].map(roundDegrees), [-122.45, 48.2, -122.4, 48.23]);
}

const TILE = '/api/render/S2/10/U/EU/2026/6/21/1/B04/12/655/1420';

test('a tile is cropped to a field as to a stored area, and to no field of another key', async () => {
  await call(`${TILE}?field=${created.id}`);
  await call(`${TILE}?cropper_ref=${created.cropper_ref}`);
  assert.equal(planned.length, 2);
  assert.equal(planned[0]?.options?.area?.ref, created.cropper_ref);
  assert.deepEqual(planned[0]?.options, planned[1]?.options);
  assertIsExample(outlineBounds(planned[0]?.options?.area?.outline ?? assert.fail()));
  for (const [query, key, status, code] of [
    [`field=${created.id}`, OTHER_KEY, 404, 'no-such-field'],
    ['field=x', undefined, 404, 'no-such-field'],
    [`field=${created.id}&cropper_ref=${created.cropper_ref}`, undefined, 400, 'several-areas'],
  ] as const) {
    const response = await call(`${TILE}?${query}`, key === undefined ? {} : { key });
    assert.deepEqual([response.status, (await readError(response)).code], [status, code], query);
  }
});

test('a body names a field where it may name an area', async () => {
  await post('/api/render/terrain/statistics', { field: created.id });
  assertIsExample(measured[0]);
  for (const [path, body, code] of [
    ['/api/render/terrain/statistics', { field: 'x' }, 'no-such-field'],
    ['/api', { type: 'lbe', params: { view_id: 'x', field: 'x' } }, 'no-such-field'],
    ['/api/statistics', { type: 'mt_stats', params: { field: 'x' } }, 'no-such-field'],
    ['/api/forecast/weather', { field: 'x' }, 'no-such-field'],
    ['/api/recipes', { style: { field: 'x' } }, 'no-such-field'],
    ['/api/statistics', { params: { field: created.id, cropper_ref: 'x' } }, 'several-areas'],
    ['/api/forecast/weather', { field: created.id, polygon_id: 'x' }, 'several-areas'],
  ] as const) {
    const response = await post(path, body);
    assert.equal((await readError(response)).code, code, `${path} ${JSON.stringify(body)}`);
  }
});

test('the shape of a search is that of a field', async () => {
  await post('/api/lms/search/v2/sentinel2', { search: { shape: { field: created.id } } });
  const found = searched.at(-1)?.shape?.geometry;
  assert.ok(found?.type === 'MultiPolygon');
  assertIsExample(geometryBounds(found));
  const unknown = await post('/api/lms/search/v2/sentinel2', { search: { shape: { field: 'x' } } });
  assert.equal((await readError(unknown)).code, 'no-such-field');
});

test('the reference of a field reads as an area, until its outline changes', async () => {
  const read = await call(`/api/render/cropper/${created.cropper_ref}`);
  const feature = (await read.json()) as { properties: object; geometry: object };
  assert.deepEqual(feature.properties, { field: created.id });
  const gone = await call(`/api/render/cropper/${created.cropper_ref}`, { method: 'DELETE' });
  assert.equal(gone.status, 404, 'a field is deleted by its id');
});
