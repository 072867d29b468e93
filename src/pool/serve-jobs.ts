import { Session } from 'node:inspector/promises';
import { getPriority, setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { MessagePort, Transferable } from 'node:worker_threads';
import { MessageChannel, parentPort, workerData } from 'node:worker_threads';
import type { WireError } from '../errors.ts';
import { toWire } from '../errors.ts';
import { cancelled, internal } from './errors.ts';
import type { JobFigures, JobTable } from './job.ts';

/** What a handler gets in addition to its input. */
export interface JobContext {
  /** Aborted when no one waits for the result any more; visible only between awaits. */
  readonly signal: AbortSignal;
  /** The same for synchronous loops: one read of shared memory, cheap enough for every row of pixels. */
  cancelled(): boolean;
  /** Sends anything cloneable to the job's `onProgress`. */
  report(progress: unknown): void;
}

/** An output whose buffers are moved to the main thread instead of copied. */
export class Moved<Output> {
  readonly output: Output;
  readonly transfer: readonly Transferable[];

  constructor(output: Output, transfer: readonly Transferable[]) {
    this.output = output;
    this.transfer = transfer;
  }
}

/** A handler's result whose buffers are moved to the main thread instead of copied. */
export const withTransfer = <Output>(output: Output, transfer: readonly Transferable[]): Moved<Output> =>
  new Moved(output, transfer);

type Handled<Output> = Output | Moved<Output>;

/** The handlers of a worker script: one for each kind of its table. */
export type JobHandlers<Jobs extends JobTable> = {
  readonly [Kind in keyof Jobs]: (
    input: Jobs[Kind]['input'],
    context: JobContext,
  ) => Handled<Jobs[Kind]['output']> | Promise<Handled<Jobs[Kind]['output']>>;
};

/** What a worker script may have to do with the pool in addition to its jobs. */
export interface PoolLink {
  /** Makes a channel and passes one end to the pool's `onConnect`; the other is the result. */
  connect(): MessagePort;
  /** Calls the listener before each job, with what is attached to it. */
  onJob(listener: (attachment: unknown) => void): void;
  /** Calls the counter after each job, for the figures of its result; it counts from zero again. */
  countFigures(take: () => JobFigures): void;
}

/**
 * What a thread gets when it starts. `cancelFlag[0]` holds the id of the last cancelled job: a handler in a synchronous
 * loop cannot receive a message, but it can read shared memory. Ids only grow, so it needs no reset.
 */
export interface WorkerBoot {
  readonly cancelFlag: Int32Array<SharedArrayBuffer>;
  /** Above this a thread collects its garbage before it reports what it holds. */
  readonly maxWorkerBytes: number;
  readonly settings: unknown;
}

/** Main thread to worker. */
export type ToWorker =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly kind: string;
      readonly input: unknown;
      readonly attachment: unknown;
    }
  | { readonly type: 'cancel'; readonly id: number };

/** Worker to main thread; `heldBytes` is what the thread holds outside its JavaScript heap after the job. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** The other end of a channel that the thread wants to talk through. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | {
      readonly type: 'done';
      readonly id: number;
      readonly output: unknown;
      readonly heldBytes: number;
      readonly figures: JobFigures | undefined;
    }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError; readonly heldBytes: number };

/**
 * The whole of a worker script: runs the pool's jobs with these handlers. A function gets the pool's `settings` and may
 * load what it needs first; the thread counts as ready once it has returned.
 */
