import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SyncProgress, SyncReport } from '../live/index.ts';
import { parseCommand } from './parse-command.ts';
import { runSync } from './sync.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const parse = (line: string) => parseCommand(line.split(' '));

const REPORT: SyncReport = {
  totals: { ingested: 3, unchanged: 40, skipped: 0, broken: 0 },
  products: [
    { product: 'c/a', outcome: 'ingested', change: 'added', viewId: 'A' },
    { product: 'c/b', outcome: 'ingested', change: 'added', viewId: 'B' },
    { product: 'c/c', outcome: 'ingested', change: 'replaced', viewId: 'C' },
  ],
  stopped: false,
  catalog: 'earth-search',
  dryRun: false,
  startedAt: '2026-11-17T10:00:00.000Z',
  windows: { total: 24, done: 24, doneBefore: 0 },
  gone: [],
  limited: false,
  problem: null,
};

const WINDOW = {
  dataset: 'sentinel2l2a',
  from: '2026-05-01',
  to: '2026-05-31',
  isFirst: false,
  isLast: false,
};
const PROGRESS: SyncProgress = {
  window: WINDOW,
  done: 0,
  total: 4,
  items: 0,
  itemsTotal: null,
  added: 0,
  replaced: 0,
};

async function run(
  report: Partial<SyncReport>,
  {
    json = false,
    path = null,
    steps = [],
  }: {
    readonly json?: boolean;
    readonly path?: string | null;
    readonly steps?: readonly (readonly [atMs: number, progress: Partial<SyncProgress>])[];
  } = {},
) {
  const { terminal, out, err } = makeFakeTerminal();
  let nowMs = 0;
  const isDone = await runSync(
    { json, report: path },
    {
      terminal,
      outputMode: 0o640,
      nowMs: () => nowMs,
      async sync(onProgress) {
        for (const [atMs, progress] of steps) {
          nowMs = atMs;
          onProgress({ ...PROGRESS, ...progress });
        }
        return { ...REPORT, ...report };
      },
    },
  );
  return { isDone, out: out(), err: err() };
}

test('an area is a box or a file; the first day must not be after the last', () => {
  const command = parse(
    'sync earth-search --area -5,40,-4,41 --since 2026-01-01 --dataset a --dataset b --clouds 20 --dry-run',
  );
  assert.ok(command.name === 'sync');
  assert.deepEqual(command.area, { kind: 'box', box: [-5, 40, -4, 41] });
  assert.deepEqual(
    [command.datasets, command.maxCloudPercent, command.until, command.dryRun, command.prune],
    [['a', 'b'], 20, null, true, false],
  );
  const byFile = parse('sync x --area fields/north.geojson --since 2026-01-01');
  assert.deepEqual(byFile.name === 'sync' && byFile.area, { kind: 'file', path: 'fields/north.geojson' });
  const refuse = (line: string, message: RegExp) =>
    assert.throws(() => parse(line), { code: 'usage', message });
  refuse('sync', /Which catalog\? "swath sync <catalog>"/);
  refuse('sync x --since 2026-01-01', /--area is required/);
  refuse('sync x --area 1,2,3,4', /--since is required/);
  refuse('sync x --area 1,2,3 --since 2026-01-01', /--area takes west,south,east,north/);
  refuse('sync x --area 1,2,3,1 --since 2026-01-01', /--area takes west,south,east,north/);
  refuse('sync x --area 1,2,3,4 --since 2026-02-30', /--since takes a day/);
  refuse(
    'sync x --area 1,2,3,4 --since 2026-02-02 --until 2026-02-01',
    /run backwards: --since 2026-02-02 is after --until 2026-02-01/,
  );
});

test('the summary says what was done, what was removed at the source, and how far the run has come', async () => {
  assert.deepEqual(await run({}), {
    isDone: true,
    out: 'Done: 2 added, 1 replaced, 40 unchanged (24 of 24 months).\n',
    err: '',
  });
  const gone = [
    { product: 'c/d', viewId: 'D', why: 'removed', removed: true },
    { product: 'c/e', viewId: 'E', why: 'unwanted', removed: false },
  ] as const;
  const lost = await run({ gone, windows: { total: 24, done: 20, doneBefore: 4 } });
  assert.match(lost.out, /1 removed, 1 gone at the source \(24 of 24 months, 4 of them before/);
  assert.match(
    lost.err,
    /removed D: its item is gone.*\ngone E: its item no longer matches.*--prune removes it/,
  );
  assert.match((await run({ dryRun: true })).out, /^Dry run: 2 to add, 1 to replace/);
  assert.match((await run({ limited: true })).out, /^Stopped at --limit: 2 added/);
});

test('a failing catalog, a broken product and a stop are failures', async () => {
  const problem = { code: 'catalog-unavailable', message: 'The catalog X did not answer completely. Why.' };
  const failed = await run({ problem, stopped: true });
  assert.equal(failed.isDone, false);
  assert.match(
    failed.err,
    /did not answer completely\. Why\. What was done stays; run the same command again/,
  );
  assert.match(failed.out, /^Stopped before the end: 2 added/);
  const broken = await run({
    totals: { ...REPORT.totals, broken: 1 },
    products: [{ product: 'c/x', outcome: 'broken', reason: 'It is odd.' }],
  });
  assert.deepEqual([broken.isDone, broken.err], [false, 'broken c/x: It is odd.\n']);
});

test('progress shows months with changes, and others now and then, with an estimate', async () => {
  const { err } = await run(
    {},
    {
      steps: [
        [1_000, { items: 1, itemsTotal: 50, added: 1 }],
        [60_000, { items: 25, itemsTotal: 50, added: 20 }],
        [61_000, { done: 1, added: 40 }],
        [62_000, { done: 2, added: 40 }],
      ],
    },
  );
  assert.deepEqual(err.split('\n'), [
    '2026-05 sentinel2l2a: 20 added, 0 replaced so far; 0 of 4 months done, about 7 minutes left',
    '2026-05 sentinel2l2a: 40 added, 0 replaced so far; 1 of 4 months done, about 3 minutes left',
    '',
  ]);
});

test('the report is JSON, on standard output or in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-sync-report-'));
  try {
    const path = join(folder, 'report.json');
    const { out, err } = await run({}, { json: true, path, steps: [[60_000, { done: 1, added: 5 }]] });
    assert.deepEqual([JSON.parse(out), err], [REPORT, '']);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), REPORT);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
