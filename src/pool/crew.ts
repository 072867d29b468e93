import type { SwathError } from '../errors.ts';
import { internal, tooBusy } from './errors.ts';
import type { Assignment, Outcome, ThreadEnd, ThreadOptions } from './thread.ts';
import { Thread } from './thread.ts';

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

/** How a crew is built: how many threads, how often they are watched, and how soon a failed start is retried. */
export interface CrewOptions extends ThreadOptions {
  readonly threads: number;
  readonly memoryWatchMs: number;
  readonly maxFailedStarts: number;
  readonly startBackoffMs: number;
}

/** The longest pause between two attempts to start a thread; a slot never gives up, since the cause may pass. */
const longestBackoffMs = 10_000;

/** What a slot reports to its crew. */
interface SlotHooks {
  /** The slot can take a job. */
  onIdle(): void;
  /** Its thread is gone and another one replaces it. */
  onGone(end: ThreadEnd): void;
}

/**
 * Keeps one thread alive, whatever happens to its threads:
 *
 *     starting ──ready──▶ idle ◀──▶ busy
 *        ▲                  │        │
 *        └──────── down ◀───┴────────┘  the thread is gone: another one starts, after a failed start with a pause
 */
export class Slot {
  readonly #options: CrewOptions;
  readonly #hooks: SlotHooks;
  #status: 'starting' | 'idle' | 'busy' | 'down' | 'closed' = 'down';
  #thread: Thread | undefined;
  /** Includes threads that were replaced and have not exited yet. */
  readonly #alive = new Set<Thread>();
  #failedStarts = 0;
  #lastProblem: unknown;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: CrewOptions, hooks: SlotHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  get status(): 'starting' | 'idle' | 'busy' | 'down' | 'closed' {
    return this.#status;
  }

  /** Its thread has started and is alive. */
  get isUp(): boolean {
    return this.#status === 'idle' || this.#status === 'busy';
  }

  /** The error of the last start, once so many have failed in a row that waiting is pointless. */
  get startProblem(): unknown {
    const isPointless = !this.isUp && this.#failedStarts >= this.#options.maxFailedStarts;
    return isPointless ? this.#lastProblem : undefined;
  }

  start(): void {
    this.#status = 'starting';
    try {
      const thread = new Thread(this.#options, {
        onReady: () => this.#becomeIdle(),
        onIdle: () => {
          this.#failedStarts = 0;
          this.#becomeIdle();
        },
        onGone: (end) => this.#replace(end),
      });
      this.#thread = thread;
      this.#alive.add(thread);
      void thread.exited.then(() => this.#alive.delete(thread));
    } catch (error) {
      // The constructor itself failed, e.g. for lack of operating system threads.
      this.#replace({ why: 'start-failed', error });
    }
  }

  /** Runs a job on an idle slot and returns a function that stops it. */
  run(assignment: Assignment): (outcome: Outcome) => void {
    const thread = this.#thread;
    if (this.#status !== 'idle' || thread === undefined) throw new Error('The slot has no idle thread.');
    this.#status = 'busy';
    thread.run(assignment);
    return (outcome) => thread.stop(outcome);
  }

  watchMemory(): void {
    if (this.#status === 'busy') void this.#thread?.watchMemory();
  }

  /** Kills the thread; a job on it ends with `outcome`. Resolves when all threads of the slot have exited. */
  async close(outcome: Outcome): Promise<void> {
    this.#status = 'closed';
    clearTimeout(this.#retryTimer);
    this.#thread?.kill(outcome);
    // A thread stuck in native code cannot be killed; it must not hold up the shutdown either.
    const { promise: patienceEnds, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.graceMs);
    await Promise.race([Promise.all([...this.#alive].map((thread) => thread.exited)), patienceEnds]);
    clearTimeout(timer);
    for (const thread of this.#alive) thread.unref();
  }

  #becomeIdle(): void {
    this.#status = 'idle';
    this.#hooks.onIdle();
  }

  #replace(end: ThreadEnd): void {
    this.#thread = undefined;
    if (this.#status === 'closed') return;
    this.#status = 'down';
    if (end.why === 'start-failed') {
      this.#failedStarts += 1;
      this.#lastProblem = end.error;
      const delayMs = Math.min(
        this.#options.startBackoffMs * 2 ** (this.#failedStarts - 1),
        longestBackoffMs,
      );
      this.#retryTimer = setTimeout(() => this.start(), delayMs);
    } else {
      this.start();
    }
    this.#hooks.onGone(end);
  }
}

/** All slots of a pool. */
export class Crew {
  readonly #hooks: CrewHooks;
  readonly #slots: readonly Slot[];
  readonly #memoryWatchMs: number;
  #memoryWatch: NodeJS.Timeout | undefined;
  #readyWaiters: PromiseWithResolvers<void>[] = [];

  constructor(options: CrewOptions, hooks: CrewHooks) {
    this.#hooks = hooks;
    this.#slots = Array.from(
      { length: options.threads },
      () => new Slot(options, { onIdle: () => this.#handleIdle(), onGone: (end) => this.#handleGone(end) }),
    );
    this.#memoryWatchMs = options.memoryWatchMs;
  }

  /** Starts all threads, the first time that it is called. */
  start(): void {
    if (this.#memoryWatch !== undefined) return;
    this.#memoryWatch = setInterval(() => {
      for (const slot of this.#slots) slot.watchMemory();
    }, this.#memoryWatchMs);
    this.#memoryWatch.unref();
    for (const slot of this.#slots) slot.start();
  }

  findIdle(): Slot | undefined {
    return this.#slots.find(({ status }) => status === 'idle');
  }

  countBusy(): number {
    return this.#slots.filter(({ status }) => status === 'busy').length;
  }

  /** The error to answer with while no thread can be started: one slot that works, or may still start, is enough. */
  refusal(): SwathError | undefined {
    const problems = this.#slots.map(({ startProblem }) => startProblem);
    if (problems.includes(undefined)) return undefined;
    return internal('workers-down', 'The server cannot start any worker to render with.', {
      cause: problems[0],
    });
  }

  /** Resolves when every slot has its thread, rejects when none can be started. */
  ready(): Promise<void> {
    const error = this.refusal();
    if (error !== undefined) return Promise.reject(error);
    if (this.#countUp() === this.#slots.length) return Promise.resolve();
    const waiter = Promise.withResolvers<void>();
    this.#readyWaiters.push(waiter);
    return waiter.promise;
  }

  health(): PoolHealth {
    const error = this.refusal();
    const health = { ok: error === undefined, threads: this.#slots.length, up: this.#countUp() };
    return error === undefined ? health : { ...health, problem: String(error.cause) };
  }

  /** Ends all threads; jobs on them end with `outcome`. */
  async close(outcome: Outcome): Promise<void> {
    clearInterval(this.#memoryWatch);
    this.#settleReady((waiter) => waiter.reject(tooBusy('shutting-down', 'The server is stopping.')));
    await Promise.all(this.#slots.map((slot) => slot.close(outcome)));
  }

  #countUp(): number {
    return this.#slots.filter(({ isUp }) => isUp).length;
  }

  #settleReady(settle: (waiter: PromiseWithResolvers<void>) => void): void {
    const waiters = this.#readyWaiters;
    this.#readyWaiters = [];
    for (const waiter of waiters) settle(waiter);
  }

  #handleIdle(): void {
    if (this.#readyWaiters.length > 0 && this.#countUp() === this.#slots.length)
      this.#settleReady((waiter) => waiter.resolve());
    this.#hooks.onIdle();
  }

  #handleGone(end: ThreadEnd): void {
    this.#hooks.onGone(end);
    const error = this.refusal();
    if (error === undefined) return;
    this.#settleReady((waiter) => waiter.reject(error));
    this.#hooks.onBroken(error);
  }
}
