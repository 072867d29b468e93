import { createHash, randomUUID } from 'node:crypto';
import { toMib } from '../units.ts';
import type { NewCallback } from './callback.ts';
import { discardFile, trimTasks } from './clean-up.ts';
import { conflict, internal, tooBusy } from './errors.ts';
import type { NewTask, Task, TaskKinds } from './task.ts';
import { isOver } from './task.ts';
import type { TaskCreated, TaskLimits, TaskQuery, TaskStore } from './task-store.ts';

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
}

/** Builds the service over a store. */
export function makeTasks({ store, limits, endedPerOwner, timeoutS, kinds }: TasksDeps): Tasks {
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
