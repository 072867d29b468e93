import type { Assignment, Outcome, Thread, ThreadEnd, ThreadHooks, ThreadOptions } from './thread.ts';
import { startThread } from './thread.ts';

/** Adds to a thread's options how often and how soon a failed start is retried. */
export interface SlotOptions extends ThreadOptions {
  readonly maxFailedStarts: number;
  readonly startBackoffMs: number;
}

/** What a slot reports to the pool. */
export interface SlotHooks {
  /** The slot can take a job. */
  onIdle(): void;
  /** Its thread is gone and another one replaces it (unless the slot was closed). */
  onGone(end: ThreadEnd): void;
}

/** One slot of the pool: keeps one thread alive, whatever happens to its threads. */
export interface WorkerSlot {
  isIdle(): boolean;
  isBusy(): boolean;
  /** Its thread has started and is alive. */
  isUp(): boolean;
  /** The error of the last start, once so many have failed in a row that waiting is pointless. */
  startProblem(): unknown;
  /** Runs a job on an idle slot and returns a function that stops it. */
  run(assignment: Assignment): (outcome: Outcome) => void;
  watchMemory(): Promise<void>;
  /** Kills the thread; a job on it ends with `outcome`. Resolves when all threads of the slot have exited. */
  close(outcome: Outcome): Promise<void>;
}

/** The longest pause between two attempts to start a thread; a slot never gives up, since the cause may pass. */
const longestBackoffMs = 10_000;

/** Starts the slot's first thread at once. */
export function makeWorkerSlot(options: SlotOptions, hooks: SlotHooks): WorkerSlot {
  let status: 'starting' | 'idle' | 'busy' | 'down' | 'closed' = 'down';
  let thread: Thread | undefined;
  /** Includes threads that were replaced and have not exited yet. */
  const alive = new Set<Thread>();
  let failedStarts = 0;
  let lastProblem: unknown;
  let retryTimer: NodeJS.Timeout | undefined;

  const isUp = (): boolean => status === 'idle' || status === 'busy';

  function start(): void {
    status = 'starting';
    const threadHooks: ThreadHooks = {
      onReady: becomeIdle,
      onIdle() {
        failedStarts = 0;
        becomeIdle();
      },
      onGone: replace,
    };
    let started: Thread;
    try {
      started = startThread(options, threadHooks);
    } catch (error) {
      // The constructor itself failed, e.g. for lack of operating system threads.
      replace({ why: 'start-failed', error });
      return;
    }
    thread = started;
    alive.add(started);
    void started.exited.then(() => alive.delete(started));
  }

  function becomeIdle(): void {
    status = 'idle';
    hooks.onIdle();
  }

  function replace(end: ThreadEnd): void {
    thread = undefined;
    if (status === 'closed') return;
    status = 'down';
    if (end.why === 'start-failed') {
      failedStarts++;
      lastProblem = end.error;
      const delayMs = Math.min(options.startBackoffMs * 2 ** (failedStarts - 1), longestBackoffMs);
      retryTimer = setTimeout(start, delayMs);
    } else {
      start();
    }
    hooks.onGone(end);
  }

  start();

  return {
    isIdle: () => status === 'idle',
    isBusy: () => status === 'busy',
    isUp,
    startProblem: () => (!isUp() && failedStarts >= options.maxFailedStarts ? lastProblem : undefined),

    run(assignment) {
      const mine = thread;
      if (status !== 'idle' || mine === undefined) throw new Error('The slot has no idle thread.');
      status = 'busy';
      mine.run(assignment);
      return (outcome) => mine.stop(outcome);
    },

    async watchMemory() {
      if (status === 'busy') await thread?.watchMemory();
    },

    async close(outcome) {
      status = 'closed';
      clearTimeout(retryTimer);
      thread?.kill(outcome);
      // A thread stuck in native code cannot be killed; it must not hold up the shutdown either.
      const { promise: patienceEnds, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, options.graceMs);
      await Promise.race([Promise.all([...alive].map((one) => one.exited)), patienceEnds]);
      clearTimeout(timer);
      for (const one of alive) one.unref();
    },
  };
}
