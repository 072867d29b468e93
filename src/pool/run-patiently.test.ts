import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelled, isSwathError, tooBusy } from '../errors.ts';
import type { JobRunner, JobType } from './job.ts';
import { runPatiently } from './pool.ts';
import { aTicket } from './testing/run-here.ts';

type EchoJobs = { echo: JobType<number, number> };
const ticket = { ...aTicket, bytes: 0 };

/** A pool that refuses with each of the errors first. */
function makeRefusing(errors: Error[]) {
  let attempts = 0;
  const pool = {
    async run(_: 'echo', input: number) {
      attempts++;
      const error = errors.shift();
      if (error !== undefined) throw error;
      return { output: input, queuedMs: 0, ranMs: 0, shared: false };
    },
  } as JobRunner<EchoJobs>;
  return { pool, attempts: () => attempts };
}

test('a full pool is retried', async () => {
  const { pool, attempts } = makeRefusing([
    tooBusy('pool-full', 'Full.'),
    tooBusy('waited-too-long', 'Late.'),
  ]);
  assert.equal(await runPatiently(pool, 'echo', 7, ticket, 0), 7);
  assert.equal(attempts(), 3);
});

test('other errors are final, also from a pool that stops', async () => {
  for (const error of [tooBusy('shutting-down', 'Stopping.'), new Error('bad')]) {
    const { pool, attempts } = makeRefusing([error]);
    await assert.rejects(runPatiently(pool, 'echo', 7, ticket, 0), error);
    assert.equal(attempts(), 1);
  }
});

test('the pause ends when the caller gives up', async () => {
  const controller = new AbortController();
  const { pool } = makeRefusing([tooBusy('pool-full', 'Full.'), cancelled('cancelled', 'Cancelled.')]);
  const running = runPatiently(pool, 'echo', 7, { ...ticket, signal: controller.signal }, 2 ** 30);
  controller.abort();
  await assert.rejects(running, (error) => isSwathError(error) && error.tag === 'cancelled');
});
