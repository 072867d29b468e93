import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DemReport } from '../terrain/index.ts';
import type { IngestDemCommand } from './commands/index.ts';
import { parseCommand } from './commands/index.ts';
import { runIngestDem } from './ingest-dem-command.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

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
async function run(words: readonly string[], given: Partial<DemReport> = {}) {
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
  const { isFine, out, err } = await run([]);
  assert.equal(isFine, true);
  assert.equal(
    out,
    'Ingesting 50 %\nMaking overview mosaics 50 %\nDone, model alps: 1 added, 1 replaced, 1 unchanged.\n',
  );
  assert.equal(err, '');
});

test('what is broken, skipped or gone is named, and notes are printed', async () => {
  const { isFine, out, err } = await run([], {
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

test('overview mosaics that could not be made are said, and are a failure', async () => {
  const failure = { code: 'no-space', reason: 'The disk has no room left for the file.' };
  const { isFine, err } = await run([], { failure });
  assert.equal(isFine, false);
  assert.match(err, /^No overview mosaics were made: The disk has no room left for the file\. .* again/);
});

test('a long list of problems is cut', async () => {
  const files = Array.from({ length: 25 }, (_, i) => ({ file: `${i}`, outcome: 'gone' as const }));
  const { err } = await run([], { files });
  assert.equal(err.split('\n').filter((line) => line.startsWith('gone')).length, 20);
  assert.match(err, /… and 5 more; --report FILE/);
});

test('a run that was stopped is not fine, and the report says so too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-dem-command-'));
  try {
    const path = join(folder, 'report.json');
    const { isFine, out } = await run(['--report', path], { stopped: true });
    assert.equal(isFine, false);
    assert.match(out, /Stopped before the end, model alps: /);
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { ...report, stopped: true });
    await assert.rejects(run(['--report', join(folder, 'none/report.json')]), { code: 'report-not-written' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('--json prints the report and nothing else', async () => {
  const { out, err } = await run(['--json']);
  assert.deepEqual([JSON.parse(out), err], [report, '']);
});
