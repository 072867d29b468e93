import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ErrorTag } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import { HANG_MS } from '../../testing/wait-for.ts';
import type { JobTable, JobTicket, Pool, PoolOptions } from '../index.ts';
import { makePool } from '../index.ts';

/** A worker script of this folder. */
export const toScript = (name: string): URL => new URL(`./${name}.ts`, import.meta.url);

/** A pool that is closed when the test ends. */
export function openPool(t: TestContext, options: Partial<PoolOptions> = {}): Pool<JobTable> {
  const pool = makePool<JobTable>({
    script: toScript('hostile-worker'),
    threads: 1,
    budgetBytes: 2_000,
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

/** A job of any kind, with limits that do not matter to the test. */
export const toJob = (
  kind: string,
  input?: unknown,
  rest: Partial<JobTicket> = {},
): [kind: string, input: unknown, ticket: JobTicket] => [
  kind,
  input,
  { lane: 'tile', owner: 'ann', bytes: 1, timeoutMs: HANG_MS, ...rest },
];

/** Checks the tag and code of a rejection. */
export const isError =
  (tag: ErrorTag, code: string) =>
  (error: unknown): true => {
    assert.ok(isSwathError(error), `a SwathError, not ${error}`);
    assert.deepEqual([error.tag, error.code], [tag, code]);
    return true;
  };

/** A word of shared memory that one side sets and the other waits for. */
export interface Gate {
  readonly word: Int32Array<SharedArrayBuffer>;
  open(): void;
  opened(): Promise<void>;
}

/** A closed gate. */
export function makeGate(): Gate {
  const word = new Int32Array(new SharedArrayBuffer(4));
  return {
    word,
    open() {
      Atomics.store(word, 0, 1);
      Atomics.notify(word, 0);
    },
    opened: () => until(() => Atomics.load(word, 0) === 1),
  };
}

/** Starts a job that blocks its thread until the gate opens; resolves once it runs. */
export async function holdThread(pool: Pool<JobTable>, gate: Gate, rest: Partial<JobTicket> = {}) {
  const label = rest.owner ?? 'held';
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const done = pool.run(
    ...toJob('hold', { label, gate: gate.word }, { ...rest, onProgress: () => resolve() }),
  );
  await Promise.race([started, done]);
  return { done };
}

/** Polls until `condition` holds; times out long after it should have, so that a broken pool fails its test. */
export async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 120_000;
  while (!condition()) {
    assert.ok(performance.now() < deadlineMs, `never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
