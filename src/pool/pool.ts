import { makeSingleFlight, retry, toCancelled } from '../async/index.ts';
import { isSwathError, SwathError } from '../errors.ts';
import { toWholeMib } from '../units.ts';
import type { ByteLedger, Entry, FairQueue, TimedOutput } from './admission.ts';
import { makeByteLedger, makeEntry, makeFairQueue, makeRecentOwners } from './admission.ts';
import type { PoolHealth, Slot } from './crew.ts';
import { Crew } from './crew.ts';
import { internal, tooLarge } from './errors.ts';
import type { Job, JobResult, JobRunner, JobTable, JobTicket, Lane } from './job.ts';
import type { PoolOptions, PoolPlan } from './pool-options.ts';
import { planPool } from './pool-options.ts';
import type { Outcome } from './thread.ts';

/** Counts since the start. A shared run counts once, by how it ended; callers that joined it count as `joined`. */
interface PoolTotals {
  readonly done: number;
  /** The handler threw, or its thread died. */
  readonly failed: number;
  readonly refused: number;
  readonly timedOut: number;
  readonly cancelled: number;
  /** Threads that died by themselves. */
  readonly crashed: number;
  /** Threads that were replaced, whatever the reason. */
  readonly replaced: number;
  readonly joined: number;
}

/** What the pool is doing right now. */
export interface PoolStats {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: Readonly<Record<Lane, number>>;
  /** Jobs whose work has not stopped yet, including those whose callers have given up. */
  readonly running: Readonly<Record<Lane, number>>;
  readonly ledger: { readonly usedBytes: number; readonly budgetBytes: number };
  readonly totals: PoolTotals;
}

