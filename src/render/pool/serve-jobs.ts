import type { MessagePort, Transferable } from 'node:worker_threads';
import { parentPort, workerData } from 'node:worker_threads';
import { cancelled, internal, toWire } from '../../errors.ts';
import { measureHeldBytes } from './held-bytes.ts';
import type { FromWorker, ToWorker, WorkerBoot } from './protocol.ts';

/** What a handler gets beside its input. */
export interface JobContext {
  /** Aborted when nobody wants the result any more; seen only between awaits. */
  readonly signal: AbortSignal;
  /** The same news for synchronous loops: one read of shared memory, cheap enough for every row of pixels. */
  cancelled(): boolean;
  /** Sends anything cloneable to the job's `onProgress`. */
  report(progress: unknown): void;
}

class Moved {
  readonly output: unknown;
  readonly transfer: readonly Transferable[];

  constructor(output: unknown, transfer: readonly Transferable[]) {
    this.output = output;
    this.transfer = transfer;
  }
}

/** A handler's result whose buffers are moved to the main thread instead of copied. */
export const withTransfer = (output: unknown, transfer: readonly Transferable[]): Moved =>
  new Moved(output, transfer);

/** Does one kind of job; a `never` input lets each handler name its own type. */
type JobHandler = (input: never, context: JobContext) => unknown;

/** The handlers of a worker script, by kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/**
 * The whole of a worker script: answers the pool's jobs with these handlers.
 * A function gets the pool's `settings` and may load what it needs first; the thread counts as ready after it.
 */
export async function serveJobs(
  handlers: JobHandlers | ((settings: unknown) => JobHandlers | Promise<JobHandlers>),
): Promise<void> {
  if (parentPort === null) throw internal('not-a-worker', 'serveJobs() runs only in a worker of the pool.');
  const port = parentPort;
  const boot = workerData as WorkerBoot;
  const table = typeof handlers === 'function' ? await handlers(boot.settings) : handlers;
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

  async function answer(job: Extract<ToWorker, { type: 'run' }>, signal: AbortSignal): Promise<void> {
    const { id, kind, input } = job;
    try {
      const handler = Object.hasOwn(table, kind) ? table[kind] : undefined;
      if (handler === undefined) throw internal('unknown-job', `No handler of the worker does '${kind}'.`);
      const result = await handler(input as never, {
        signal,
        cancelled: () => signal.aborted || Atomics.load(boot.cancelFlag, 0) === id,
        report: (progress) => post(port, { type: 'progress', id, progress }),
      });
      const { output, transfer } = result instanceof Moved ? result : { output: result, transfer: [] };
      const heldBytes = (await measureHeldBytes(boot.maxWorkerBytes)) - sumBytes(transfer);
      post(port, { type: 'done', id, output, heldBytes }, transfer);
    } catch (error) {
      // Also a result that cannot be cloned ends here: postMessage throws before anything is sent.
      const heldBytes = await measureHeldBytes(boot.maxWorkerBytes);
      post(port, { type: 'failed', id, error: toWire(error), heldBytes });
    }
  }
}

const toStopped = () => cancelled('cancelled', 'The work was stopped: nobody waits for it any more.');

function post(port: MessagePort, message: FromWorker, transfer: readonly Transferable[] = []): void {
  port.postMessage(message, transfer);
}

function sumBytes(transfer: readonly Transferable[]): number {
  return transfer.reduce((sum, item) => sum + (item instanceof ArrayBuffer ? item.byteLength : 0), 0);
}
