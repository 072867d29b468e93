/** `swath top`: what runs now, by key, over all nodes of a store. */

import type { Keys, UsageRow, UsageStore } from '../keys/index.ts';
import { CONFIGURED_KEY_ID, toUsageDay } from '../keys/index.ts';
import type { Task, TaskStore } from '../tasks/index.ts';
import { DAY_MS, MIB } from '../units.ts';
import type { CommandOf } from './command.ts';
import { command, flag, option, repeatable, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

type TopCommand = CommandOf<(typeof top.commands)[number]>;

/** Nodes store their counts this often. */
const EVERY_S = 10;

/** Tasks that are read at a time. */
const MAX_TASKS = 1_000;
/** Rows of usage: a row for each key and day. */
const MAX_ROWS = 100_000;

/** `swath top`. */
export const top = topic({
  name: 'top',
  summary: 'show what runs now, by key: requests, pictures, threads and tasks',
  about: [
    'It reads the store, so with PostgreSQL it shows the keys and tasks of all nodes. With --url it also reads /metrics of nodes, with SWATH_API_KEY where they need a key.',
  ],
  commands: [
    command('top', {
      about:
        'Shows requests, pictures and bytes a second and busy pixel threads of each key, the tasks that run with their progress, and the state of the nodes; again and again until Ctrl-C. Nodes report every 10 seconds.',
      options: {
        url: repeatable('--url URL', 'address of a node, such as http://localhost:8080; can be repeated'),
        every: withDefault(
          option(
            '--every SECONDS',
            `time between two looks, over which rates are measured (${EVERY_S})`,
            parseAmount,
          ),
          EVERY_S,
        ),
        once: flag('--once', 'print one look, after one interval, and end'),
        ...jsonList,
      },
    }),
  ],
});

interface TopDeps {
  readonly usage: Pick<UsageStore, 'list'>;
  readonly keys: Pick<Keys, 'list'>;
  readonly tasks: Pick<TaskStore, 'list'>;
  /** The metrics of a node; null if it does not answer. */
  readonly readMetrics: (url: string) => Promise<string | null>;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly terminal: Terminal;
  /** Whether the screen is cleared before each table. */
  readonly isScreen: boolean;
}

/** Runs `swath top`. */
export async function runTop({ url, every, once, json }: TopCommand, deps: TopDeps): Promise<void> {
  const { nowMs, sleep, terminal, isScreen } = deps;
  const urls = url.map(parseUrl);
  let before = await look(urls, deps);
  for (;;) {
    await sleep(1_000 * every);
    const now = await look(urls, deps);
    const shown = compare(before, now);
    before = now;
    if (json) terminal.line(JSON.stringify(shown));
    else {
      if (isScreen && !once) terminal.line('\u001b[2J\u001b[H');
      printTop(shown, terminal, nowMs());
    }
    if (once) return;
  }
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw badInput('usage', '--url takes the address of a node, such as http://localhost:8080.');
  return url.href.replace(/\/+$/, '');
}

/** What was counted up to a moment. */
interface Look {
  readonly atMs: number;
  readonly usage: ReadonlyMap<string, UsageRow>;
  readonly labels: ReadonlyMap<string, string>;
  readonly running: readonly Task[];
  readonly queued: readonly Task[];
  readonly nodes: readonly { readonly url: string; readonly metrics: NodeMetrics | null }[];
}

async function look(urls: readonly string[], deps: TopDeps): Promise<Look> {
  const atMs = deps.nowMs();
  // Includes yesterday: the counts of today begin at zero at midnight.
  const days = { from: toUsageDay(atMs - DAY_MS), to: toUsageDay(atMs) };
  const [rows, records, running, queued, nodes] = await Promise.all([
    deps.usage.list({ keyIds: null, ...days, limit: MAX_ROWS }),
    deps.keys.list(),
    deps.tasks.list({ state: 'running', limit: MAX_TASKS }),
    deps.tasks.list({ state: 'queued', limit: MAX_TASKS }),
    Promise.all(urls.map(async (url) => ({ url, metrics: toNodeMetrics(await deps.readMetrics(url)) }))),
  ]);
  const usage = new Map<string, UsageRow>();
  for (const row of rows) {
    const sum = usage.get(row.keyId);
    usage.set(row.keyId, sum === undefined ? row : addRows(sum, row));
  }
  const labels = new Map(records.map(({ id, label }) => [id, label]));
  labels.set(CONFIGURED_KEY_ID, 'SWATH_API_KEY');
  return { atMs, usage, labels, running, queued, nodes };
}

const addRows = (one: UsageRow, other: UsageRow): UsageRow => ({
  ...one,
  requests: one.requests + other.requests,
  tiles: one.tiles + other.tiles,
  bytes: one.bytes + other.bytes,
  tasks: one.tasks + other.tasks,
  threadMs: one.threadMs + other.threadMs,
});

/** Figures of a node, from its metrics. */
interface NodeMetrics {
  readonly isReady: boolean;
  readonly inFlight: number;
  readonly requests: number;
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly cpuS: number;
  readonly caches: Readonly<Record<'blocks' | 'pictures' | 'ranges', Hits>>;
}

interface Hits {
  readonly hits: number;
  readonly misses: number;
}

/** Reads the figures from the text format of Prometheus. */
function toNodeMetrics(text: string | null): NodeMetrics | null {
  if (text === null) return null;
  const sum = (name: string, label = ''): number => {
    const line = new RegExp(`^${name}(?:\\{[^}]*${label}[^}]*\\})? ([0-9.e+-]+)$`, 'gm');
    return [...text.matchAll(line)].reduce((total, [, value]) => total + Number(value), 0);
  };
  const hitsOf = (name: string): Hits => ({
    hits: sum(name, 'outcome="hits"'),
    misses: sum(name, 'outcome="misses"'),
  });
  return {
    isReady: sum('swath_ready') === 1,
    inFlight: sum('swath_http_requests_in_flight'),
    requests: sum('swath_http_requests_total'),
    threads: sum('swath_pool_threads'),
    busy: sum('swath_pool_busy') + sum('swath_task_pool_busy'),
    waiting: sum('swath_pool_waiting') + sum('swath_task_pool_waiting'),
    cpuS: sum('process_cpu_seconds_total'),
    caches: {
      blocks: hitsOf('swath_blocks_total'),
      pictures: hitsOf('swath_tile_cache_total'),
      ranges: hitsOf('swath_range_cache_total'),
    },
  };
}

/** What happened between two readings, as rates per second. */
function compare(before: Look, now: Look) {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1_000);
  const tasksOf = (tasks: readonly Task[], key: string) => tasks.filter(({ owner }) => owner === key).length;
  const ids = new Set([...now.usage.keys(), ...[...now.running, ...now.queued].map(({ owner }) => owner)]);
  const keys = [...ids].map((key) => {
    const [from, to] = [before.usage.get(key), now.usage.get(key)];
    // Yesterday's rows may leave the sum at midnight.
    const rateOf = (of: (row: UsageRow) => number): number =>
      to === undefined ? 0 : Math.max(0, of(to) - (from === undefined ? 0 : of(from))) / seconds;
    return {
      key,
      label: now.labels.get(key) ?? null,
      requestsPerS: rateOf(({ requests }) => requests),
      tilesPerS: rateOf(({ tiles }) => tiles),
      bytesPerS: rateOf(({ bytes }) => bytes),
      /** Pixel threads that worked for the key, on average. */
      threads: rateOf(({ threadMs }) => threadMs) / 1_000,
      running: tasksOf(now.running, key),
      queued: tasksOf(now.queued, key),
    };
  });
  return {
    seconds,
    keys: keys
      .filter(({ requestsPerS, threads, running, queued }) => requestsPerS + threads + running + queued > 0)
      .toSorted((a, b) => b.threads - a.threads || b.requestsPerS - a.requestsPerS || b.running - a.running),
    tasks: now.running.map(({ id, kind, owner, progress, worker, startedAt }) => ({
      id,
      kind,
      key: owner,
      progress: progress.total === 0 ? 0 : progress.done / progress.total,
      worker,
      startedAt,
    })),
    queued: now.queued.length,
    nodes: now.nodes.map(({ url, metrics }, i) => {
      const earlier = before.nodes[i]?.metrics ?? null;
      if (metrics === null) return { url, isReachable: false as const };
      const rateOf = (of: (node: NodeMetrics) => number): number =>
        earlier === null ? 0 : Math.max(0, of(metrics) - of(earlier)) / seconds;
      const shareOf = (cache: keyof NodeMetrics['caches']): number | null => {
        const hits = rateOf(({ caches }) => caches[cache].hits);
        const misses = rateOf(({ caches }) => caches[cache].misses);
        return hits + misses === 0 ? null : hits / (hits + misses);
      };
      const { isReady, inFlight, threads, busy, waiting } = metrics;
      return {
        url,
        isReachable: true as const,
        isReady,
        inFlight,
        requestsPerS: rateOf(({ requests }) => requests),
        cores: rateOf(({ cpuS }) => cpuS),
        threads,
        busy,
        waiting,
        hitShares: { blocks: shareOf('blocks'), pictures: shareOf('pictures'), ranges: shareOf('ranges') },
      };
    }),
  };
}

