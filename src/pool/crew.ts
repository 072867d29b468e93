import type { SwathError } from '../errors.ts';
import { internal, tooBusy } from '../errors.ts';
import type { Outcome, ThreadEnd } from './thread.ts';
import type { SlotOptions, WorkerSlot } from './worker-slot.ts';
import { makeWorkerSlot } from './worker-slot.ts';

/** Whether the pool can work; `problem` is for the log, not for users. */
export interface PoolHealth {
  readonly ok: boolean;
  readonly threads: number;
  /** Threads that are idle or working. */
  readonly up: number;
  readonly problem?: string;
}

/** What the crew reports to the pool. */
export interface CrewHooks {
  onIdle(): void;
  onGone(end: ThreadEnd): void;
  /** No thread can be started, so queued jobs would never run. */
  onBroken(error: SwathError): void;
}

/** All slots of a pool. */
export interface Crew {
  findIdle(): WorkerSlot | undefined;
  countBusy(): number;
  /** Resolves when every slot has its thread, rejects when none can be started. */
  ready(): Promise<void>;
  health(): PoolHealth;
  /** The error to answer with while no thread can be started. */
  refusal(): SwathError | undefined;
  close(outcome: Outcome): Promise<void>;
}

/** How a crew is built. */
export interface CrewOptions extends SlotOptions {
  readonly threads: number;
  readonly memoryWatchMs: number;
}

/** Starts `threads` slots. */
export function makeCrew(options: CrewOptions, hooks: CrewHooks): Crew {
  const { threads } = options;
  let readyWaiters: PromiseWithResolvers<void>[] = [];
  const slots: WorkerSlot[] = [];
  for (let i = 0; i < threads; i++) slots.push(makeWorkerSlot(options, { onIdle, onGone }));
  const memoryWatch = setInterval(() => {
    for (const slot of slots) void slot.watchMemory();
  }, options.memoryWatchMs);
  memoryWatch.unref();

  const countUp = (): number => slots.filter((slot) => slot.isUp()).length;

  function settleReady(settle: (waiter: PromiseWithResolvers<void>) => void): void {
    const waiters = readyWaiters;
    readyWaiters = [];
    for (const waiter of waiters) settle(waiter);
  }

  function onIdle(): void {
    if (readyWaiters.length > 0 && countUp() === threads) settleReady((waiter) => waiter.resolve());
    hooks.onIdle();
  }

  function onGone(end: ThreadEnd): void {
    hooks.onGone(end);
    const error = refusal();
    if (error === undefined) return;
    settleReady((waiter) => waiter.reject(error));
    hooks.onBroken(error);
  }

  /** One slot that works, or may still start, is enough to continue. */
  function refusal(): SwathError | undefined {
    const problems = slots.map((slot) => slot.startProblem());
    if (problems.length < threads || problems.includes(undefined)) return undefined;
    return internal('workers-down', 'The server cannot start any worker to render with.', {
      cause: problems[0],
    });
  }

  return {
    findIdle: () => slots.find((slot) => slot.isIdle()),
    countBusy: () => slots.filter((slot) => slot.isBusy()).length,
    refusal,

    ready() {
      const error = refusal();
      if (error !== undefined) return Promise.reject(error);
      if (countUp() === threads) return Promise.resolve();
      const waiter = Promise.withResolvers<void>();
      readyWaiters.push(waiter);
      return waiter.promise;
    },

    health() {
      const error = refusal();
      const health = { ok: error === undefined, threads, up: countUp() };
      return error === undefined ? health : { ...health, problem: String(error.cause) };
    },

    async close(outcome) {
      clearInterval(memoryWatch);
      settleReady((waiter) => waiter.reject(tooBusy('shutting-down', 'The server is stopping.')));
      await Promise.all(slots.map((slot) => slot.close(outcome)));
    },
  };
}
