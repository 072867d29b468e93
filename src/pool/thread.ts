import type { MessagePort, ResourceLimits } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import type { SwathError } from '../errors.ts';
import { fromWire } from '../errors.ts';
import { internal, timedOut, tooLarge } from './errors.ts';
import type { JobFigures } from './job.ts';
import type { FromWorker, ToWorker, WorkerBoot } from './serve-jobs.ts';

/**
 * Memory for the newest objects of a thread. V8 lets it grow to 48 MB while code is loaded and keeps it; with 6 MB an idle
 * service is smaller by a fifth, and pixels are not in it.
 */
const NEWEST_MB = 6;

/**
 * The limits of a thread's memory for objects. A thread that reads megabytes at a time needs more for the newest ones:
 * what is still in use when it is full is copied, again and again.
 */
export const limitHeap = (heapLimitMb?: number, newestMb = NEWEST_MB): ResourceLimits => ({
  maxYoungGenerationSizeMb: newestMb,
  ...(heapLimitMb === undefined ? {} : { maxOldGenerationSizeMb: heapLimitMb }),
});

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
  | { readonly how: 'done'; readonly output: unknown; readonly figures: JobFigures | undefined }
  | { readonly how: 'failed' | 'timedOut' | 'cancelled' | 'refused'; readonly error: SwathError };

/** A job on its thread. */
export interface Assignment {
  readonly kind: string;
  readonly input: unknown;
  readonly attachment: unknown;
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly onProgress: (progress: unknown) => void;
  /** Called once, as soon as the outcome is known: at a timeout, before the work has stopped. */
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

interface Running {
  readonly id: number;
  readonly assignment: Assignment;
  /** The caller has its outcome; the work may go on for a moment. */
  settled: boolean;
  /** Of its time limit; once it is settled, of the grace period. */
  timer: NodeJS.Timeout;
}

/**
 * One worker thread and the job on it. It starts, is ready, runs one job after the other, and leaves: by itself, by a
 * crash, or because it is stopped. A job is settled as soon as its outcome is known, and stopped when the work has
 * ended, on a thread that has left when that has exited. All events go to `hooks`.
 */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #hooks: ThreadHooks;
  readonly #worker: Worker;
  /** Node resets the thread id when the thread exits. */
  readonly #threadId: number;
  readonly #cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  readonly #exit = Promise.withResolvers<void>();
  readonly #startTimer: NodeJS.Timeout;
  #running: Running | undefined;
  #lastId = 0;
  #jobsEnded = 0;
  #hasLeft = false;
  #isCheckingMemory = false;
  #fatal: unknown;

