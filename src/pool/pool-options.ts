import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { CrewOptions } from './crew.ts';
import { internal } from './errors.ts';
import type { Lane, RanJob } from './job.ts';

/** The options of a pool; only the script and the memory budget have no default. */
export interface PoolOptions {
  /** The worker script: a module that calls `serveJobs`. */
  readonly script: URL;
  /** Passed to the script's handlers; must be cloneable. */
  readonly settings?: unknown;
  /** The max estimated pixel memory of all running jobs together. */
  readonly budgetBytes: number;
  /** The tasks' part of the budget; tiles get the rest, so that neither lane waits for the other's memory. */
  readonly taskBytes?: number;
  /** A thread runs one job at a time; with twice the cores, one thread can read while another computes. */
  readonly threads?: number;
  /** How many threads tasks may hold at once; below `threads`, a tile soon finds a free one. */
  readonly taskThreads?: number;
  /** Queue slots of each lane: a queue full of tasks refuses no tile. */
  readonly maxWaiting?: Readonly<Record<Lane, number>>;
  /** The share of a lane's queue slots that one owner may hold (at least one slot). */
  readonly ownerShare?: number;
  /** Waiting jobs from which on an owner leaves a thread free for others; by default half of what it may have waiting. */
  readonly greedyWaiting?: number;
  /** For this long after another owner's request, an owner with a long queue leaves a thread free. */
  readonly othersForMs?: number;
  /** A job that did not start within this time is refused: its answer would come too late. */
  readonly maxWaitMs?: Readonly<Record<Lane, number>>;
  /** How long tasks may go unserved, and large jobs may be passed over, before the rest has to wait for them. */
  readonly patienceMs?: number;
  /** How long cancelled work may take to stop by itself before its thread is killed. */
  readonly graceMs?: number;
  /** JavaScript heap of one thread. */
  readonly heapLimitMb?: number;
  /** What a thread may keep in typed arrays between jobs (its caches); above it the thread is replaced. */
  readonly maxWorkerBytes?: number;
  /** How far a running thread may exceed its job's estimate, caches and garbage included, before it is killed. */
  readonly runawayBytes?: number;
  readonly memoryWatchMs?: number;
  readonly startTimeoutMs?: number;
  /** The pool counts as down after this many failed starts in a row on every slot. */
  readonly maxFailedStarts?: number;
  readonly startBackoffMs?: number;
  /** Called when a thread has exited, whatever the reason: its entries in shared memory are unclaimed now. */
  readonly onThreadExit?: (threadId: number) => void;
  /** Each is called after each run of a job. */
  readonly onRan?: readonly ((ran: RanJob) => void)[];
  /** Called with the end of a channel whose other end a thread has; without it the port is closed. */
  readonly onConnect?: (port: MessagePort) => void;
}

/** The options with every default filled in. */
export interface PoolPlan {
  readonly crew: CrewOptions;
  readonly patienceMs: number;
  readonly othersForMs: number;
  readonly onRan: readonly ((ran: RanJob) => void)[];
  /** Each lane's limits. */
  readonly lanes: Readonly<Record<Lane, LanePlan>>;
}

/** The limits of one lane. */
interface LanePlan {
  readonly threads: number;
  readonly budgetBytes: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** More waiting jobs than these, and an owner leaves a thread to others. */
  readonly greedyWaiting: number;
  readonly maxWaitMs: number;
}

const MiB = 2 ** 20;

/** Fills in the defaults (in flight = cores × 2, waiting = cores × 8) and refuses invalid options. */
export function planPool(options: PoolOptions): PoolPlan {
  const threads = options.threads ?? 2 * availableParallelism();
  const taskThreads = options.taskThreads ?? Math.max(1, threads - 1);
  const taskBytes = options.taskBytes ?? Math.floor(options.budgetBytes / 2);
  const maxWaiting = options.maxWaiting ?? { tile: 4 * threads, task: 4 * threads };
  const maxWaitMs = options.maxWaitMs ?? { tile: 10_000, task: 120_000 };
  const maxWorkerBytes = options.maxWorkerBytes ?? 512 * MiB;
  check(Number.isInteger(threads) && threads >= 1, `threads must be an integer from 1 up, not ${threads}`);
  check(taskThreads >= 1 && taskThreads <= threads, `taskThreads must be from 1 to ${threads}`);
  check(options.budgetBytes > 0, 'budgetBytes must be more than 0');
  check(taskBytes >= 0 && taskBytes <= options.budgetBytes, 'taskBytes must be a part of budgetBytes');

  const planLane = (lane: Lane) => {
    const maxWaitingPerOwner = Math.max(1, Math.floor(maxWaiting[lane] * (options.ownerShare ?? 0.25)));
    return {
      maxWaiting: maxWaiting[lane],
      maxWaitingPerOwner,
      greedyWaiting: options.greedyWaiting ?? maxWaitingPerOwner / 2,
      maxWaitMs: maxWaitMs[lane],
    };
  };
  return {
    patienceMs: options.patienceMs ?? 2_000,
    othersForMs: options.othersForMs ?? 1_000,
    onRan: options.onRan ?? [],
    lanes: {
      tile: { ...planLane('tile'), threads, budgetBytes: options.budgetBytes - taskBytes },
      task: { ...planLane('task'), threads: taskThreads, budgetBytes: taskBytes },
    },
    crew: {
      script: options.script,
      settings: options.settings,
      threads,
      graceMs: options.graceMs ?? 1_000,
      heapLimitMb: options.heapLimitMb ?? 512,
      maxWorkerBytes,
      // We saw V8 leave 850 MB of dead typed arrays uncollected: garbage alone must not kill a render.
      runawayBytes: options.runawayBytes ?? 3 * maxWorkerBytes,
      memoryWatchMs: options.memoryWatchMs ?? 100,
      startTimeoutMs: options.startTimeoutMs ?? 300_000,
      maxFailedStarts: options.maxFailedStarts ?? 5,
      startBackoffMs: options.startBackoffMs ?? 100,
      onThreadExit: options.onThreadExit ?? (() => {}),
      onConnect: options.onConnect ?? ((port) => port.close()),
    },
  };
}

function check(ok: boolean, rule: string): void {
  if (!ok) throw internal('bad-pool-options', `The pool cannot be made: ${rule}.`);
}
