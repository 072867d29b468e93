import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DemReport } from '../terrain/index.ts';
import { makeDem, makeDemFile, makeFakeDemStore } from '../terrain/testing/fake-dem-store.ts';
import type { DemCommand, IngestDemCommand } from './dem.ts';
import { runDem, runIngestDem } from './dem.ts';
import { parseCommand } from './parse-command.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

const nothingSaid = {
  name: 'ingest dem',
  model: null,
  order: null,
  unit: null,
  bandIndex: null,
  nodata: null,
  gaps: null,
  attribution: undefined,
  bounds: null,
  prune: false,
  check: true,
  report: null,
  json: false,
} as const;

test('an elevation model is ingested with its source alone, or with every option', () => {
  assert.deepEqual(parse('ingest dem s3://bucket/prefix'), { ...nothingSaid, from: 's3://bucket/prefix' });
  const all =
    'ingest dem /mnt/dem --name alps --order -2 --unit us-ft --band 2 --nodata -9999.5 --gaps sea --attribution Me --bbox 170,-10,-170,10 --prune --no-check --report out.json --json';
  assert.deepEqual(parse(all), {
    name: 'ingest dem',
    from: '/mnt/dem',
    model: 'alps',
    order: -2,
    unit: 'us-ft',
    bandIndex: 1,
    nodata: -9999.5,
    gaps: 'sea',
    attribution: 'Me',
    bounds: { west: 170, south: -10, east: 190, north: 10 },
    prune: true,
    check: false,
    report: 'out.json',
    json: true,
  });
});

test('an empty attribution means none', () => {
  const command = parseCommand(['ingest', 'dem', 'x', '--attribution', ' ']);
  assert.equal(command.name === 'ingest dem' && command.attribution, null);
});

test('models are listed, removed and ordered', () => {
  assert.deepEqual(parse('dem list'), { name: 'dem list', json: false });
  assert.deepEqual(parse('dem list --json'), { name: 'dem list', json: true });
  assert.deepEqual(parse('dem remove alps'), { name: 'dem remove', model: 'alps' });
  assert.deepEqual(parse('dem order alps 5'), { name: 'dem order', model: 'alps', order: 5 });
  assert.deepEqual(parse('dem order alps -5'), { name: 'dem order', model: 'alps', order: -5 });
});

test('the commands print their help', () => {
  for (const line of ['dem', 'dem --help', 'dem order --help', 'dem list -h', 'ingest dem --help']) {
    assert.deepEqual(parse(line), { name: 'help', topic: 'dem' }, line);
  }
});

test('wrong arguments are refused with the wrong option', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest dem', /From where/],
    ['ingest dem a b', /Unexpected argument "b"/],
    ['ingest dem x --name No', /lower-case/],
    ['ingest dem x --order 1.5', /--order/],
    ['ingest dem x --unit yd', /--unit takes one of: m, ft, us-ft/],
    ['ingest dem x --band 0', /--band/],
    ['ingest dem x --nodata none', /--nodata/],
    ['ingest dem x --gaps land', /--gaps takes one of: sea, unknown/],
    ['ingest dem x --bbox 1,2', /--bbox/],
    ['ingest dem x --fast', /fast/],
    ['dem show', /"dem show"/],
    ['dem remove', /Which model/],
    ['dem remove a b', /Unexpected argument/],
    ['dem order', /Which model/],
    ['dem order alps', /Which number/],
    ['dem order alps first', /order takes a whole number/],
    ['dem order -1', /Which model/],
  ];
  for (const [line, message] of wrong)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
  assert.throws(() => parseCommand(['ingest', 'dem', 'x', '--attribution', 'two\nlines']), { code: 'usage' });
});

async function makeStore() {
  const store = makeFakeDemStore();
  await store.putDem(makeDem('alps', { attribution: 'Me', overviews: [{ pixelDeg: 0.1 }] }));
  await store.putFiles([
    makeDemFile('alps', 7, 46, { href: 'a.tif', resolutionM: 30.87 }),
    makeDemFile('alps', 8, 46, {
      href: 'b.tif',
      resolutionM: 24.2,
      bounds: { west: 8.00013888, south: 46, east: 9, north: 47 },
    }),
  ]);
  await store.putDem(makeDem('lidar', { order: -1, gaps: 'sea' }));
  await store.putFiles([makeDemFile('lidar', 7, 46, { href: 'c.tif', resolutionM: 0.5 })]);
  return store;
}

async function run(command: DemCommand, store: Awaited<ReturnType<typeof makeStore>>) {
  const { terminal, out, err } = makeFakeTerminal();
  const removed: string[] = [];
  const removeOverviews = async (dem: string): Promise<void> => void removed.push(dem);
  const isDone = await runDem(command, { dems: store, removeOverviews, terminal });
  return { isDone, out: out(), err: err(), removed };
}

test('models are listed in the order in which they are used', async () => {
  const { isDone, out, err } = await run({ name: 'dem list', json: false }, await makeStore());
  assert.equal(isDone, true);
  assert.equal(
    out,
    [
      'name   order  files  resolution  west, south, east, north  gaps     overviews',
      'lidar  -1     1      0.5 m       7, 46, 8, 47              sea      none',
      'alps   0      2      24 to 31 m  7, 46, 9, 47              unknown  1',
      '',
    ].join('\n'),
  );
  assert.equal(err, 'alps: Me\n');
});

