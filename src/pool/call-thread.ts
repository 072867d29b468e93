import { Worker } from 'node:worker_threads';
import { unavailable } from '../errors.ts';
import type { Caller, CallHandlers } from './connect-calls.ts';
import { connectCalls } from './connect-calls.ts';
import type { JobTable } from './job.ts';

/** A thread that answers many calls at once: for work that waits for files and servers between its steps. */
export interface CallThread<Calls extends JobTable> extends Pick<Caller<Calls>, 'call'> {
  close(): Promise<void>;
}

interface CallThreadOptions<Own extends JobTable> {
  /** A module that calls `connectCalls` with its `parentPort`. */
  readonly script: URL;
  /** The `workerData` of the script. */
  readonly settings: unknown;
  /** What the thread may call on this side. */
  readonly handlers: CallHandlers<Own>;
  readonly heapLimitMb: number;
  /** Called when a thread has died; the next call starts another one. */
  readonly onDeath: (error: unknown) => void;
}

/** Builds the thread; the first call starts it, and the first after its death starts another one. */
export function makeCallThread<Own extends JobTable, Calls extends JobTable>({
  script,
  settings,
  handlers,
  heapLimitMb,
  onDeath,
}: CallThreadOptions<Own>): CallThread<Calls> {
  let running: { readonly worker: Worker; readonly caller: Caller<Calls> } | null = null;
  let isClosed = false;

  function start(): NonNullable<typeof running> {
    const worker = new Worker(script, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    const caller = connectCalls<Own, Calls>(worker, handlers);
    const started = { worker, caller };
    let cause: unknown = null;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (running === started) running = null;
      caller.fail(toLost(cause));
      if (!isClosed) onDeath(cause);
    });
    // Calls are made for requests, which hold the process open themselves.
    worker.unref();
    return started;
  }

  return {
    call(name, input, signal) {
      if (isClosed) return Promise.reject(toLost(null));
      running ??= start();
      return running.caller.call(name, input, signal);
    },
    async close() {
      isClosed = true;
      await running?.worker.terminate();
    },
  };
}

const toLost = (cause: unknown) =>
  unavailable('thread-lost', 'The thread ended before it answered; ask again in a moment.', { cause });
