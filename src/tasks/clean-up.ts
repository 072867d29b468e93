import type { BlobStore } from '../storage/index.ts';
import type { Task } from './task.ts';
import type { TaskKinds } from './task-kind.ts';
import type { TaskStore } from './task-store.ts';

/** Tasks that are removed in one transaction. */
const BATCH = 100;

interface PruneDeps {
  readonly store: TaskStore;
  readonly kinds: TaskKinds;
}

/** Removes tasks that ended before a time, with what they have stored; gives how many. */
export async function pruneTasks(
  { store, kinds }: PruneDeps,
  { endedBefore, owner }: { readonly endedBefore: string; readonly owner?: string },
): Promise<number> {
  let count = 0;
  for (;;) {
    const removed = await store.prune({ endedBefore, max: BATCH, ...(owner === undefined ? {} : { owner }) });
    for (const { kind, result } of removed) {
      // What fails here is an orphan, which the next sweep finds.
      if (result !== null) await kinds[kind]?.discard(result).catch(() => {});
    }
    count += removed.length;
    if (removed.length < BATCH) return count;
  }
}

/** Removes blobs that no task needs and that are older than `minAgeMs`; gives how many. */
export async function sweepOrphans(
  { store, blobs }: { readonly store: TaskStore; readonly blobs: Pick<BlobStore, 'list' | 'remove'> },
  { minAgeMs, nowMs }: { readonly minAgeMs: number; readonly nowMs: number },
): Promise<number> {
  let count = 0;
  for await (const { key, modifiedAtMs } of blobs.list()) {
    if (nowMs - modifiedAtMs < minAgeMs) continue;
    if (isNeeded(key, await store.find(toTaskId(key)))) continue;
    await blobs.remove(key);
    count += 1;
  }
  return count;
}

/** The id before the token of the lease. */
const toTaskId = (key: string): string => key.slice(0, key.lastIndexOf('.'));

/** A running task may be about to publish what it has stored. */
function isNeeded(key: string, task: Task | null): boolean {
  if (task === null) return false;
  if (task.state === 'running') return true;
  return task.result?.kind === 'file' && task.result.blobKey === key;
}