test('--json prints everything that the store knows, and an empty catalog says how to fill it', async () => {
  const store = await makeStore();
  const { out } = await run({ name: 'dem list', json: true }, store);
  assert.deepEqual(JSON.parse(out), await store.list());
  const empty = await run({ name: 'dem list', json: false }, makeFakeDemStore());
  assert.match(empty.out, /swath ingest dem/);
});

test('a model is removed once', async () => {
  const store = await makeStore();
  const first = await run({ name: 'dem remove', model: 'alps' }, store);
  assert.deepEqual([first.isDone, store.files.size], [true, 1]);
  assert.match(first.out, /alps of 2 files/);
  assert.deepEqual(first.removed, ['alps']);
  const second = await run({ name: 'dem remove', model: 'alps' }, store);
  assert.deepEqual([second.isDone, second.out], [false, '']);
  assert.match(second.err, /There is no model alps/);
});

test('changing an order changes nothing else', async () => {
  const store = await makeStore();
  const before = store.dems.get('alps');
  assert.equal((await run({ name: 'dem order', model: 'alps', order: -5 }, store)).isDone, true);
  assert.deepEqual(store.dems.get('alps'), { ...before, order: -5 });
  store.takeWrites();
  await run({ name: 'dem order', model: 'alps', order: -5 }, store);
  assert.deepEqual(store.takeWrites(), []);
  assert.equal((await run({ name: 'dem order', model: 'none', order: 1 }, store)).isDone, false);
});

const report: DemReport = {
  dem: 'alps',
  files: [
    { file: 'a.tif', outcome: 'ingested', change: 'added' },
    { file: 'b.tif', outcome: 'ingested', change: 'replaced' },
    { file: 'c.tif', outcome: 'unchanged' },
  ],
  totals: { ingested: 2, unchanged: 1, skipped: 0, broken: 0, gone: 0, pruned: 0 },
  notes: [],
  stopped: false,
  failure: null,
};

/** Runs the command over made-up work. */
async function ingest(words: readonly string[], given: Partial<DemReport> = {}) {
  const { terminal, out, err } = makeFakeTerminal();
  const command = parseCommand(['ingest', 'dem', 'x', ...words]) as IngestDemCommand;
  const isFine = await runIngestDem(command, {
    terminal,
    outputMode: 0o640,
    async ingest(onProgress, onOverviewProgress) {
      onProgress({ done: 1, total: 2 });
      onOverviewProgress(0.5);
      return { ...report, ...given };
    },
  });
  return { isFine, out: out(), err: err() };
}

test('progress and a summary are printed', async () => {
  const { isFine, out, err } = await ingest([]);
  assert.equal(isFine, true);
  assert.equal(
    out,
    'Ingesting 50 %\nMaking overview mosaics 50 %\nDone, model alps: 1 added, 1 replaced, 1 unchanged.\n',
  );
  assert.equal(err, '');
});

test('broken, skipped and missing files are named, and notes are printed', async () => {
  const { isFine, out, err } = await ingest([], {
    files: [
      { file: 'a.tif', outcome: 'broken', code: 'x', reason: 'It is cut off.' },
      { file: 'm.tif', outcome: 'skipped', code: 'y', reason: 'It is a mask.', files: 4 },
      { file: '/old.tif', outcome: 'gone' },
    ],
    totals: { ingested: 0, unchanged: 0, skipped: 4, broken: 1, gone: 1, pruned: 0 },
    notes: ['Say it with --gaps sea.'],
  });
  assert.equal(isFine, false);
  assert.match(out, /0 unchanged, 4 skipped, 1 broken, 1 gone\./);
  assert.equal(
    err,
    'broken a.tif: It is cut off.\nskipped m.tif and 3 more: It is a mask.\ngone /old.tif\nSay it with --gaps sea.\n',
  );
});

test('overview mosaics that could not be made are reported as a failure', async () => {
  const failure = { code: 'no-space', reason: 'The disk has no room left for the file.' };
  const { isFine, err } = await ingest([], { failure });
  assert.equal(isFine, false);
  assert.match(err, /^No overview mosaics were made: The disk has no room left for the file\. .* again/);
});

test('a long list of problems is truncated', async () => {
  const files = Array.from({ length: 25 }, (_, i) => ({ file: `${i}`, outcome: 'gone' as const }));
  const { err } = await ingest([], { files });
  assert.equal(err.split('\n').filter((line) => line.startsWith('gone')).length, 20);
  assert.match(err, /… and 5 more; --report FILE/);
});

test('a stopped run is a failure, and the report says so too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-dem-command-'));
  try {
    const path = join(folder, 'report.json');
    const { isFine, out } = await ingest(['--report', path], { stopped: true });
    assert.equal(isFine, false);
    assert.match(out, /Stopped before the end, model alps: /);
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { ...report, stopped: true });
    await assert.rejects(ingest(['--report', join(folder, 'none/report.json')]), {
      code: 'report-not-written',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('--json prints the report and nothing else', async () => {
  const { out, err } = await ingest(['--json']);
  assert.deepEqual([JSON.parse(out), err], [report, '']);
});
