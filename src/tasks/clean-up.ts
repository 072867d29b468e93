import type { BlobStore } from '../objects/index.ts';
import type { Task, TaskKinds } from './task.ts';
import { isOver } from './task.ts';
import type { TaskStore } from './task-store.ts';

/** Tasks that are removed in one transaction. */
const BATCH = 100;

interface PruneDeps {
  readonly store: TaskStore;
  readonly kinds: TaskKinds;
}

/** Younger blobs may belong to a task that is about to finish. */
const ORPHAN_MS = 3_600_000;

/**
 * Removes tasks that ended before a time with their results, results without a task, and what dead processes have left
 * unfinished; gives how many of each.
 */
export async function cleanUp(
  { store, kinds, blobs }: PruneDeps & { readonly blobs: Pick<BlobStore, 'list' | 'remove' | 'sweep'> },
  ended: { readonly endedBefore: string; readonly owner?: string | undefined },
): Promise<{
  readonly tasks: number;
  readonly orphans: number;
  readonly staged: number;
  readonly uploads: number;
}> {
  const tasks = await pruneTasks({ store, kinds }, ended);
  const orphans = await sweepOrphans({ store, blobs }, { minAgeMs: ORPHAN_MS, nowMs: Date.now() });
  return { tasks, orphans, ...(await blobs.sweep({ olderThanMs: ORPHAN_MS })) };
}

/** Removes tasks that ended before a time, with what they have stored; gives how many. */
export async function pruneTasks(
  { store, kinds }: PruneDeps,
  { endedBefore, owner }: { readonly endedBefore: string; readonly owner?: string | undefined },
): Promise<number> {
  return removeInBatches(kinds, () => store.prune({ endedBefore, owner, max: BATCH }));
}

/** Removes the oldest tasks of an owner that are over, with what they have stored, until `keep` are left; gives how many. */
export const trimTasks = (
  { store, kinds }: PruneDeps,
  { owner, keep }: { readonly owner: string; readonly keep: number },
): Promise<number> => removeInBatches(kinds, () => store.trim({ owner, keep, max: BATCH }));

async function removeInBatches(kinds: TaskKinds, remove: () => Promise<readonly Task[]>): Promise<number> {
  let count = 0;
  for (;;) {
    const removed = await remove();
    for (const task of removed) await discardFile(task, kinds);
    count += removed.length;
    if (removed.length < BATCH) return count;
  }
}

/** Removes the file of a task that was removed. What fails here is an orphan, which the next sweep finds. */
export async function discardFile({ kind, result }: Task, kinds: TaskKinds): Promise<void> {
  if (result?.kind === 'file') await kinds[kind]?.discard(result).catch(() => {});
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

/** A task that is not over may be about to publish what it has stored, or continue from there at its next attempt. */
function isNeeded(key: string, task: Task | null): boolean {
  if (task === null) return false;
  if (!isOver(task)) return true;
  return task.result?.kind === 'file' && task.result.blobKey === key;
}
