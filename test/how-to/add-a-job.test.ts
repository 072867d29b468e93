import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool } from '../../src/pool/index.ts';
import { aTicket, makeRunnerHere } from '../../src/pool/testing/run-here.ts';
import { assertGuideCode } from '../support/guide-code.ts';
import { makeFindHistogram } from './histogram-job/find-histogram.ts';
import type { HistogramJobs } from './histogram-job/histogram-jobs.ts';
import { histogramJobs } from './histogram-job/histogram-jobs.ts';

function toInput() {
  const values = new Float32Array(new SharedArrayBuffer(4 * 100));
  for (let i = 0; i < 100; i += 1) values[i] = i;
  return { values, min: 0, max: 100, bins: 4 };
}

test('the job of docs/develop/add-a-job.md runs on a thread', async (t) => {
  const script = new URL('./histogram-job/example-worker.ts', import.meta.url);
  const pool = makePool<HistogramJobs>({
    script,
    threads: 1,
    budgetBytes: 2 ** 20,
    // A slow machine takes its time to start the thread.
    maxWaitMs: { tile: 600_000, task: 600_000 },
  });
  t.after(() => pool.close());
  const findHistogram = makeFindHistogram({ pool });
  assert.deepEqual(await findHistogram(toInput(), aTicket), [25, 25, 25, 25]);
});

test('its service is tested without threads', async () => {
  const pool = makeRunnerHere<HistogramJobs>(histogramJobs);
  assert.deepEqual(await makeFindHistogram({ pool })(toInput(), aTicket), [25, 25, 25, 25]);
  assert.equal(pool.asked[0]?.ticket.bytes, 4 * 100 + 4 * 8);
});

test('a kind or an input that is not in the table does not compile', () => {
  const pool = makeRunnerHere<HistogramJobs>(histogramJobs);
  // @ts-expect-error: there is no such kind
  const unknownKind = () => pool.run('histograms', toInput(), { ...aTicket, bytes: 1 });
  // @ts-expect-error: the input lacks bins
  const shortInput = () => pool.run('histogram', { values: toInput().values }, { ...aTicket, bytes: 1 });
  assert.deepEqual([typeof unknownKind, typeof shortInput], ['function', 'function']);
});

test('the code of docs/develop/add-a-job.md is that of the example', () => {
  assertGuideCode('docs/develop/add-a-job.md', { example: ['test/how-to/histogram-job/*.ts'], minBlocks: 4 });
});
