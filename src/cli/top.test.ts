import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '../keys/index.ts';
import type { Task } from '../tasks/index.ts';
import { makeTerminal } from './terminal.ts';
import { runTop } from './top.ts';

const START = Date.parse('2026-11-18T12:00:00Z');

const row = (keyId: string, more: Partial<UsageRow>): UsageRow => ({
  keyId,
  day: '2026-11-18',
  requests: 0,
  tiles: 0,
  bytes: 0,
  tasks: 0,
  threadMs: 0,
  ...more,
});

const task = (id: string, owner: string, state: Task['state']): Task => ({
  id,
  owner,
  kind: 'index',
  reference: id,
  digest: '',
  viewId: null,
  priority: 0,
  estimatedBytes: 0,
  timeoutS: 1,
  state,
  progress: { done: 3, total: 4 },
  attempts: 0,
  deaths: 0,
  worker: 'node-1 7',
  error: null,
  result: null,
  createdAt: new Date(START).toISOString(),
  startedAt: new Date(START).toISOString(),
  endedAt: null,
});

const metricsAt = (requests: number, hits: number): string => `# HELP swath_ready x
swath_ready 1
swath_http_requests_in_flight 5
swath_http_requests_total{route="/a",method="GET",status="200"} ${requests}
swath_http_requests_total{route="/b",method="GET",status="404"} 10
swath_pool_threads 4
swath_pool_busy 3
swath_task_pool_busy 1
swath_pool_waiting 2
process_cpu_seconds_total ${requests / 100}
swath_blocks_total{outcome="hits"} ${hits}
swath_blocks_total{outcome="misses"} ${hits / 3}
swath_blocks_total{outcome="evicted"} 99
`;

/** Runs one look over 10 seconds, in which keys a and b do something and c nothing. */
async function runOnce(options: { readonly json: boolean }): Promise<string> {
  let printed = '';
  let nowMs = START;
  const out = {
    write(text: string) {
      printed += text;
      return true;
    },
  };
  await runTop(
    { name: 'top', url: ['http://node-1:8080/', 'http://gone'], every: 10, once: true, ...options },
    {
      usage: {
        list: async ({ keyIds, from, to }) => {
          assert.deepEqual([keyIds, from, to], [null, '2026-11-17', '2026-11-18']);
          const later = nowMs > START ? 1 : 0;
          return [
            row('a', { day: '2026-11-17', requests: 500 }),
            row('a', { requests: 100 + 50 * later, tiles: 40 * later, bytes: later * 20 * 2 ** 20 }),
            row('b', { requests: 7 + later, threadMs: 5 + 15_000 * later }),
            row('c', { requests: 1_000 }),
          ];
        },
      },
      keys: { list: async () => [{ id: 'a', label: 'website' }] as never },
      tasks: {
        list: async ({ state }) =>
          state === 'running' ? [task('t-1', 'b', 'running')] : [task('t-2', 'd', 'queued')],
      },
      readMetrics: async (url) => {
        if (url !== 'http://node-1:8080') return null;
        return nowMs > START ? metricsAt(300, 400) : metricsAt(100, 100);
      },
      nowMs: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
      terminal: makeTerminal({ out, err: out, noColor: true }),
      isScreen: true,
    },
  );
  return printed;
}

test('rates count what happened between two polls; the key that uses most threads comes first', async () => {
  const { keys, tasks, nodes, queued } = JSON.parse(await runOnce({ json: true }));
  assert.deepEqual(keys, [
    {
      key: 'b',
      label: null,
      requestsPerS: 0.1,
      tilesPerS: 0,
      bytesPerS: 0,
      threads: 1.5,
      running: 1,
      queued: 0,
    },
    {
      key: 'a',
      label: 'website',
      requestsPerS: 5,
      tilesPerS: 4,
      bytesPerS: 2 * 2 ** 20,
      threads: 0,
      running: 0,
      queued: 0,
    },
    { key: 'd', label: null, requestsPerS: 0, tilesPerS: 0, bytesPerS: 0, threads: 0, running: 0, queued: 1 },
  ]);
  assert.deepEqual([tasks[0].id, tasks[0].progress, queued], ['t-1', 0.75, 1]);
  assert.deepEqual(nodes, [
    {
      url: 'http://node-1:8080',
      isReachable: true,
      isReady: true,
      inFlight: 5,
      requestsPerS: 20,
      cores: 0.2,
      threads: 4,
      busy: 4,
      waiting: 2,
      hitShares: { blocks: 0.75, pictures: null, ranges: null },
    },
    { url: 'http://gone', isReachable: false },
  ]);
});

test('the tables show the same values', async () => {
  const text = await runOnce({ json: false });
  assert.match(text, /^2026-11-18 12:00:10 UTC, over 10 s: 1 tasks run, 1 wait$/m);
  assert.match(text, /^http:\/\/node-1:8080 +ready +5 +20\.0 +0\.20 +4\/4 +2 +75 % +- +-/m);
  assert.match(text, /^http:\/\/gone +does not answer/m);
  assert.match(text, /^a +5\.0 +4\.0 +2\.00 +0\.00 +0 +0 +website/m);
  assert.match(text, /^t-1 +index +75 % +10 s +b +node-1 7/m);
});

test('an address that does not belong to a node is refused', async () => {
  const command = { name: 'top' as const, url: ['ftp://x'], every: 1, once: true, json: false };
  await assert.rejects(runTop(command, {} as never), { code: 'usage' });
});
