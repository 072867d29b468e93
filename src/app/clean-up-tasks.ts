import type { Store } from '../adapters/store/index.ts';
import type { TaskResult } from '../tasks/index.ts';
import { pruneTasks, sweepOrphans } from '../tasks/index.ts';
import { DAY_MS } from '../units.ts';
import type { Config } from './config.ts';
import { openResults } from './results.ts';

/** A server may be about to publish a younger blob. */
const ORPHAN_MS = 3_600_000;

interface CleanUpDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'tasks'>;
}

/** `swath tasks prune`: removes old tasks with their results, and results without a task. */
export async function cleanUpTasks(
  { days, owner }: { readonly days: number | null; readonly owner: string | null },
  { config, store }: CleanUpDeps,
) {
  const blobs = openResults(config);
  const discard = async (result: TaskResult): Promise<void> => {
    if (result.kind === 'file') await blobs.remove(result.blobKey);
  };
  const kind = { run: () => Promise.reject(new Error('not run here')), discard };
  // A moment ahead for `--days 0`: clocks of databases differ a little from ours.
  const endedBefore = new Date(Date.now() + 60_000 - (days ?? config.resultDays) * DAY_MS).toISOString();
  const tasks = await pruneTasks(
    { store: store.tasks, kinds: { bands: kind, index: kind, picture: kind } },
    { endedBefore, ...(owner === null ? {} : { owner }) },
  );
  const orphans = await sweepOrphans(
    { store: store.tasks, blobs },
    { minAgeMs: ORPHAN_MS, nowMs: Date.now() },
  );
  await blobs.sweep({ olderThanMs: ORPHAN_MS });
  return { tasks, orphans };
}
