import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';

interface Bucket {
  readonly key: string;
  readonly frequency: number;
}
interface Aggregation {
  readonly name: string;
  readonly value?: unknown;
  readonly buckets?: readonly Bucket[];
  readonly overflow?: number;
}

/** 30 scenes of June 2026 with cloud cover 1 to 29 and 100; the last has none. */
function makeAggregates() {
  const scenes = Array.from({ length: 30 }, (_, i) => {
    const scene = makeScene(i + 1);
    const cloudCoverage = i === 28 ? 100 : i + 1;
    const { cloudCoverage: ___, ...others } = { ...scene.fields };
    return { ...scene, fields: i === 29 ? others : { ...others, cloudCoverage } };
  });
  const catalog = makeMadeCatalog(...scenes);
  const app = makeTestApp({ scenes: catalog.scenes });
  const ask = async (query: string, path = '/stac/aggregate') => {
    const response = await app.call(`${path}?${query}`);
    const body = (await response.json()) as { code?: string; aggregations: readonly Aggregation[] };
    assert.equal(response.status, 200, JSON.stringify(body));
    return Object.fromEntries(body.aggregations.map((one) => [one.name, one]));
  };
  const refuse = async (query: string) => {
    const response = await app.call(`/stac/aggregate?${query}`);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  return { ...app, ask, refuse, catalog };
}

const filled = (buckets: readonly Bucket[] = []) =>
  buckets.filter(({ frequency }) => frequency > 0).map(({ key, frequency }) => [key, frequency]);

test('the catalog counts the numbers of a search', async () => {
  const { ask, catalog } = makeAggregates();
  const all = await ask(
    'aggregations=total_count,datetime_min,datetime_max,collection_frequency,cloud_cover_frequency,datetime_frequency',
  );
  assert.equal(all.total_count?.value, 30);
  assert.equal(all.datetime_min?.value, '2026-06-01T10:50:31.000Z');
  assert.equal(all.datetime_max?.value, '2026-06-30T10:50:31.000Z');
  assert.deepEqual(filled(all.collection_frequency?.buckets), [['sentinel2', 30]]);
  assert.deepEqual(filled(all.cloud_cover_frequency?.buckets), [
    ['0-10', 9],
    ['10-20', 10],
    ['20-30', 9],
    ['90-100', 1],
  ]);
  assert.equal(all.cloud_cover_frequency?.overflow, 1);
  assert.equal(all.datetime_frequency?.buckets?.length, 30);
  assert.ok(
    catalog.asked.every(({ limit }) => limit <= 100),
    'no page of scenes is read',
  );
});

test('a filter that the catalog cannot decide is counted scene by scene, with the same result', async () => {
  const { ask } = makeAggregates();
  const names =
    'aggregations=total_count,datetime_min,datetime_max,collection_frequency,cloud_cover_frequency,datetime_frequency';
  const decided = await ask(`${names}&filter=${encodeURIComponent('eo:cloud_cover <= 12')}`);
  const tested = await ask(
    `${names}&filter=${encodeURIComponent("eo:cloud_cover <= 12 AND platform LIKE 'sent%'")}`,
  );
  assert.equal(decided.total_count?.value, 12);
  assert.deepEqual(tested, decided);
  const byId = await ask(`${names}&ids=S2_31_T_DH_2026_6_3_0`);
  assert.deepEqual([byId.total_count?.value, byId.datetime_max?.value], [1, '2026-06-03T10:50:31.000Z']);
});

test('long periods are counted by month or year, and an empty result has no buckets', async () => {
  const { ask, catalog } = makeAggregates();
  const base = makeScene(1);
  const old = (year: number) => ({
    ...base,
    viewId: `S2/31/T/DH/${year}/6/1/0`,
    sceneId: `S2A_tile_${year}0601_31TDH_0`,
    acquiredAt: `${year}-06-01T10:00:00.000Z`,
  });
  catalog.add(old(2024));
  const months = await ask('aggregations=datetime_frequency');
  assert.deepEqual(filled(months.datetime_frequency?.buckets), [
    ['2024-06', 1],
    ['2026-06', 30],
  ]);
  catalog.add(old(2016));
  const years = await ask('aggregations=datetime_frequency');
  assert.deepEqual(filled(years.datetime_frequency?.buckets), [
    ['2016', 1],
    ['2024', 1],
    ['2026', 30],
  ]);
  const none = await ask('aggregations=datetime_frequency,datetime_min&collections=nope');
  assert.deepEqual([none.datetime_frequency?.buckets, none.datetime_min?.value], [[], null]);
});

test('aggregations work for collections, in bodies and in lists; unknown names are refused', async () => {
  const { ask, refuse, post, call } = makeAggregates();
  const one = await ask('aggregations=total_count', '/stac/collections/sentinel2/aggregate');
  assert.equal(one.total_count?.value, 30);
  const sent = await post('/stac/aggregate', {
    aggregations: ['total_count'],
    datetime: '2026-06-01T00:00:00Z/2026-06-10T23:59:59Z',
  });
  assert.deepEqual(((await sent.json()) as { aggregations: unknown }).aggregations, [
    { name: 'total_count', data_type: 'integer', value: 10 },
  ]);
  for (const path of ['/stac/aggregations', '/stac/collections/sentinel2/aggregations']) {
    const list = (await (await call(path)).json()) as { aggregations: readonly { name: string }[] };
    assert.ok(list.aggregations.some(({ name }) => name === 'cloud_cover_frequency'));
  }
  assert.deepEqual(await refuse('aggregations=nope'), [400, 'bad-aggregations']);
  assert.deepEqual(await ask(''), {});
  assert.equal((await call('/stac/collections/nope/aggregate')).status, 404);
});