/** A bounded pool of worker threads. */
export interface Pool<Jobs extends JobTable> extends JobRunner<Jobs> {
  /** Starts the threads now, because jobs will follow soon. */
  start(): void;
  /** Starts the threads. Resolves when all of them have started; rejects when none can start. */
  ready(): Promise<void>;
  health(): PoolHealth;
  stats(): PoolStats;
  /** Admits no more jobs, lets admitted work finish within `drainMs`, then ends all threads. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** Builds the pool. Its first job starts the threads: they take memory, and time that the start of a service needs. */
export const makePool = <Jobs extends JobTable>(options: PoolOptions): Pool<Jobs> =>
  new ThreadPool<Jobs>(planPool(options));

const NOTHING_YET: PoolTotals = {
  done: 0,
  failed: 0,
  refused: 0,
  timedOut: 0,
  cancelled: 0,
  crashed: 0,
  replaced: 0,
  joined: 0,
};

/**
 * A job is admitted or refused, waits in the queue, starts when a thread, the memory and its owner's share allow it, and
 * ends. `#pump` starts all that can start; it is called after every change that may let a job start.
 */
class ThreadPool<Jobs extends JobTable> implements Pool<Jobs> {
  readonly #plan: PoolPlan;
  readonly #queue: FairQueue<Entry>;
  readonly #ledgers: Readonly<Record<Lane, ByteLedger>>;
  readonly #crew: Crew;
  readonly #running: Record<Lane, number> = { tile: 0, task: 0 };
  readonly #runningOf = new Map<string, number>();
  readonly #owners: ReturnType<typeof makeRecentOwners>;
  readonly #flights = makeSingleFlight<TimedOutput>();
  readonly #totals: { -readonly [Key in keyof PoolTotals]: number } = { ...NOTHING_YET };
  /** A moving average over finished runs, used only to estimate `retryAfterS`. */
  #averageRunMs = 100;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(plan: PoolPlan) {
    this.#plan = plan;
    this.#queue = makeFairQueue<Entry>({ patienceMs: plan.patienceMs });
    this.#owners = makeRecentOwners(plan.othersForMs);
    this.#ledgers = {
      tile: makeByteLedger(plan.lanes.tile.budgetBytes),
      task: makeByteLedger(plan.lanes.task.budgetBytes),
    };
    this.#crew = new Crew(plan.crew, {
      onIdle: () => this.#pump(),
      onGone: ({ why }) => {
        if (why === 'crashed' || why === 'start-failed') this.#totals.crashed += 1;
        this.#totals.replaced += 1;
      },
      onBroken: (error) => this.#refuseWaiting(error),
    });
  }

  async run<Kind extends keyof Jobs & string>(
    kind: Kind,
    input: Jobs[Kind]['input'],
    ticket: JobTicket,
  ): Promise<JobResult<Jobs[Kind]['output']>> {
    const { output, ...report } = await this.#runShared(kind, input, ticket);
    ticket.onJob?.({ kind, ...report });
    const { queuedMs, ranMs, shared } = report;
    if (!shared) {
      const { owner, lane } = ticket;
      for (const onRan of this.#plan.onRan) onRan({ owner, lane, kind, queuedMs, ranMs });
    }
    return { output, ...report };
  }

  async #runShared(kind: string, input: unknown, ticket: JobTicket): Promise<JobResult<unknown>> {
    checkTicket(ticket);
    if (ticket.signal?.aborted) throw toCancelled();
    const job: Job = { kind, input, ...ticket };
    const { singleFlightKey, lane, signal, onProgress } = ticket;
    if (singleFlightKey === undefined) {
      return { ...(await this.#runOnce(job)), shared: false };
    }
    // A tile must not be stuck in the lane of an equal task.
    const key = `${lane} ${singleFlightKey}`;
    if (this.#flights.has(key)) this.#totals.joined += 1;
    const { value: timed, shared } = await this.#flights.run({
      key,
      signal,
      onProgress,
      start: (common) => this.#runOnce({ ...job, ...common }),
    });
    return { ...timed, shared };
  }

  start(): void {
    if (this.#closed === undefined) this.#crew.start();
  }

  ready(): Promise<void> {
    this.start();
    return this.#crew.ready();
  }

  health(): PoolHealth {
    return this.#crew.health();
  }

  stats(): PoolStats {
    const { tile, task } = this.#ledgers;
    return {
      threads: this.#plan.crew.threads,
      busy: this.#crew.countBusy(),
      waiting: { tile: this.#queue.count('tile'), task: this.#queue.count('task') },
      running: { ...this.#running },
      ledger: {
        usedBytes: tile.usedBytes() + task.usedBytes(),
        budgetBytes: tile.budgetBytes + task.budgetBytes,
      },
      totals: { ...this.#totals },
    };
  }

  close({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#shutDown(drainMs);
    return this.#closed;
  }

  async #runOnce(job: Job): Promise<TimedOutput> {
    this.start();
    const refusal = this.#findRefusal(job);
    if (refusal !== undefined) {
      if (job.isUncounted !== true) this.#totals.refused += 1;
      throw refusal;
    }
    const lane = this.#plan.lanes[job.lane];
    this.#owners.note(job.owner, performance.now());
    const entry = makeEntry(job, lane.maxWaitMs, {
      onAbort: (late, outcome) => this.#giveUp(late, outcome),
      onLate: (late) => {
        const text = 'The server is too busy: the render waited too long for its turn.';
        this.#giveUp(late, { how: 'refused', error: this.#toBusy('waited-too-long', text) });
      },
      onFinished: (finished, outcome, ranMs) => this.#count(finished, outcome, ranMs),
    });
    this.#queue.push(entry);
    this.#pump();
    // A job that can start at once needs no queue slot, so the bounds are checked against the jobs that are left
    // waiting.
    const surplus =
      this.#queue.count(job.lane, job.owner) > lane.maxWaitingPerOwner
        ? entry
        : this.#queue.count(job.lane) > lane.maxWaiting
          ? this.#queue.findSurplus(job.lane)
          : undefined;
    if (surplus !== undefined && this.#queue.remove(surplus)) {
      const error = this.#toBusy('pool-full', 'The server is too busy: the queue for renders is full.');
      surplus.finish({ how: 'refused', error });
    }
    return entry.result;
  }

  /** The reason to refuse a job whatever the state of the queue. */
  #findRefusal({ lane, bytes }: Job): SwathError | undefined {
    if (this.#closed !== undefined) return this.#toBusy('shutting-down', 'The server is stopping.');
    const limitBytes = this.#plan.lanes[lane].budgetBytes;
    if (bytes > limitBytes) {
      const [needMb, limitMb] = [bytes, limitBytes].map(toWholeMib);
      return tooLarge(
        'over-memory-budget',
        `The render would need about ${needMb} MB of pixel memory; the server allows ${limitMb} MB.`,
        { details: { bytes, limitBytes } },
      );
    }
    return this.#crew.refusal();
  }

  /**
   * Starts every job that can start; called whenever a job comes or goes, a thread becomes free or memory is released.
   */
  #pump(): void {
    for (;;) {
      const slot = this.#crew.findIdle();
      const entry = slot && this.#queue.take(performance.now(), (waiting) => this.#canStart(waiting));
      if (slot === undefined || entry === undefined) break;
      this.#start(entry, slot);
    }
    if (this.#countWaiting() + this.#running.tile + this.#running.task === 0) this.#onDrained?.();
  }

  #canStart({ job: { lane, bytes, owner } }: Entry): boolean {
    return (
      this.#running[lane] < this.#plan.lanes[lane].threads &&
      this.#ledgers[lane].hasRoom(bytes) &&
      (this.#runningOf.get(owner) ?? 0) < this.#maxThreadsOf(owner, lane)
    );
  }

  /**
   * An owner with many waiting jobs leaves a thread to other owners, as long as there are any. Their
   * jobs then start at once, and compete for the processors with fewer jobs of the greedy owner.
   */
  #maxThreadsOf(owner: string, lane: Lane): number {
    const { threads, greedyWaiting } = this.#plan.lanes[lane];
    const isGreedy = this.#queue.count(lane, owner) > greedyWaiting;
    return isGreedy && this.#owners.hasOthers(owner, performance.now()) ? Math.max(1, threads - 1) : threads;
  }

  #start(entry: Entry, slot: Slot): void {
    const { kind, input, attachment, lane, bytes, timeoutMs, onProgress, owner } = entry.job;
    const release = this.#ledgers[lane].take(bytes);
    this.#running[lane] += 1;
    this.#runningOf.set(owner, (this.#runningOf.get(owner) ?? 0) + 1);
    const stop = slot.run({
      kind,
      input,
      attachment,
      bytes,
      timeoutMs,
      onProgress: (progress) => onProgress?.(progress),
      onSettled: entry.finish,
      onStopped: () => {
        release?.();
        this.#running[lane] -= 1;
        const left = (this.#runningOf.get(owner) ?? 1) - 1;
        if (left > 0) this.#runningOf.set(owner, left);
        else this.#runningOf.delete(owner);
        this.#pump();
      },
    });
    entry.started(stop);
  }

  #giveUp(entry: Entry, outcome: Outcome): void {
    if (this.#queue.remove(entry)) {
      entry.finish(outcome);
      // It may have been the one that blocked its lane.
      this.#pump();
    } else {
      entry.stop(outcome);
    }
  }

  #count({ isUncounted }: Job, { how }: Outcome, ranMs: number): void {
    if (isUncounted === true) return;
    this.#totals[how] += 1;
    if (how === 'done') this.#averageRunMs += (ranMs - this.#averageRunMs) / 16;
  }

  #refuseWaiting(error: SwathError): void {
    for (const entry of this.#queue.takeAll()) entry.finish({ how: 'refused', error });
    this.#pump();
  }

  #countWaiting(): number {
    return this.#queue.count('tile') + this.#queue.count('task');
  }

  #toBusy(code: string, message: string): SwathError {
    const guessS = Math.ceil((this.#countWaiting() * this.#averageRunMs) / this.#plan.crew.threads / 1000);
    return new SwathError('too-busy', code, message, {
      details: { retryAfterS: Math.min(30, Math.max(1, guessS)) },
    });
  }

  async #shutDown(drainMs: number): Promise<void> {
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    this.#onDrained = resolve;
    const timer = setTimeout(resolve, drainMs);
    this.#pump();
    await drained;
    clearTimeout(timer);
    const error = this.#toBusy('shutting-down', 'The server is stopping.');
    this.#refuseWaiting(error);
    await this.#crew.close({ how: 'refused', error });
  }
}

