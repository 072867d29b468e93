import { createHash, randomUUID } from 'node:crypto';
import type { BlobStore } from '../objects/index.ts';
import { toMib } from '../units.ts';
import type { NewCallback } from './callback.ts';
import { conflict, internal, tooBusy } from './errors.ts';
import type { NewTask, Task, TaskKinds } from './task.ts';
import { OPEN_STATES } from './task.ts';
import type { TaskCreated, TaskLimits, TaskQuery, TaskStore } from './task-store.ts';

/** True when nothing more happens to a task. */
export const isOver = ({ state }: Pick<Task, 'state'>): boolean => !OPEN_STATES.includes(state);

/** An order for a task. */
export interface TaskOrder {
  /** A random UUID, if something is stored under it already; one is made when it is left out. */
  readonly id?: string;
  readonly owner: string;
  readonly kind: string;
  /** The caller's own name for it; one is made when it is null. */
  readonly reference: string | null;
  /** The scene that it is about; null for none, or several. */
  readonly viewId: string | null;
  /** Plain JSON without the area; equal orders have equal texts. */
  readonly order: unknown;
  /** As JSON; null for none. Equal areas of an owner are stored once. */
  readonly area: string | null;
  readonly estimatedBytes: number;
  /** Who is told when the task is over; part of what is ordered. */
  readonly callback?: NewCallback | null;
}

/** What the answer to an order says of its task. */
export type CreatedTask = Pick<NewTask, 'id' | 'reference' | 'timeoutS' | 'estimatedBytes'>;

/** Takes orders and answers about them. Tasks of others are unknown to an owner. */
export interface Tasks {
  /** Resolves when the task is durable; an order that is known already gives the task it has. */
  create(order: TaskOrder): Promise<CreatedTask>;
  find(id: string, owner: string): Promise<Task | null>;
  /** The document of a finished task that has one, as JSON. */
  findDocument(id: string): Promise<string | null>;
  /** The owner's tasks, newest first: of some kinds, and after one of them. */
  list(owner: string, query: Pick<TaskQuery, 'kinds' | 'limit' | 'after'>): Promise<readonly Task[]>;
  /** The task as soon as it is over, or as it is after `waitMs` or when the signal aborts. */
  wait(
    id: string,
    owner: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Task | null>;
  /** Cancels a task that is not over, and removes one that is, with its result; null if it is unknown to the owner. */
  remove(id: string, owner: string): Promise<'cancelled' | 'removed' | null>;
}

interface TasksDeps {
  readonly store: TaskStore;
  readonly limits: TaskLimits;
  /** Tasks of an owner that are over and stay: with more, the oldest are removed. */
  readonly endedPerOwner: number;
  readonly timeoutS: number;
  readonly kinds: TaskKinds;
  /** Throws if the owner may order nothing more today. */
  readonly admit?: (owner: string) => Promise<void>;
  /** Called for each new task. */
  readonly onCreated?: (owner: string) => void;
}

/** Builds the service over a store. */
export function makeTasks({
  store,
  limits,
  endedPerOwner,
  timeoutS,
  kinds,
  admit = async () => {},
  onCreated = () => {},
}: TasksDeps): Tasks {
  async function find(id: string, owner: string): Promise<Task | null> {
    if (!isTaskId(id)) return null;
    const task = await store.find(id);
    return task?.owner === owner ? task : null;
  }

  return {
    find,
    findDocument: (id) => store.findDocument(id),
    list: (owner, query) => store.list({ ...query, owner }),
    async create({
      id = randomUUID(),
      owner,
      kind,
      reference,
      viewId,
      order,
      area,
      estimatedBytes,
      callback = null,
    }) {
      await admit(owner);
      const stored = area === null ? null : { digest: toHash(area), json: area };
      const task: NewTask = {
        id,
        owner,
        kind,
        reference: reference ?? randomUUID(),
        digest: toDigest({ kind, order, area: stored }, callback),
        viewId,
        order,
        area: stored,
        priority: 0,
        estimatedBytes,
        timeoutS,
      };
      const created = await store.create(task, limits, callback);
      if (created.kind === 'full') throw refuseFull(created, limits, estimatedBytes);
      if (created.kind === 'created') {
        onCreated(owner);
        if (created.ended > endedPerOwner) await trimTasks({ store, kinds }, { owner, keep: endedPerOwner });
        return task;
      }
      const known = await store.find(created.id);
      if (known === null) throw internal('task-lost', 'The task was stored and cannot be found.');
      return known;
    },
    async wait(id, owner, { waitMs, signal }) {
      // With the task when it is over; with nothing when the caller or the time decides.
      const { promise: woken, resolve: wake } = Promise.withResolvers<Task | null | undefined>();
      const stop = (): void => wake(undefined);
      // Watches before it looks, so that no end comes in between.
      const unwatch = store.watch((event) => {
        if (event.kind !== 'over' || (event.id !== undefined && event.id !== id)) return;
        void find(id, owner).then((found) => {
          if (found === null || isOver(found)) wake(found);
        }, stop);
      });
      const timer = setTimeout(stop, waitMs);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const task = await find(id, owner);
        if (task === null || isOver(task) || signal.aborted) return task;
        const ended = await woken;
        return ended === undefined ? await find(id, owner) : ended;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        unwatch();
      }
    },
    async remove(id, owner) {
      if ((await find(id, owner)) === null) return null;
      if (await store.cancel(id)) return 'cancelled';
      const task = await store.remove(id);
      if (task !== null) await discardFile(task, kinds);
      return 'removed';
    },
  };
}

/** Ids are UUIDs as we make them; nothing else is looked up. */
const isTaskId = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);

const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Orders that tell others of their end, or in other words, are not the same. */
function toDigest(
  { kind, order, area }: Pick<NewTask, 'kind' | 'order' | 'area'>,
  callback: NewCallback | null,
): string {
  const where = area === null ? '' : ` ${area.digest}`;
  const told = callback === null ? '' : ` ${callback.form} ${callback.url}`;
  return toHash(`${kind} ${JSON.stringify(order)}${where}${told}`);
}

/** Says which limit is reached, how much is in use, and what helps. */
function refuseFull(
  { limit, used }: Extract<TaskCreated, { kind: 'full' }>,
  limits: TaskLimits,
  estimatedBytes: number,
): Error {
  switch (limit) {
    case 'openPerOwner':
      return tooBusy(
        'too-many-tasks',
        `This key has ${used} tasks that are not finished, and may have ${limits.openPerOwner}. Wait for some of them, or cancel them.`,
        { details: { retryAfterS: 10 } },
      );
    case 'open':
      return tooBusy('task-queue-full', `The queue is full: ${used} tasks are open, which is the limit.`, {
        details: { retryAfterS: 30 },
      });
    case 'bytesPerOwner':
      return conflict(
        'task-storage-full',
        `The orders and results of this key take ${toMib(used)} MiB, and may take ${toMib(limits.bytesPerOwner)} MiB; this order does not fit, and its result needs up to ${toMib(estimatedBytes)} MiB. Tasks are removed some days after their end; a DELETE of a task that is no longer needed makes room at once.`,
      );
    case 'areaBytesPerOwner':
      return conflict(
        'task-areas-full',
        `The areas of this key's tasks take ${toMib(used)} MiB, and may take ${toMib(limits.areaBytesPerOwner)} MiB. An area is removed when the tasks that name it have finished; a DELETE of failed and cancelled tasks makes room at once.`,
      );
  }
}

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
const trimTasks = (
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
async function discardFile({ kind, result }: Task, kinds: TaskKinds): Promise<void> {
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
