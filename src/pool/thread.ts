import type { MessagePort } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import type { SwathError } from '../errors.ts';
import { fromWire, internal, timedOut, tooLarge } from '../errors.ts';
import type { FromWorker, ToWorker, WorkerBoot } from './protocol.ts';

/** How one thread is started and when it must end. */
export interface ThreadOptions {
  readonly script: URL;
  readonly settings: unknown;
  readonly heapLimitMb: number;
  readonly maxWorkerBytes: number;
  readonly runawayBytes: number;
  readonly graceMs: number;
  readonly startTimeoutMs: number;
  /** Called when a thread has exited, with its Node thread id: its entries in shared memory are unclaimed now. */
  readonly onThreadExit: (threadId: number) => void;
  /** Called with the end of a channel whose other end the thread has (`connect` of `serveJobs`). */
  readonly onConnect: (port: MessagePort) => void;
}

/** How a run ended, as its caller sees it. */
export type Outcome =
  | { readonly how: 'done'; readonly output: unknown }
  | { readonly how: 'failed' | 'timedOut' | 'cancelled' | 'refused'; readonly error: SwathError };

/** A job on its thread. */
export interface Assignment {
  readonly kind: string;
  readonly input: unknown;
  readonly attachment: unknown;
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly onProgress: (progress: unknown) => void;
  /** Called once, as soon as the caller can be told: at a timeout, before the work has stopped. */
  readonly onSettled: (outcome: Outcome) => void;
  /** Called once, when the work has really stopped and its memory is free. */
  readonly onStopped: () => void;
}

/** Why a thread accepts no more work. */
export interface ThreadEnd {
  readonly why: 'start-failed' | 'crashed' | 'hung' | 'runaway' | 'recycled' | 'closed';
  readonly error?: unknown;
}

/** What a thread reports to its owner; `onGone` comes when it can be replaced, which is before it has exited. */
export interface ThreadHooks {
  onReady(): void;
  onIdle(): void;
  onGone(end: ThreadEnd): void;
}

/** One worker thread and the job on it. */
export interface Thread {
  run(assignment: Assignment): void;
  /** Settles the running job at once and stops the work: by signal, then after the grace period by force. */
  stop(outcome: Outcome): void;
  /** Kills the thread if its job has taken far more memory than was reserved for it. */
  watchMemory(): Promise<void>;
  kill(outcome: Outcome): void;
  /** Resolves when the thread has exited. */
  readonly exited: Promise<void>;
  unref(): void;
}

interface Running {
  readonly id: number;
  readonly assignment: Assignment;
  settled: boolean;
  timer: NodeJS.Timeout;
}

