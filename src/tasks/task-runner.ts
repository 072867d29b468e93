import { makeSerialWork } from '../async/index.ts';
import { isUnavailable } from '../errors.ts';
import type { RunEnd, RunningTask } from './running-task.ts';
import { runTask, SWEEP_RULE } from './running-task.ts';
import type { Task } from './task.ts';
import type { TaskKind, TaskKinds } from './task-kinds.ts';
import type { LeasedTask, TaskStore } from './task-store.ts';

/** What a runner tells about the tasks of its process. */
export interface RunnerEvents {
  onStart?(task: Task): void;
  onEnd?(task: Task, end: RunEnd, ms: number): void;
  /** A failed attempt, or a store that could not be used; with the task it is about. */
  onFailure?(error: unknown, task: Task | null): void;
}

interface RunnerDeps {
  readonly store: TaskStore;
  readonly kinds: TaskKinds;
  /** Names this process in the records of its tasks. */
  readonly worker: string;
  /** Tasks at once; twice as many when owners wait that have none among them. */
  readonly slots: number;
  /** After so long without a sign of life another worker takes a task over. */
  readonly leaseMs: number;
  readonly events?: RunnerEvents;
}

/** Works on the tasks of a queue. */
export interface TaskRunner {
  /** How many tasks are being worked on. */
  running(): number;
  /** Takes no more tasks, waits up to `drainMs` for those under way, and hands the rest back. */
  stop(options: { readonly drainMs: number }): Promise<void>;
}

/** How often the queue is polled when no event comes. */
const POLL_MS = 1_000;

/** Starts a runner: it leases tasks as long as it has free slots. */
export function startTaskRunner({
  store,
  kinds,
  worker,
  slots,
  leaseMs,
  events = {},
}: RunnerDeps): TaskRunner {
  const running = new Map<string, RunningTask & { readonly owner: string; readonly isAlone: boolean }>();
  let isStopping = false;
  /** Whether the next look at the queue also serves owners that have no slot. */
  let isPolling = false;
  /** Whether tasks were left in the queue, or came since: if none were, the end of a task is no reason to look. */
  let mayWait = true;

  /** A task that a worker died with runs alone: whether it kills this process too is then certain. */
  const isTaken = (): boolean => [...running.values()].some(({ isAlone }) => isAlone);

  /** Every event requests it: one look at the queue at a time. */
  const leasing = makeSerialWork(
    async () => {
      const servesOthers = isPolling;
      isPolling = false;
      await fillSlots();
      if (servesOthers) await leaseForOthers();
    },
    (error) => events.onFailure?.(error, null),
  );
  const lease = leasing.request;

  async function fillSlots(): Promise<void> {
    const free = slots - running.size;
    mayWait = true;
    if (isStopping || free <= 0 || isTaken()) return;
    const leased = await store.lease({ worker, max: free, leaseMs, isIdle: running.size === 0 });
    mayWait = leased.length === free;
    for (const one of leased) start(one);
  }

  /**
   * Takes a task of an owner that has none here although all slots are taken: turns alone would let long tasks of one owner
   * delay all others. What computes shares its threads among owners.
   */
  async function leaseForOthers(): Promise<void> {
    if (isStopping || isTaken() || running.size < slots || running.size >= 2 * slots) return;
    const exceptOwners = [...new Set([...running.values()].map(({ owner }) => owner))];
    for (const one of await store.lease({ worker, max: 1, leaseMs, exceptOwners, isIdle: false })) start(one);
  }

  /** Fills the free slots, then serves owners that have none. */
  function poll(): void {
    isPolling = true;
    void lease();
  }

  function start(leased: LeasedTask): void {
    const { task, isAlone } = leased;
    const startedMs = performance.now();
    events.onStart?.(task);
    const run = runTask(leased, {
      store,
      kind: kinds[task.kind] ?? unknownKind,
      leaseMs,
      onFailure: (error) => events.onFailure?.(error, task),
    });
    running.set(task.id, { ...run, owner: task.owner, isAlone });
    // It was leased before the runner was told to stop.
    if (isStopping) run.release();
    void run.ended.then((end) => {
      running.delete(task.id);
      events.onEnd?.(task, end, performance.now() - startedMs);
      if (mayWait || isAlone) void lease();
    });
  }

  async function sweep(): Promise<void> {
    try {
      await store.sweep(SWEEP_RULE);
    } catch (error) {
      // Reported where it is noticed; the next sweep comes soon.
      if (!isUnavailable(error)) events.onFailure?.(error, null);
    }
  }

  const unwatch = store.watch(({ kind, id }) => {
    if (kind === 'queued') void lease();
    else if (id === undefined) for (const run of running.values()) void run.check();
    else void running.get(id)?.check();
  });
  const polling = setInterval(poll, POLL_MS);
  const sweeping = setInterval(() => void sweep(), leaseMs / 3);
  // Tasks of a process that died may wait for their next worker already.
  void sweep().then(lease);

  return {
    running: () => running.size,
    async stop({ drainMs }) {
      isStopping = true;
      clearInterval(polling);
      clearInterval(sweeping);
      const timer = setTimeout(() => {
        for (const run of running.values()) run.release();
      }, drainMs);
      await leasing.settled();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      clearTimeout(timer);
      unwatch();
    },
  };
}

/** A kind that this program does not know: an older one runs next to a newer one. */
const unknownKind: TaskKind = {
  run: (task) => Promise.reject(new Error(`no worker knows tasks of kind ${task.kind}`)),
  discard: () => Promise.resolve(),
};
