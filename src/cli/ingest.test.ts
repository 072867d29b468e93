import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ConversionReport, IngestReport } from '../ingest/index.ts';
import { runIngest } from './ingest.ts';
import { makeTerminal } from './terminal.ts';

const report: IngestReport = {
  products: [
    { product: 'a', outcome: 'ingested', change: 'added', viewId: 'S2/31/T/DH/2026/6/21/0' },
    { product: 'b', outcome: 'skipped', code: 'unknown', reason: 'Nobody knows it.' },
  ],
  totals: { ingested: 1, unchanged: 0, skipped: 1, broken: 0 },
  stopped: false,
};

/** Runs the command over made-up work; gives what it printed and what it wrote. */
async function run(given: {
  readonly report?: Partial<IngestReport>;
  readonly conversion?: ConversionReport;
  readonly total?: number | null;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'swath-ingest-command-'));
  const path = join(folder, 'report.json');
  const [out, err]: [string[], string[]] = [[], []];
  const asked: (readonly string[])[] = [];
  const terminal = makeTerminal({
    out: { write: (text: string | Uint8Array) => out.push(String(text)) > 0 },
    err: { write: (text: string | Uint8Array) => err.push(String(text)) > 0 },
    noColor: true,
  });
  try {
    const isFine = await runIngest(
      { name: 'ingest folder', path: '.', convert: true, report: path, json: false },
      {
        terminal,
        outputMode: 0o640,
        ingest: async (onProgress) => {
          for (let done = 1; done <= 600; done++) onProgress({ done, total: given.total ?? null });
          return { ...report, ...given.report };
        },
        convert: async (viewIds) => {
          asked.push(viewIds);
          return given.conversion ?? { scenes: [], stopped: false };
        },
      },
    );
    return {
      isFine,
      out: out.join(''),
      err: err.join(''),
      asked,
      written: JSON.parse(await readFile(path, 'utf8')),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a stopped ingest converts nothing, and still reports', async () => {
  const { isFine, out, err, asked, written } = await run({ report: { stopped: true } });
  assert.deepEqual([isFine, asked, written.stopped, written.conversions], [false, [], true, []]);
  assert.match(out, /Stopped before the end: 1 added/);
  assert.match(err, /skipped b: Nobody knows it\./);
});

test('a stopped conversion is reported with its results so far', async () => {
  const scenes = [{ viewId: 'x', converted: ['B02'], unconverted: [{ band: 'B03', reason: 'It is odd.' }] }];
  const { isFine, out, err, written } = await run({ conversion: { scenes, stopped: true } });
  assert.deepEqual([isFine, written.stopped, written.conversions], [false, true, scenes]);
  assert.match(out, /Stopped before the end: 1 files converted/);
  assert.match(err, /kept x B03: It is odd\./);
});

test('without a known total, counts are shown', async () => {
  const counted = await run({});
  assert.match(counted.err, /Ingesting: 250 so far\nIngesting: 500 so far\n/);
  assert.equal(counted.isFine, true);
  const known = await run({ total: 600 });
  assert.doesNotMatch(known.err, /so far/);
  assert.match(known.out, /Ingesting 25 %/);
});