  constructor(options: ThreadOptions, hooks: ThreadHooks) {
    this.#options = options;
    this.#hooks = hooks;
    const { maxWorkerBytes, settings, startTimeoutMs, heapLimitMb } = options;
    const boot: WorkerBoot = { cancelFlag: this.#cancelFlag, maxWorkerBytes, settings };
    this.#worker = new Worker(options.script, {
      workerData: boot,
      resourceLimits: limitHeap(heapLimitMb),
    });
    this.#threadId = this.#worker.threadId;
    this.#startTimer = setTimeout(() => {
      const error = new Error(`The worker was not ready after ${startTimeoutMs} ms.`);
      this.#leave({ why: 'start-failed', error });
    }, startTimeoutMs);
    this.#worker.on('message', (message: FromWorker) => this.#handle(message));
    this.#worker.on('messageerror', (error) => {
      this.#fatal = error;
      this.#leave({ why: 'crashed', error });
    });
    this.#worker.on('error', (error) => {
      this.#fatal = error;
    });
    this.#worker.on('exit', (code) => this.#handleExit(code));
  }

  /** Resolves when the thread has exited. */
  get exited(): Promise<void> {
    return this.#exit.promise;
  }

  unref(): void {
    this.#worker.unref();
  }

  run(assignment: Assignment): void {
    const { kind, input, attachment, timeoutMs } = assignment;
    this.#lastId += 1;
    const id = this.#lastId;
    const timer = setTimeout(() => this.stop({ how: 'timedOut', error: toTimeout(timeoutMs) }), timeoutMs);
    this.#running = { id, assignment, settled: false, timer };
    try {
      this.#worker.postMessage({ type: 'run', id, kind, input, attachment } satisfies ToWorker);
    } catch (cause) {
      const error = internal('bad-job', `The input of '${kind}' cannot be sent to a worker.`, { cause });
      this.#settle({ how: 'failed', error });
      this.#endRun();
      this.#hooks.onIdle();
    }
  }

  /** Settles the running job at once and stops the work: by signal, then after the grace period by force. */
  stop(outcome: Outcome): void {
    const running = this.#running;
    if (running === undefined || running.settled) return;
    const { id } = running;
    this.#settle(outcome);
    clearTimeout(running.timer);
    running.timer = setTimeout(() => this.#leave({ why: 'hung' }), this.#options.graceMs);
    Atomics.store(this.#cancelFlag, 0, id);
    this.#worker.postMessage({ type: 'cancel', id } satisfies ToWorker);
  }

  /** Kills the thread if its job has taken far more memory than was reserved for it. */
  async watchMemory(): Promise<void> {
    const watched = this.#running;
    if (watched === undefined || this.#isCheckingMemory || this.#hasLeft) return;
    this.#isCheckingMemory = true;
    // Works by interrupt, so it also answers from an endless loop. It fails only when the thread has just exited, and
    // then the exit event handles it.
    const heap = await this.#worker.getHeapStatistics().catch(() => undefined);
    this.#isCheckingMemory = false;
    if (heap === undefined || this.#running !== watched) return;
    const limitBytes = watched.assignment.bytes + this.#options.runawayBytes;
    if (heap.external_memory + heap.used_heap_size <= limitBytes) return;
    this.#settle({ how: 'failed', error: toOutOfMemory(limitBytes / 2 ** 20) });
    this.#leave({ why: 'runaway' });
  }

  /** Settles the running job and ends the thread. */
  kill(outcome: Outcome): void {
    this.#settle(outcome);
    this.#leave({ why: 'closed' });
  }

  #handle(message: FromWorker): void {
    if (message.type === 'connect') this.#options.onConnect(message.port);
    else if (message.type === 'ready') this.#handleReady();
    else this.#handleReport(message);
  }

  #handleReady(): void {
    if (this.#hasLeft) return;
    clearTimeout(this.#startTimer);
    this.#hooks.onReady();
  }

  #handleReport(message: Exclude<FromWorker, { type: 'connect' | 'ready' }>): void {
    const running = this.#running;
    if (message.id !== running?.id) return;
    if (message.type === 'progress') {
      if (!running.settled) running.assignment.onProgress(message.progress);
      return;
    }
    if (message.type === 'done') {
      const { output, figures } = message;
      this.#settle({ how: 'done', output, figures });
    } else this.#settle({ how: 'failed', error: fromWire(message.error) });
    this.#endRun();
    if (message.heldBytes > this.#options.maxWorkerBytes) this.#leave({ why: 'recycled' });
    if (!this.#hasLeft) this.#hooks.onIdle();
  }

  #handleExit(code: number): void {
    this.#options.onThreadExit(this.#threadId);
    this.#fatal ??= new Error(`The worker exited with code ${code}.`);
    // A thread that exits without ever finishing a job counts as a failed start.
    const why = this.#running === undefined && this.#jobsEnded === 0 ? 'start-failed' : 'crashed';
    this.#settle({ how: 'failed', error: toCrashError(this.#fatal, this.#options.heapLimitMb) });
    this.#endRun();
    this.#leave({ why, error: this.#fatal });
    this.#exit.resolve();
  }

  #settle(outcome: Outcome): void {
    if (this.#running === undefined || this.#running.settled) return;
    this.#running.settled = true;
    this.#running.assignment.onSettled(outcome);
  }

  #endRun(): void {
    if (this.#running === undefined) return;
    clearTimeout(this.#running.timer);
    const { assignment } = this.#running;
    this.#running = undefined;
    this.#jobsEnded += 1;
    assignment.onStopped();
  }

  /** From here on the thread accepts no work. A job that still runs has stopped for good once the thread has exited. */
  #leave(end: ThreadEnd): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    clearTimeout(this.#startTimer);
    void this.#worker.terminate();
    this.#hooks.onGone(end);
  }
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
