import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import { areaParser } from '../../areas/testing/area-parser.ts';
import type { SceneQuery } from '../../catalog/index.ts';
import { makeFields, makeGroupOutlines, withFieldOutlines } from '../../fields/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { geometryBounds, outlineBounds } from '../../geo/index.ts';
import { makeAreas } from '../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../library/testing/memory-library.ts';
import type { ScenePictureRequest } from '../../render/index.ts';
import { roundDegrees } from '../kit/answer-bodies.ts';
import { makeTestApp, OTHER_KEY, otherRecord, readError } from '../testing/make-test-app.ts';
import { exampleField } from './field-wire.ts';

const { store, close } = openTestStore();
after(close);

const areaStore = makeMemoryAreas().store;
const planned: ScenePictureRequest[] = [];
const searched: SceneQuery[] = [];
const measured: LonLatBounds[] = [];
const { call, post } = makeTestApp({
  fields: makeFields({ store: store.fields, maxPerOwner: 40, now: () => new Date() }),
  areas: makeAreas({ ...unlimitedAreas, store: withFieldOutlines(areaStore, store.fields) }),
  groupOutlines: makeGroupOutlines({ fields: store.fields, areas: areaStore, parser: areaParser }),
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

test('a tile can be cropped to a field as to a stored area, but not to a field of another key', async () => {
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

test('a body may name a field wherever it may name an area', async () => {
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

test('a body may escape characters in a parameter name', async () => {
  const body = '{"\\u0066ield": "x"}';
  const response = await call('/api/forecast/weather', { method: 'POST', body });
  assert.equal((await readError(response)).code, 'no-such-field');
});

test('the shape of a search may be a field', async () => {
  await post('/api/lms/search/v2/sentinel2', { search: { shape: { field: created.id } } });
  const found = searched.at(-1)?.shape?.geometry;
  assert.ok(found?.type === 'MultiPolygon');
  assertIsExample(geometryBounds(found));
  const unknown = await post('/api/lms/search/v2/sentinel2', { search: { shape: { field: 'x' } } });
  assert.equal((await readError(unknown)).code, 'no-such-field');
});

test('the reference of a field can be read as an area until its outline changes', async () => {
  const read = await call(`/api/render/cropper/${created.cropper_ref}`);
  const feature = (await read.json()) as { properties: object; geometry: object };
  assert.deepEqual(feature.properties, { field: created.id });
  const gone = await call(`/api/render/cropper/${created.cropper_ref}`, { method: 'DELETE' });
  assert.equal(gone.status, 404, 'a field is deleted by its id');
});

/** A field of some size, in a group. */
const square = (west: number, south: number, group: string, side = 0.01) => ({
  name: `${west} ${south}`,
  group,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + side, south],
        [west + side, south + side],
        [west, south + side],
        [west, south],
      ],
    ],
  },
});

test('a group covers the ground of its fields, and follows their changes', async () => {
  // Neighbours, and one field twice: their ground is one polygon.
  for (const west of [10, 10.01, 10.01, 10.02]) await post('/api/fields', square(west, 50, 'farm'));
  planned.length = 0;
  await call(`${TILE}?group=farm`);
  await call(`${TILE}?group=farm`);
  const [first, second] = planned.map(({ options }) => options?.area);
  assert.deepEqual(first, second);
  const { west, south, east, north } = outlineBounds(first?.outline ?? assert.fail());
  assert.deepEqual([west, south, east, north].map(roundDegrees), [10, 50, 10.03, 50.01]);
  const read = await call(`/api/render/cropper/${first?.ref}`);
  const feature = (await read.json()) as { properties: object; geometry: { coordinates: unknown[] } };
  assert.deepEqual(feature.properties, { group: 'farm' });
  assert.equal(feature.geometry.coordinates.length, 1);
  await post('/api/fields', square(10.03, 50, 'farm'));
  await call(`${TILE}?group=farm`);
  const { east: later } = outlineBounds(planned.at(-1)?.options?.area?.outline ?? assert.fail());
  assert.equal(roundDegrees(later), 10.04);
  measured.length = 0;
  await post('/api/render/terrain/statistics', { group: 'farm' });
  assert.deepEqual(roundDegrees(measured[0]?.east ?? 0), 10.04);
});

test('a search accepts a group, even one with more fields than an area may have polygons', async () => {
  for (let i = 0; i < 25; i += 1) await post('/api/fields', square(20 + 0.1 * i, 50, 'many'));
  await post('/api/lms/search/v2/sentinel2', { search: { shape: { group: 'many' } } });
  const found = searched.at(-1)?.shape?.geometry;
  assert.ok(found?.type === 'MultiPolygon' && found.coordinates.length === 25);
});

test('a group that is missing, too large or in a recipe is refused with the reason', async () => {
  const positions = Array.from({ length: 5_001 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 5_001;
    return [30 + 0.1 * Math.cos(angle), 50 + 0.1 * Math.sin(angle)];
  });
  for (const name of ['a', 'b'])
    await post('/api/fields', {
      name,
      group: 'large',
      geometry: { type: 'Polygon', coordinates: [[...positions, positions[0]]] },
    });
  for (const [path, body, status, code] of [
    ['/api/render/terrain/statistics', { group: 'x' }, 404, 'no-such-group'],
    ['/api', { type: 'lbe', params: { view_id: 'x', group: 'x' } }, 404, 'no-such-group'],
    ['/api/forecast/weather', { group: 'x' }, 404, 'no-such-group'],
    ['/api/phenology', { group: 'x' }, 404, 'no-such-group'],
    ['/api/zones', { group: 'x' }, 404, 'no-such-group'],
    ['/api/lms/search/v2/sentinel2', { search: { shape: { group: 'x' } } }, 404, 'no-such-group'],
    ['/api/render/terrain/statistics', { group: 'large' }, 422, 'group-too-large'],
    ['/api/recipes', { style: { group: 'farm' } }, 422, 'group-not-kept'],
    ['/api/forecast/weather', { group: 'farm', polygon_id: 'x' }, 400, 'several-areas'],
    ['/api/forecast/weather', { group: 'farm', field: created.id }, 400, 'several-areas'],
  ] as const) {
    const response = await post(path, body);
    assert.deepEqual(
      [(await readError(response)).code, response.status],
      [code, status],
      `${path} ${JSON.stringify(body)}`,
    );
  }
});
