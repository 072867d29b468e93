import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work that a server may have left unanswered, but not longer than this: a silent one does not say goodbye. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  );
  await Promise.race([ended, sleep(ms, undefined, { signal: done.signal }).catch(() => {})]);
}