const toPercent = (share: number | null): string => (share === null ? '-' : `${Math.floor(100 * share)} %`);

function printTop(shown: ReturnType<typeof compare>, terminal: Terminal, nowMs: number): void {
  const { keys, tasks, nodes, queued, seconds } = shown;
  terminal.line(
    `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')} UTC, over ${seconds.toFixed(0)} s: ${tasks.length} tasks run, ${queued} wait`,
  );
  if (nodes.length > 0)
    printTable(terminal, {
      header: [
        'NODE',
        'STATE',
        'IN FLIGHT',
        'REQ/S',
        'CORES',
        'THREADS',
        'WAITING',
        'BLOCKS',
        'PICTURES',
        'RANGES',
      ],
      rows: nodes.map((node) =>
        node.isReachable
          ? [
              node.url,
              node.isReady ? 'ready' : 'not ready',
              String(node.inFlight),
              node.requestsPerS.toFixed(1),
              node.cores.toFixed(2),
              `${node.busy}/${node.threads}`,
              String(node.waiting),
              toPercent(node.hitShares.blocks),
              toPercent(node.hitShares.pictures),
              toPercent(node.hitShares.ranges),
            ]
          : [node.url, 'does not answer', '-', '-', '-', '-', '-', '-', '-', '-'],
      ),
    });
  if (keys.length === 0) terminal.line('No key does anything.');
  else
    printTable(terminal, {
      header: ['KEY', 'REQ/S', 'TILES/S', 'MIB/S', 'THREADS', 'RUNNING', 'QUEUED', 'LABEL'],
      rows: keys.map((row) => [
        row.key,
        row.requestsPerS.toFixed(1),
        row.tilesPerS.toFixed(1),
        (row.bytesPerS / MIB).toFixed(2),
        row.threads.toFixed(2),
        String(row.running),
        String(row.queued),
        row.label ?? '-',
      ]),
    });
  if (tasks.length > 0)
    printTable(terminal, {
      header: ['TASK', 'KIND', 'DONE', 'SINCE', 'KEY', 'WORKER'],
      rows: tasks.map(({ id, kind, progress, startedAt, key, worker }) => [
        id,
        kind,
        toPercent(progress),
        startedAt === null ? '-' : `${Math.max(0, Math.round((nowMs - Date.parse(startedAt)) / 1_000))} s`,
        key,
        worker ?? '-',
      ]),
    });
}
