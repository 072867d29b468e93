import { setTimeout as sleep } from 'node:timers/promises';
import { makeSerialWork } from '../async/index.ts';
import type { ErrorTag, SwathError } from '../errors.ts';
import { isSwathError, isUnavailable } from '../errors.ts';
import type { RefusalTag, Task, TaskError, TaskKind, TaskKinds, TaskOutput, TaskProgress } from './task.ts';
import { REFUSAL_TAGS } from './task.ts';
import type { LeasedTask, SweepRule, TaskStore } from './task-store.ts';

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
  /** Whether the queue may hold tasks: if the last poll left none and none came since, the end of a task need not poll it. */
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

/** Attempts of a task that fails for passing reasons. */
const MAX_ATTEMPTS = 3;
/** Workers that may die while they run nothing but one task, before that is given up. */
const MAX_STRIKES = 3;
/** Worker deaths after which a task that ran alone is given up in any case: two such tasks could excuse each other forever. */
const MAX_DEATHS = 30;

/** Before the second attempt; four times as long before the third. */
const FIRST_DELAY_MS = 1_000;
const DELAY_FACTOR = 4;

/** What may be gone at the next attempt: a store or a bucket that is away, a file that is being replaced, our own bugs. */
const PASSING: ReadonlySet<ErrorTag> = new Set([
  'too-busy',
  'unavailable',
  'source-broken',
  'timed-out',
  'conflict',
  'internal',
]);

/** Whether an error says that the order cannot be carried out, and nothing is wrong with the service. */
export const isRefusal = (error: unknown): error is SwathError & { readonly tag: RefusalTag } =>
  isSwathError(error) && (REFUSAL_TAGS as readonly ErrorTag[]).includes(error.tag);

/** What follows from a failed attempt. */
interface FailedAttempt {
  readonly error: TaskError;
  /** Null when there is no further attempt. */
  readonly retryInMs: number | null;
}

/** Whether an attempt that failed is followed by another one; `attempts` failed before it. `random` is from 0 to 1. */
export function judgeFailure(error: unknown, attempts: number, random = Math.random()): FailedAttempt {
  const isPassing = !isSwathError(error) || PASSING.has(error.tag);
  // Tasks that failed together are not tried again together.
  const delayMs = FIRST_DELAY_MS * DELAY_FACTOR ** attempts * (0.5 + random);
  return {
    error: toTaskError(error),
    retryInMs: isPassing && attempts + 1 < MAX_ATTEMPTS ? Math.round(delayMs) : null,
  };
}

/** An error in the words that its caller reads; what was not thrown on purpose could tell about our insides. */
function toTaskError(error: unknown): TaskError {
  if (!isSwathError(error)) return { code: 'internal', message: 'Something went wrong inside Swath.' };
  const { code, message } = error;
  return isRefusal(error) ? { code, message, refusal: error.tag } : { code, message };
}

/** When tasks whose workers died, and those that outlived their time, are given up. */
export const SWEEP_RULE: SweepRule = {
  maxStrikes: MAX_STRIKES,
  maxDeaths: MAX_DEATHS,
  death: {
    code: 'worker-died',
    message: 'The worker died, or went silent, again and again while it ran nothing but this task.',
  },
  timeout: {
    code: 'task-timeout',
    message: 'The task did not finish within its task_timeout.',
  },
};

/** How a run of a task ended, as this worker saw it. */
export type RunEnd = 'finished' | 'failed' | 'retried' | 'released' | 'cancelled' | 'lost';

interface RunDeps {
  readonly store: TaskStore;
  readonly kind: TaskKind;
  readonly leaseMs: number;
  /** Told of every failed attempt, and of a store that does not answer. */
  readonly onFailure: (error: unknown) => void;
}

/** A task that this process works on. */
export interface RunningTask {
  /** Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Looks whether the task was cancelled. */
  check(): Promise<void>;
  /** Stops the work and hands the task back. */
  release(): void;
}

/** Progress is stored no more often than this; so long a poll may be behind. */
const PROGRESS_MS = 1_000;

/** How often, and how long apart, the end of a task is stored again while the store is away. */
const END_ATTEMPTS = 30;
const END_DELAY_MS = 1_000;

/** Thrown into work that is not wanted any more; says how it ends. */
class Stop extends Error {
  readonly end: RunEnd;
  constructor(end: RunEnd) {
    super(`the task is ${end}`);
    this.end = end;
  }
}

/** Runs a leased task until it has ended, keeping its lease alive. */
function runTask({ task, lease }: LeasedTask, deps: RunDeps): RunningTask {
  const { store, kind, leaseMs, onFailure } = deps;
  const controller = new AbortController();
  let progress: TaskProgress = { done: 0, total: 0 };
  let stored = progress;
  let renewedMs = performance.now();
  let isRenewing = false;
  let isPublishing = false;

  const stop = (end: RunEnd): void => controller.abort(new Stop(end));

  async function renew(): Promise<void> {
    if (isRenewing || controller.signal.aborted) return;
    isRenewing = true;
    const sent = progress;
    try {
      const state = await store.renew(lease, sent, leaseMs);
      renewedMs = performance.now();
      stored = sent;
      if (state !== 'held') stop(state === 'over' ? 'cancelled' : 'lost');
    } catch (error) {
      // The work goes on; if the lease expires before it ends, its result is refused.
      onFailure(error);
    } finally {
      isRenewing = false;
    }
  }

  const beat = setInterval(() => {
    if (progress !== stored || performance.now() - renewedMs > leaseMs / 3) void renew();
  }, PROGRESS_MS);

  async function run(): Promise<RunEnd> {
    try {
      const output = await kind.run(task, {
        storeKey: `${lease.id}.${lease.token}`,
        signal: controller.signal,
        reportProgress: (next) => {
          progress = next;
        },
      });
      return await publish(output);
    } catch (error) {
      return await giveUp(error);
    }
  }

  async function publish(output: TaskOutput): Promise<RunEnd> {
    isPublishing = true;
    const isPublished = await persist(() => store.finish(lease, output));
    if (isPublished) return 'finished';
    if (output.kind === 'file') await kind.discard(output).catch(onFailure);
    return stoppedAs() ?? 'lost';
  }

  async function giveUp(error: unknown): Promise<RunEnd> {
    const end = stoppedAs();
    if (end === 'released') await persist(() => store.release(lease));
    if (end !== null) return end;
    onFailure(error);
    const failure = judgeFailure(error, task.attempts);
    const isStored = await persist(() => store.fail(lease, failure.error, failure.retryInMs));
    if (!isStored) return 'lost';
    return failure.retryInMs === null ? 'failed' : 'retried';
  }

  /** The end that was asked for, whatever the work has thrown because of it; null if it was not. */
  function stoppedAs(): RunEnd | null {
    const { aborted, reason } = controller.signal;
    return aborted && reason instanceof Stop ? reason.end : null;
  }

  /** Writes an end, again and again while the store is away; false when it never came back, as for a lost lease. */
  async function persist(write: () => Promise<boolean>): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        onFailure(error);
        if (!isUnavailable(error) || attempt === END_ATTEMPTS) return false;
        await sleep(END_DELAY_MS);
      }
    }
  }

  return {
    ended: run().finally(() => clearInterval(beat)),
    async check() {
      // The end that was noticed is our own; and where it is not, the store refuses ours.
      if (isPublishing) return;
      const found = await store.find(task.id).catch(() => task);
      if (found?.state !== 'running') stop(found?.state === 'finished' ? 'lost' : 'cancelled');
    },
    release: () => stop('released'),
  };
}
