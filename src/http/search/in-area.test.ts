import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneHit, SceneQuery } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import type { MeasureCoverage, SceneCoverage } from '../../coverage/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';
import { SEARCH } from './testing/make-search.ts';

const AREA = box(2.1, 42.1, 2.2, 42.2);

const covered = (cloudPercent: number | null, dataPercent: number | null = 100): SceneCoverage => ({
  cloudPercent,
  dataPercent,
  problem: cloudPercent === null ? { code: 'no-cloud-mask', message: 'There is no mask.' } : null,
});

/** What is measured of the scenes of the first days of June. */
const MEASURED: readonly SceneCoverage[] = [covered(30), covered(null), covered(0, 40), covered(30, 90)];

/** A catalog of some days of which at most `max` are measured in a search, and what it was asked. */
function makeDays({ max = 100, found = MEASURED.length, reads = 4 } = {}) {
  const hits = MEASURED.map((_, i) => toScene(makeScene(i + 1)));
  const queries: SceneQuery[] = [];
  const measuredHits: (readonly SceneHit[])[] = [];
  const measureCoverage: MeasureCoverage = async ({ hits: given, onRead }) => {
    onRead?.(reads);
    measuredHits.push(given);
    return given.slice(0, max).map(({ viewId }) => MEASURED[hits.findIndex((hit) => hit.viewId === viewId)]!);
  };
  const scenes = {
    searchHits: async (query: SceneQuery) => {
      queries.push(query);
      return { found, hits: hits.slice(query.offset, query.offset + query.limit) };
    },
  };
  const { post } = makeTestApp({
    scenes,
    measureCoverage,
    work: { perMinute: 1_200, readOnlyPerMinute: 1_200 },
    nowMs: () => 0,
  });
  const ask = async (body: object) => {
    const response = await post(SEARCH, body);
    assert.equal(response.status, 200, JSON.stringify(body));
    const { meta, results } = (await response.json()) as {
      meta: { found: number; in_area?: Record<string, unknown> };
      results: Record<string, unknown>[];
    };
    const days = results.map(({ date }) => Number(String(date).slice(-2)));
    return { meta, results, days };
  };
  const refuse = async (body: object) => {
    const response = await post(SEARCH, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    return readError(response);
  };
  return { ask, refuse, post, queries, measuredHits };
}

const problems = [
  {
    dataset: 'sentinel2',
    code: 'no-cloud-mask',
    message: 'There is no mask.',
    scenes: 1,
    view_id: 'S2/31/T/DH/2026/6/2/0',
  },
];

test('a filter by clouds in the area skips scenes that were not measured, and hits have both percentages', async () => {
  const { ask, queries } = makeDays();
  const { meta, results, days } = await ask({
    search: { shape: AREA, cloudCoverageInArea: { to: 30 }, cloudCoverage: { to: 50 } },
    limit: 2,
  });
  assert.deepEqual(days, [1, 3]);
  assert.equal(meta.found, 3);
  assert.deepEqual(meta.in_area, { candidates: 4, measured: 4, remaining: 0, problems });
  assert.deepEqual(
    results.map(({ cloudCoverageInArea, dataCoverageInArea }) => [cloudCoverageInArea, dataCoverageInArea]),
    [
      [30, 100],
      [0, 40],
    ],
  );
  // The catalog filters by the rest, and gives as many as a search measures.
  assert.deepEqual(queries[0]?.datasets[0]?.filters, [{ field: 'cloudCoverage', kind: 'range', to: 50 }]);
  assert.deepEqual([queries[0]?.offset, queries[0]?.limit], [0, 500]);
  const second = await ask({ search: { shape: AREA, cloudCoverageInArea: { to: 30 } }, limit: 2, page: 2 });
  assert.deepEqual(second.days, [4]);
  const both = { cloudCoverageInArea: 30, dataCoverageInArea: { from: 95 } };
  assert.deepEqual((await ask({ search: { shape: AREA, ...both } })).days, [1]);
});

test('sorting by a measured field puts unknown values last in both directions, and equal ones in order of date', async () => {
  const { ask, queries } = makeDays();
  const asc = await ask({ search: { shape: AREA }, sort: { cloudCoverageInArea: 'asc' } });
  assert.deepEqual(asc.days, [3, 1, 4, 2]);
  const desc = await ask({ search: { shape: AREA }, sort: { cloudCoverageInArea: 'DESC' } });
  assert.deepEqual(desc.days, [1, 4, 3, 2]);
  assert.deepEqual(queries[0]?.sort, { field: 'date', descending: true });
});

test('requesting measured fields only measures the hits of the page, and changes nothing else', async () => {
  const { ask, queries, measuredHits } = makeDays();
  const { meta, results, days } = await ask({
    search: { shape: AREA },
    fields: ['dataCoverageInArea'],
    sort: { date: 'asc' },
    limit: 2,
    page: 2,
  });
  assert.deepEqual(days, [3, 4]);
  assert.equal(meta.found, 4);
  assert.deepEqual(meta.in_area, { candidates: 4, measured: 2, remaining: 0, problems: [] });
  assert.deepEqual(Object.keys(results[0]!).sort(), [
    'dataCoverageInArea',
    'date',
    'sceneID',
    'tms',
    'view_id',
  ]);
  assert.deepEqual([queries[0]?.offset, queries[0]?.limit], [2, 2]);
  assert.equal(measuredHits[0]?.length, 2);
});

test('a search that does not ask for it is not measured', async () => {
  const { ask, measuredHits } = makeDays();
  const { meta, results } = await ask({ search: { shape: AREA }, fields: ['cloudCoverage'] });
  assert.equal(meta.in_area, undefined);
  assert.ok(!('cloudCoverageInArea' in results[0]!));
  assert.equal(measuredHits.length, 0);
});

test('the answer says how many scenes were not measured, and how to continue', async () => {
  const { ask } = makeDays({ max: 3, found: 10 });
  const search = { shape: AREA, dataCoverageInArea: { from: 0 } };
  const first = await ask({ search });
  assert.deepEqual(first.days, [1, 2, 3]);
  const { advice, problems: _, ...counts } = first.meta.in_area!;
  assert.deepEqual(counts, { candidates: 10, measured: 3, remaining: 7, next: { measureFrom: 3 } });
  assert.match(String(advice), /"measureFrom": 3/);
  const next = await ask({ search, ...(first.meta.in_area!.next as object) });
  assert.deepEqual(next.days, [4]);
  assert.equal(next.meta.in_area!.remaining, 6);

  const page = await ask({ search: { shape: AREA }, fields: ['cloudCoverageInArea'] });
  assert.deepEqual(
    page.results.map(({ cloudCoverageInArea }) => cloudCoverageInArea),
    [30, null, 0, null],
  );
  assert.deepEqual([page.meta.in_area!.measured, page.meta.in_area!.remaining], [3, 1]);
  assert.match(String(page.meta.in_area!.advice), /again/);
});

test('a search without an area is refused, and so are malformed filters', async () => {
  const { refuse } = makeDays();
  const point = { type: 'Point', coordinates: [2.1, 42.1] };
  for (const body of [
    { search: { cloudCoverageInArea: { to: 20 } } },
    { search: { shape: point, dataCoverageInArea: { from: 90 } } },
    { search: { shape: point }, sort: { cloudCoverageInArea: 'asc' } },
    { search: {}, fields: ['cloudCoverageInArea'] },
  ]) {
    const { code, error } = await refuse(body);
    assert.equal(code, 'no-area');
    assert.match(error, /^(?:cloud|data)CoverageInArea needs an area/);
  }
  const bad = [
    [{ search: { shape: AREA, cloudCoverageInArea: { to: 'few' } } }, 'bad-filter'],
    [{ search: { shape: AREA, cloudCoverageInArea: { from: 9, to: 1 } } }, 'bad-range'],
    [{ search: { shape: AREA }, measureFrom: 500 }, 'lone-measure-from'],
    [{ search: { shape: AREA, cloudCoverageInArea: 0 }, measureFrom: -1 }, 'bad-measurefrom'],
    [{ search: { shape: AREA, cloudCoverageInArea: 0 }, measureFrom: '5' }, 'bad-measurefrom'],
  ] as const;
  for (const [body, code] of bad) assert.equal((await refuse(body)).code, code, JSON.stringify(body));
});

test('reading masks is charged to the budget of the key', async () => {
  const { ask, post } = makeDays({ reads: 1_000 });
  const search = { shape: AREA, cloudCoverageInArea: { to: 30 } };
  // A minute's budget of 1,200: each takes 500, and what a search costs in any case.
  await ask({ search });
  await ask({ search });
  const refused = await post(SEARCH, { search });
  assert.equal(refused.status, 429);
  assert.equal((await readError(refused)).code, 'work-limited');
});

test('the error for a misspelt field suggests the right one', async () => {
  const { refuse } = makeDays();
  const { code, error } = await refuse({ search: { shape: AREA, cloudCoverInArea: 1 } });
  assert.equal(code, 'unknown-field');
  assert.match(error, /Did you mean cloudCoverageInArea\?/);
});