/** Longer delays make setTimeout fire after 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/** Throws on numbers that would break the ledger or the timers: a bug of the calling code, not of a user. */
function checkTicket({ bytes, timeoutMs }: JobTicket): void {
  if (!(Number.isFinite(bytes) && bytes >= 0)) {
    throw internal('bad-job', `A job's bytes must be a number from 0 up; this one has ${bytes}.`);
  }
  if (!(timeoutMs > 0 && timeoutMs <= longestTimerMs)) {
    throw internal('bad-job', `A job's timeoutMs must be from 1 to ${longestTimerMs}, not ${timeoutMs}.`);
  }
}

/** A pool refuses a job because of its load, not because it is stopping. */
const isRefusal = (error: unknown): boolean =>
  isSwathError(error) &&
  error.tag === 'too-busy' &&
  (error.code === 'pool-full' || error.code === 'waited-too-long');

/** The pause between two attempts: long compared with a job, short compared with a file. */
const PAUSE_MS = 500;

/** Runs a job of a half-made file: when the pool is full, retries until it accepts the job. */
export async function runPatiently<Jobs extends JobTable, Kind extends keyof Jobs & string>(
  pool: JobRunner<Jobs>,
  kind: Kind,
  input: Jobs[Kind]['input'],
  ticket: JobTicket,
  pauseMs = PAUSE_MS,
): Promise<Jobs[Kind]['output']> {
  const { output } = await retry(() => pool.run(kind, input, ticket), {
    toWaitMs: (error) => (isRefusal(error) ? pauseMs : null),
    signal: ticket.signal,
  });
  return output;
}
