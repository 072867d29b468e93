import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeLru } from '../lru.ts';
import { makeServiceCounts } from '../net/index.ts';
import { makeMetrics } from './metrics.ts';

const folder = {
  hits: 1,
  misses: 2,
  dropped: 0,
  evicted: 0,
  written: 0,
  readBytes: 0,
  writtenBytes: 0,
  usedBytes: 0,
  budgetBytes: 0,
};
const pool = { threads: 2, busy: 1, waiting: 3, ledgerBytes: 5, ledgerBudgetBytes: 9, totals: { done: 1 } };

/** Metrics with everything that a service can have. */
function makeAll(lines: object[] = []) {
  const metrics = makeMetrics({
    version: '1.2.3',
    log: { debug: (fields, text) => lines.push({ ...fields, text }) },
  });
  metrics.watchRendering({
    readPool: () => pool,
    readTaskPool: () => pool,
    readBlocks: () => ({ ...folder, refused: 0 }),
    readTiles: () => folder,
    readRanges: () => folder,
    readHeaders: () => folder,
    readFetches: () => ({
      calls: 1,
      retries: 0,
      hedged: 0,
      hedgesWon: 0,
      fetches: 1,
      fetchedBytes: 10,
      aheadBytes: 0,
      aheadUsefulBytes: 0,
      aheadWastedBytes: 0,
      usedBytes: 7,
      budgetBytes: 8,
    }),
  });
  metrics.watchTasks(async () => [
    { state: 'queued', kind: 'index', tasks: 4, oldestAt: new Date(Date.now() - 90_000).toISOString() },
    { state: 'finished', kind: 'index', tasks: 1, oldestAt: new Date(0).toISOString() },
  ]);
  metrics.watchCatalogs(async () => ({
    mine: {
      ...makeServiceCounts(),
      answered: 3,
      answeredMs: 1_500,
      within: [{ seconds: 0.25, requests: 2 }],
    },
  }));
  metrics.watchTraces(() => ({ sent: 1, dropped: 0, refused: 0 }));
  metrics.watchConnections(() => 1);
  metrics.watchReadiness(async () => ({ ready: true, degraded: false }));
  return metrics;
}

test('the health page lists exactly the metrics of the service', async () => {
  const { text } = await makeAll().render();
  const served = [...text.matchAll(/^# TYPE (swath_\w+) /gm)].map(([, name]) => name);
  const page = readFileSync(new URL('../../docs/operate/health.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| Metric \| Meaning \|\n(.*?)\n\n/s.exec(page) ?? [];
  const listed = table
    .split('\n')
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(swath_\w+)/g)].map(([, name]) => name));
  assert.ok(served.length > 40);
  assert.deepEqual(listed.toSorted(), served.toSorted());
});

test('a scrape shows the queue, jobs, providers, memory caches and catalog latency', async () => {
  const lines: object[] = [];
  const metrics = makeAll(lines);
  metrics.observeJob({ owner: 'k1', kind: 'draw', lane: 'tile', queuedMs: 3, ranMs: 40 });
  assert.deepEqual(lines, [{ kind: 'draw', lane: 'tile', key: 'k1', queued_ms: 3, ran_ms: 40, text: 'job' }]);
  metrics.observeProvider({ provider: 'grid', outcome: 'nothing', ms: 30 });
  const cache = makeLru<number>({ name: 'of-this-test', max: 2 });
  cache.remember('a', () => 1);
  cache.get('a');
  cache.get('b');
  const { text } = await metrics.render();
  const [, age] = /swath_tasks_oldest_seconds\{state="queued",kind="index"\} (\S+)/.exec(text) ?? [];
  assert.ok(Number(age) >= 90, age);
  assert.doesNotMatch(text, /swath_tasks_oldest_seconds\{state="finished"/);
  for (const line of [
    'swath_pool_job_seconds_bucket{le="0.05",kind="draw"} 1',
    'swath_pool_wait_seconds_bucket{le="0.002",lane="tile"} 0',
    'swath_weather_provider_seconds_count{provider="grid",outcome="nothing"} 1',
    'swath_cache_total{cache="of-this-test",outcome="hits"} 1',
    'swath_cache_total{cache="of-this-test",outcome="misses"} 2',
    '# TYPE swath_catalog_request_seconds histogram',
    'swath_catalog_request_seconds_bucket{catalog="mine",le="0.25"} 2',
    'swath_catalog_request_seconds_bucket{catalog="mine",le="+Inf"} 3',
    'swath_catalog_request_seconds_sum{catalog="mine"} 1.5',
    'swath_ready 1',
    'swath_degraded 0',
  ])
    assert.ok(text.split('\n').includes(line), `${line} is missing`);
});
