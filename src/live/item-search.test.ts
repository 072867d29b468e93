import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldFilter } from '../catalog/index.ts';
import { toBody, toItemSearch } from './item-search.ts';
import type { CatalogApi, LiveCollection } from './live-catalog.ts';
import { sentinel1, sentinel2ByMgrs } from './presets/items-of.ts';

const API: CatalogApi = { filter: 'cql2', sort: true, fields: true, counts: true, maxItems: 200 };

const COLLECTION: LiveCollection = {
  collection: 'landsat-c2-l2',
  dataset: 'landsat8',
  where: { platform: ['landsat-8'] },
  properties: {
    cloudCoverage: { name: 'eo:cloud_cover', step: 0.01 },
    sunElevation: { name: 'view:sun_elevation', slack: 0.5 },
    row: { name: 'wrs:row' },
  },
  locate: {},
  namingAssets: [],
  heavyAssets: [],
  since: '2013-03-18',
};

const newest = { field: 'date', descending: true };

function plan(filters: readonly FieldFilter[], api: Partial<CatalogApi> = {}) {
  return toItemSearch({ filters, shape: undefined, sort: newest }, COLLECTION, { ...API, ...api });
}

test('dates become an interval, and other filters become conditions in the language of the catalog', () => {
  const filters: readonly FieldFilter[] = [
    { field: 'date', kind: 'range', from: '2026-06-01', to: '2026-06-30' },
    { field: 'row', kind: 'one-of', values: [24, 25] },
  ];
  assert.deepEqual(plan(filters), {
    body: {
      collections: ['landsat-c2-l2'],
      datetime: '2026-06-01T00:00:00Z/2026-06-30T23:59:59.999Z',
      'filter-lang': 'cql2-json',
      filter: {
        op: 'and',
        args: [
          { op: '=', args: [{ property: 'platform' }, 'landsat-8'] },
          { op: 'in', args: [{ property: 'wrs:row' }, [24, 25]] },
        ],
      },
      sortby: [{ field: 'properties.datetime', direction: 'desc' }],
    },
    isExact: true,
    isSorted: true,
  });
  assert.deepEqual(plan(filters, { filter: 'query' })?.body.query, {
    platform: { eq: 'landsat-8' },
    'wrs:row': { in: [24, 25] },
  });
});

test('the name of a scene gives the place and time of its item', () => {
  const collection = { ...sentinel2ByMgrs('sentinel-2-l2a', 'sentinel2l2a') };
  const ask = (filters: readonly FieldFilter[], more: Partial<CatalogApi> = {}) =>
    toItemSearch({ filters, shape: undefined, sort: newest }, collection, {
      ...API,
      filter: 'query',
      ...more,
    });
  const names = (...values: readonly string[]): FieldFilter => ({ field: 'sceneID', kind: 'one-of', values });
  const one = ask([names('S2A_tile_20260606_36RUU_0')]);
  assert.equal(one?.body.datetime, '2026-06-05T00:00:00Z/2026-06-07T23:59:59.999Z');
  assert.deepEqual(one?.body.query, {
    'mgrs:utm_zone': { eq: 36 },
    'mgrs:latitude_band': { eq: 'R' },
    'mgrs:grid_square': { eq: 'UU' },
  });
  assert.equal(one?.isExact, false, 'the catalog counts others of the tile too');
  const two = ask([names('S2A_tile_20260606_36RUU_0', 'S2B_tile_20260601_35RPQ_0')]);
  assert.equal(two?.body.datetime, '2026-05-31T00:00:00Z/2026-06-07T23:59:59.999Z');
  assert.deepEqual(two?.body.query, {
    'mgrs:utm_zone': { in: [36, 35] },
    'mgrs:latitude_band': { eq: 'R' },
    'mgrs:grid_square': { in: ['UU', 'PQ'] },
  });
  const radar = [
    'S1A_IW_GRDH_1SDV_20220601T101112_20220601T101137_043456_05305B',
    'S1A_IW_GRDH_1SDV_20220613T101112_20220613T101137_043631_05358A',
  ];
  const both = toItemSearch(
    { filters: [names(...radar)], shape: undefined, sort: newest },
    sentinel1('sentinel-1-grd'),
    API,
  );
  assert.deepEqual([both?.body.ids, both?.body.filter], [radar, undefined]);
  const later: FieldFilter = { field: 'date', kind: 'range', from: '2026-07-01' };
  assert.equal(ask([names('S2A_tile_20260606_36RUU_0'), later]), null, 'the name is of another day');
  assert.deepEqual(ask([names('S2A_tile_20260606_36RUU_0', 'mine')])?.body.query, undefined);
  const plain = ask([names('S2A_tile_20260606_36RUU_0')], { filter: 'none' });
  assert.deepEqual([plain?.body.query, plain?.body.datetime], [undefined, one?.body.datetime]);
});

