import type { SwathError } from '../errors.ts';
import { tooBusy, tooLarge } from '../errors.ts';
import { makeByteLedger } from './byte-ledger.ts';
import type { PoolHealth } from './crew.ts';
import { makeCrew } from './crew.ts';
import type { Entry, EntryHooks, TimedOutput } from './entry.ts';
import { makeEntry } from './entry.ts';
import { makeFairQueue } from './fair-queue.ts';
import type { Job, JobResult, JobRunner, JobTable, JobTicket, Lane } from './job.ts';
import { checkTicket, toCancelled } from './job.ts';
import type { PoolOptions } from './pool-options.ts';
import { planPool } from './pool-options.ts';
import { makeRecentOwners } from './recent-owners.ts';
import { makeSingleFlight } from './single-flight.ts';
import type { Outcome } from './thread.ts';
import type { WorkerSlot } from './worker-slot.ts';

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
  /** Resolves when all threads have started; rejects when none can start. */
  ready(): Promise<void>;
  health(): PoolHealth;
  stats(): PoolStats;
  /** Admits no more jobs, lets admitted work finish within `drainMs`, then ends all threads. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** Builds the pool and starts its threads. */
export function makePool<Jobs extends JobTable>(options: PoolOptions): Pool<Jobs> {
  const { crew: crewPlan, lanes, patienceMs, othersForMs } = planPool(options);
  const queue = makeFairQueue<Entry>({ patienceMs });
  const ledgers = {
    tile: makeByteLedger(lanes.tile.budgetBytes),
    task: makeByteLedger(lanes.task.budgetBytes),
  };
  const running = { tile: 0, task: 0 };
  const runningOf = new Map<string, number>();
  const owners = makeRecentOwners(othersForMs);
  const totals = {
    done: 0,
    failed: 0,
    refused: 0,
    timedOut: 0,
    cancelled: 0,
    crashed: 0,
    replaced: 0,
    joined: 0,
  };
  const flights = makeSingleFlight<TimedOutput>();
  /** A moving average over finished runs, used only to estimate `retryAfterS`. */
  let averageRunMs = 100;
  let closed: Promise<void> | undefined;
  let onDrained: (() => void) | undefined;

  const crew = makeCrew(crewPlan, {
    onIdle: pump,
    onGone(end) {
      if (end.why === 'crashed' || end.why === 'start-failed') totals.crashed++;
      totals.replaced++;
    },
    onBroken: (error) => refuseWaiting(error),
  });
  const entryHooks: EntryHooks = {
    onAbort: giveUp,
    onLate: (entry) =>
      giveUp(entry, {
        how: 'refused',
        error: toBusy('waited-too-long', 'The server is too busy: the render waited too long for its turn.'),
      }),
    onFinished({ isUncounted }, outcome, ranMs) {
      if (isUncounted === true) return;
      totals[outcome.how]++;
      if (outcome.how === 'done') averageRunMs += (ranMs - averageRunMs) / 16;
    },
  };

  const countWaiting = (): number => queue.count('tile') + queue.count('task');

  function toBusy(code: string, message: string): SwathError {
    const guessS = Math.ceil((countWaiting() * averageRunMs) / crewPlan.threads / 1000);
    return tooBusy(code, message, { details: { retryAfterS: Math.min(30, Math.max(1, guessS)) } });
  }

  /**
   * Starts every job that can start; called whenever a job comes or goes, a thread becomes free or memory is released.
   */
  function pump(): void {
    for (;;) {
      const slot = crew.findIdle();
      const entry = slot && queue.take(performance.now(), canStart);
      if (slot === undefined || entry === undefined) break;
      start(entry, slot);
    }
    if (countWaiting() + running.tile + running.task === 0) onDrained?.();
  }

  function canStart({ job: { lane, bytes, owner } }: Entry): boolean {
    return (
      running[lane] < lanes[lane].threads &&
      ledgers[lane].hasRoom(bytes) &&
      (runningOf.get(owner) ?? 0) < maxThreadsOf(owner, lane)
    );
  }

  /**
   * An owner with many waiting jobs leaves a thread to other owners, as long as there are any. Their
   * jobs then start at once, and compete for the processors with fewer jobs of the greedy owner.
   */
  function maxThreadsOf(owner: string, lane: Lane): number {
    const { threads, greedyWaiting } = lanes[lane];
    const isGreedy = queue.count(lane, owner) > greedyWaiting;
    return isGreedy && owners.hasOthers(owner, performance.now()) ? Math.max(1, threads - 1) : threads;
  }

  function start(entry: Entry, slot: WorkerSlot): void {
    const { kind, input, attachment, lane, bytes, timeoutMs, onProgress, owner } = entry.job;
    const release = ledgers[lane].take(bytes);
    running[lane]++;
    runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1);
    const stop = slot.run({
      kind,
      input,
      attachment,
      bytes,
      timeoutMs,
      onProgress: (progress) => onProgress?.(progress),
      onSettled: entry.finish,
      onStopped() {
        release?.();
        running[lane]--;
        const left = (runningOf.get(owner) ?? 1) - 1;
        if (left > 0) runningOf.set(owner, left);
        else runningOf.delete(owner);
        pump();
      },
    });
    entry.started(stop);
  }

  function giveUp(entry: Entry, outcome: Outcome): void {
    if (queue.remove(entry)) {
      entry.finish(outcome);
      // It may have been the one that blocked its lane.
      pump();
    } else {
      entry.stop(outcome);
    }
  }

  function refuseWaiting(error: SwathError): void {
    for (const entry of queue.takeAll()) entry.finish({ how: 'refused', error });
    pump();
  }

  /** The reason to refuse a job whatever the state of the queue. */
  function findRefusal({ lane, bytes }: Job): SwathError | undefined {
    if (closed !== undefined) return toBusy('shutting-down', 'The server is stopping.');
    const limitBytes = lanes[lane].budgetBytes;
    if (bytes > limitBytes) {
      const [needMb, limitMb] = [bytes, limitBytes].map((size) => Math.ceil(size / 2 ** 20));
      return tooLarge(
        'over-memory-budget',
        `The render would need about ${needMb} MB of pixel memory; the server allows ${limitMb} MB.`,
        { details: { bytes, limitBytes } },
      );
    }
    return crew.refusal();
  }

  async function runOnce(job: Job): Promise<TimedOutput> {
    const refusal = findRefusal(job);
    if (refusal !== undefined) {
      if (job.isUncounted !== true) totals.refused++;
      throw refusal;
    }
    const lane = lanes[job.lane];
    owners.note(job.owner, performance.now());
    const entry = makeEntry(job, lane.maxWaitMs, entryHooks);
    queue.push(entry);
    pump();
    // A job that can start at once needs no queue slot, so the bounds are checked against the jobs that are left
    // waiting.
    const surplus =
      queue.count(job.lane, job.owner) > lane.maxWaitingPerOwner
        ? entry
        : queue.count(job.lane) > lane.maxWaiting
          ? queue.findSurplus(job.lane)
          : undefined;
    if (surplus !== undefined && queue.remove(surplus)) {
      surplus.finish({
        how: 'refused',
        error: toBusy('pool-full', 'The server is too busy: the queue for renders is full.'),
      });
    }
    return entry.result;
  }

  async function shutDown(drainMs: number): Promise<void> {
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    onDrained = resolve;
    const timer = setTimeout(resolve, drainMs);
    pump();
    await drained;
    clearTimeout(timer);
    const error = toBusy('shutting-down', 'The server is stopping.');
    refuseWaiting(error);
    await crew.close({ how: 'refused', error });
  }

  return {
    async run<Kind extends keyof Jobs & string>(
      kind: Kind,
      input: Jobs[Kind]['input'],
      ticket: JobTicket,
    ): Promise<JobResult<Jobs[Kind]['output']>> {
      checkTicket(ticket);
      if (ticket.signal?.aborted) throw toCancelled();
      const job: Job = { kind, input, ...ticket };
      const { singleFlightKey, lane, signal, onProgress } = ticket;
      if (singleFlightKey === undefined) {
        const timed = await runOnce(job);
        return { ...timed, output: timed.output, shared: false };
      }
      // A tile must not be stuck in the lane of an equal task.
      const key = `${lane} ${singleFlightKey}`;
      if (flights.has(key)) totals.joined++;
      const { value: timed, shared } = await flights.run({
        key,
        signal,
        onProgress,
        start: (common) => runOnce({ ...job, ...common }),
      });
      return { ...timed, output: timed.output, shared };
    },
    ready: () => crew.ready(),
    health: () => crew.health(),
    stats: () => ({
      threads: crewPlan.threads,
      busy: crew.countBusy(),
      waiting: { tile: queue.count('tile'), task: queue.count('task') },
      running: { ...running },
      ledger: {
        usedBytes: ledgers.tile.usedBytes() + ledgers.task.usedBytes(),
        budgetBytes: ledgers.tile.budgetBytes + ledgers.task.budgetBytes,
      },
      totals: { ...totals },
    }),
    close({ drainMs = 0 } = {}) {
      closed ??= shutDown(drainMs);
      return closed;
    },
  };
}