/** Starts a worker thread and reports all its events through `hooks`. */
export function startThread(options: ThreadOptions, hooks: ThreadHooks): Thread {
  const { graceMs, maxWorkerBytes, settings, startTimeoutMs } = options;
  const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  const boot: WorkerBoot = { cancelFlag, maxWorkerBytes, settings };
  const worker = new Worker(options.script, {
    workerData: boot,
    resourceLimits: { maxOldGenerationSizeMb: options.heapLimitMb },
  });
  // Node resets the thread id when the thread exits.
  const { threadId } = worker;
  const { promise: exited, resolve: markExited } = Promise.withResolvers<void>();
  let running: Running | undefined;
  let lastId = 0;
  let jobsEnded = 0;
  let gone = false;
  let checkingMemory = false;
  let fatal: unknown;
  const startTimer = setTimeout(() => {
    leave({ why: 'start-failed', error: new Error(`The worker was not ready after ${startTimeoutMs} ms.`) });
  }, startTimeoutMs);

  worker.on('message', onMessage);
  worker.on('messageerror', (error) => {
    fatal = error;
    leave({ why: 'crashed', error });
  });
  worker.on('error', (error) => {
    fatal = error;
  });
  worker.on('exit', (code) => {
    options.onThreadExit(threadId);
    fatal ??= new Error(`The worker exited with code ${code}.`);
    // A thread that exits without ever finishing a job counts as a failed start.
    const why = running === undefined && jobsEnded === 0 ? 'start-failed' : 'crashed';
    settle({ how: 'failed', error: toCrashError(fatal, options.heapLimitMb) });
    endRun();
    leave({ why, error: fatal });
    markExited();
  });

  function onMessage(message: FromWorker): void {
    if (gone && message.type === 'ready') return;
    if (message.type === 'connect') {
      options.onConnect(message.port);
    } else if (message.type === 'ready') {
      clearTimeout(startTimer);
      hooks.onReady();
    } else if (message.id === running?.id) {
      if (message.type === 'progress') {
        if (!running.settled) running.assignment.onProgress(message.progress);
        return;
      }
      if (message.type === 'done') settle({ how: 'done', output: message.output });
      else settle({ how: 'failed', error: fromWire(message.error) });
      endRun();
      if (message.heldBytes > maxWorkerBytes) leave({ why: 'recycled' });
      if (!gone) hooks.onIdle();
    }
  }

  function settle(outcome: Outcome): void {
    if (running === undefined || running.settled) return;
    running.settled = true;
    running.assignment.onSettled(outcome);
  }

  function endRun(): void {
    if (running === undefined) return;
    clearTimeout(running.timer);
    const { assignment } = running;
    running = undefined;
    jobsEnded++;
    assignment.onStopped();
  }

  /** From here on the thread accepts no work. A job that still runs has stopped for good once the thread has exited. */
  function leave(end: ThreadEnd): void {
    if (gone) return;
    gone = true;
    clearTimeout(startTimer);
    void worker.terminate();
    hooks.onGone(end);
  }

  function stop(outcome: Outcome): void {
    if (running === undefined || running.settled) return;
    const { id } = running;
    settle(outcome);
    clearTimeout(running.timer);
    running.timer = setTimeout(() => leave({ why: 'hung' }), graceMs);
    Atomics.store(cancelFlag, 0, id);
    worker.postMessage({ type: 'cancel', id } satisfies ToWorker);
  }

  return {
    exited,
    unref: () => worker.unref(),
    stop,

    run(assignment) {
      const { kind, input, attachment, timeoutMs } = assignment;
      const id = ++lastId;
      const timer = setTimeout(() => stop({ how: 'timedOut', error: toTimeout(timeoutMs) }), timeoutMs);
      running = { id, assignment, settled: false, timer };
      try {
        worker.postMessage({ type: 'run', id, kind, input, attachment } satisfies ToWorker);
      } catch (cause) {
        const error = internal('bad-job', `The input of '${kind}' cannot be sent to a worker.`, { cause });
        settle({ how: 'failed', error });
        endRun();
        hooks.onIdle();
      }
    },

    async watchMemory() {
      const watched = running;
      if (watched === undefined || checkingMemory || gone) return;
      checkingMemory = true;
      // Works by interrupt, so it also answers from an endless loop. It fails only when the thread has just exited, and
      // then the exit event handles it.
      const heap = await worker.getHeapStatistics().catch(() => undefined);
      checkingMemory = false;
      if (heap === undefined || running !== watched) return;
      const limitBytes = watched.assignment.bytes + options.runawayBytes;
      if (heap.external_memory + heap.used_heap_size <= limitBytes) return;
      settle({ how: 'failed', error: toOutOfMemory(limitBytes / 2 ** 20) });
      leave({ why: 'runaway' });
    },

    kill(outcome) {
      settle(outcome);
      leave({ why: 'closed' });
    },
  };
}

const toTimeout = (timeoutMs: number): SwathError =>
  timedOut('render-timeout', `The render did not finish within ${timeoutMs / 1000} s.`, {
    details: { limitS: timeoutMs / 1000 },
  });

const toOutOfMemory = (limitMb: number, cause?: unknown): SwathError =>
  tooLarge(
    'worker-out-of-memory',
    `The render needed more memory than one worker may use (${Math.round(limitMb)} MB).`,
    { cause },
  );

function toCrashError(cause: unknown, heapLimitMb: number): SwathError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? toOutOfMemory(heapLimitMb, cause)
    : internal('worker-crashed', 'The worker stopped in the middle of this render.', { cause });
}