test('several conditions on one property are combined: none replaces another', () => {
  const range = (from?: number, to?: number): FieldFilter => ({
    field: 'row',
    kind: 'range',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const oneOf = (...values: readonly number[]): FieldFilter => ({ field: 'row', kind: 'one-of', values });
  const ask = (...filters: readonly FieldFilter[]) =>
    (plan(filters, { filter: 'query' })?.body.query as Record<string, unknown> | undefined)?.['wrs:row'];
  assert.deepEqual(ask(range(20, 40), range(10, 30)), { gte: 20, lte: 30 });
  assert.deepEqual(ask(range(3), range(20), oneOf(24)), { gte: 20, eq: 24 });
  assert.deepEqual(ask(oneOf(24, 25, 26), oneOf(25, 26, 27)), { in: [25, 26] });
  assert.deepEqual(ask(oneOf(24, 25), oneOf(25)), { eq: 25 });
  assert.deepEqual(ask(oneOf(24), oneOf(25)), { in: [] });
});

test('an imprecise value is searched with a tolerance, and the count of the catalog is not used', () => {
  const search = plan([{ field: 'sunElevation', kind: 'range', to: 20 }], { filter: 'query' });
  assert.deepEqual(search?.body.query, {
    platform: { eq: 'landsat-8' },
    'view:sun_elevation': { lte: 20.5 },
  });
  assert.equal(search?.isExact, false);
});

test('a rounded value is searched up to half a step beyond, so that the count of the catalog can be used', () => {
  const ask = (from: number, to: number) =>
    plan([{ field: 'cloudCoverage', kind: 'range', from, to }], { filter: 'query' });
  for (const [from, to, gte, lte] of [
    [0, 20, -0.005, 20.005],
    [0.29, 0.57, 0.285, 0.575],
    // Between two rounded values: the next ones inside count.
    [0.291, 20.009, 0.295, 20.005],
  ] as const) {
    const search = ask(from, to);
    assert.deepEqual(search?.body.query, { platform: { eq: 'landsat-8' }, 'eo:cloud_cover': { gte, lte } });
    assert.equal(search.isExact, true);
  }
});

test('filters and sorting that a catalog does not support are done locally', () => {
  const unknown = plan([{ field: 'sensor', kind: 'one-of', values: ['OLI_TIRS'] }]);
  assert.equal(unknown?.isExact, false);
  const plain = plan([], { filter: 'none', sort: false });
  assert.deepEqual(plain, { body: { collections: ['landsat-c2-l2'] }, isExact: false, isSorted: false });
});

test('days before the archive, and days that exclude each other, send no request', () => {
  assert.equal(plan([{ field: 'date', kind: 'range', to: '2013-03-17' }]), null);
  assert.equal(
    plan([
      { field: 'date', kind: 'range', from: '2020-02-01' },
      { field: 'date', kind: 'range', to: '2020-01-31' },
    ]),
    null,
  );
});

test('a long outline is sent as its bounding box', () => {
  const ring = Array.from({ length: 601 }, (_, i) => {
    const angle = (2 * Math.PI * (i % 600)) / 600;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)] as const;
  });
  const search = (positions: typeof ring) =>
    toItemSearch(
      {
        filters: [],
        shape: { geometry: { type: 'Polygon', coordinates: [positions] }, relation: 'intersects' },
        sort: newest,
      },
      COLLECTION,
      API,
    );
  assert.deepEqual(
    (search(ring)!.body.bbox as number[]).map((value) => Math.round(value)),
    [9, 49, 11, 51],
  );
  assert.equal(search(ring)?.isExact, false);
  const short = ring.filter((_, i) => i % 100 === 0);
  assert.equal((search(short)!.body.intersects as { type: string }).type, 'Polygon');
  assert.equal(search(short)?.isExact, true);
});

test('an item can be requested by its id in every language', () => {
  const conditions = [
    { property: 'id', op: '=', value: 'S1A_1' },
    { property: 'platform', op: '=', value: 'sentinel-1a' },
  ] as const;
  for (const filter of ['cql2', 'query', 'none'] as const) {
    const api = { filter, sort: true, fields: true, counts: true, maxItems: 10 };
    const body = toBody({ collection: 'c', days: { from: null, to: null }, conditions, api, rest: {} });
    assert.deepEqual(body.ids, ['S1A_1']);
    assert.doesNotMatch(JSON.stringify([body.query, body.filter]), /S1A_1/);
  }
});