export async function serveJobs<Jobs extends JobTable>(
  handlers:
    | JobHandlers<Jobs>
    | ((settings: unknown, link: PoolLink) => JobHandlers<Jobs> | Promise<JobHandlers<Jobs>>),
): Promise<void> {
  if (parentPort === null) throw internal('not-a-worker', 'serveJobs() runs only in a worker of the pool.');
  const port = parentPort;
  const boot = workerData as WorkerBoot;
  let beginJob: (attachment: unknown) => void = () => {};
  let takeFigures: (() => JobFigures) | undefined;
  const table =
    typeof handlers === 'function'
      ? await handlers(boot.settings, { connect, onJob, countFigures })
      : handlers;
  // One job at a time, so one controller is enough.
  let current: { id: number; controller: AbortController } | undefined;

  port.on('message', (message: ToWorker) => {
    if (message.type === 'cancel') {
      if (current?.id === message.id) current.controller.abort(toStopped());
      return;
    }
    const controller = new AbortController();
    current = { id: message.id, controller };
    void answer(message, controller.signal);
  });
  post(port, { type: 'ready' });

  function onJob(listener: (attachment: unknown) => void): void {
    beginJob = listener;
  }

  function countFigures(take: () => JobFigures): void {
    takeFigures = take;
  }

  function connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    post(port, { type: 'connect', port: port2 }, [port2]);
    return port1;
  }

  async function answer(job: Extract<ToWorker, { type: 'run' }>, signal: AbortSignal): Promise<void> {
    const { id, kind, input, attachment } = job;
    try {
      beginJob(attachment);
      // What an aborted job read late does not count for the next one.
      takeFigures?.();
      const handler = Object.hasOwn(table, kind) ? table[kind as keyof Jobs] : undefined;
      if (handler === undefined) throw internal('unknown-job', `The worker has no handler for '${kind}'.`);
      const result = await handler(input as Jobs[keyof Jobs]['input'], {
        signal,
        cancelled: () => signal.aborted || Atomics.load(boot.cancelFlag, 0) === id,
        report: (progress) => post(port, { type: 'progress', id, progress }),
      });
      const { output, transfer } = result instanceof Moved ? result : { output: result, transfer: [] };
      const heldBytes = (await measureHeldBytes(boot.maxWorkerBytes)) - sumBytes(transfer);
      post(port, { type: 'done', id, output, heldBytes, figures: takeFigures?.() }, transfer);
    } catch (error) {
      // A result that cannot be cloned ends here too: postMessage throws before anything is sent.
      const heldBytes = await measureHeldBytes(boot.maxWorkerBytes);
      post(port, { type: 'failed', id, error: toWire(error), heldBytes });
    }
  }
}

const toStopped = () => cancelled('cancelled', 'The work was stopped: no one waits for it any more.');

function post(port: MessagePort, message: FromWorker, transfer: readonly Transferable[] = []): void {
  port.postMessage(message, transfer);
}

function sumBytes(transfer: readonly Transferable[]): number {
  return transfer.reduce((sum, item) => sum + (item instanceof ArrayBuffer ? item.byteLength : 0), 0);
}

/**
 * Bytes this thread holds outside its JavaScript heap: typed arrays, Buffers and WebAssembly memory. `external_memory`
 * is counted per thread and costs about 2 µs. It includes garbage that V8 has not collected yet (we saw several hundred
 * MB), so above the limit we collect first (about 20 ms) and count again: only memory that is really in use may get a
 * thread killed.
 */
async function measureHeldBytes(limitBytes: number): Promise<number> {
  const bytes = getHeapStatistics().external_memory;
  if (bytes <= limitBytes) return bytes;
  const session = new Session();
  session.connect();
  try {
    // The only way to force a collection without a start flag and without compiling code from a string.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  return getHeapStatistics().external_memory;
}

/*
 * Lets a thread give way to others where they want the same core. On Linux the call reaches the calling thread alone;
 * elsewhere it would slow down the whole process. A thread that gives way further already stays as it is: a service that
 * was started with `nice` keeps what its user wanted, and only root may raise a priority.
 */

/**
 * Lets the calling thread yield to others that want the same core. On Linux the call affects the calling thread alone;
 * elsewhere it would slow down the whole process, so nothing is done. A lower priority stays as it is: a service that was
 * started with `nice` keeps what its user wanted, and only root may raise a priority.
 */
export function lowerPriority(niceness: number): void {
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness);
}
