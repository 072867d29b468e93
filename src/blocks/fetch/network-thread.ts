import type { MessagePort } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { toCancelled } from '../../async/index.ts';
import { fromWire } from '../../errors.ts';
import type { CallContext } from '../../pool/index.ts';
import { limitHeap } from '../../pool/index.ts';
import type { WindowRequest } from '../image-files.ts';
import type { Offer } from './offers.ts';
import type { FetchRequest, FromFetcher, ReadUse, RemoteFile, ToFetcher } from './protocol.ts';
import type { NetworkSettings } from './serve-fetches.ts';

/** The thread that reads remote files for all others, as the main thread sees it. */
export interface NetworkThread {
  /**
   * Brings what a job will read into memory. Rejects with the error that the job would have met. If the thread dies
   * meanwhile nothing is fetched, and the job reads for itself. With `onPart` files are offered as they complete, except
   * the last one.
   */
  fetch(
    request: Omit<FetchRequest, 'isInParts'>,
    signal?: AbortSignal,
    onPart?: (offer: Offer) => void,
  ): Promise<FetchedJob>;
  /** Lets a thread read through this one; while it is being replaced, that thread's requests wait. */
  connect(port: MessagePort, use: ReadUse): void;
  /** Prefetches; resolves when that is done or was skipped. */
  fetchAhead(windows: readonly WindowRequest[]): Promise<void>;
  /** Compiles the code of remote reads, so that the first one is as fast as any other. */
  warmUp(): void;
  /** Connects to the stores of these files, before one is requested. */
  openConnections(files: readonly RemoteFile[]): void;
  close(): Promise<void>;
}

/** What was fetched for a job. */
export interface FetchedJob {
  /** Goes with the job to its thread; null if nothing was fetched. */
  readonly offer: Offer | null;
  /** Must be called when the job is over. After a failure the files are opened again. */
  release(isFailed: boolean): void;
}

const NOTHING: FetchedJob = { offer: null, release: () => {} };

interface NetworkThreadOptions {
  /** A module that calls `serveFetches`. */
  readonly script: URL;
  readonly settings: NetworkSettings;
  readonly context?: CallContext | undefined;
  /** Called with its Node thread id when a thread has exited: its entries in shared memory are unclaimed now. */
  readonly onExit: (threadId: number) => void;
  /** Called when the thread died, or could not be started, and is being replaced. */
  readonly onCrash: (error: unknown) => void;
}

interface Waiting {
  readonly resolve: (fetched: FetchedJob) => void;
  readonly reject: (error: Error) => void;
  readonly onPart: ((offer: Offer) => void) | undefined;
}

/** The pause between two starts of a thread that dies at once. */
const RESTART_MS = 1_000;
/** Far more than it needs. V8 collects the heap of a thread with a low limit more often: with 512, five times in a second of reading. */
const HEAP_LIMIT_MB = 2048;
/** Answers arrive in pieces of 64 KiB, and a job has megabytes of them. */
const NEWEST_MB = 16;
/** How long the thread may take to write what waits for the disk. */
const CLOSE_MS = 2_000;

/** Starts the network thread, and a new one whenever it dies. */
export const startNetworkThread = (options: NetworkThreadOptions): NetworkThread =>
  new ReplacedThread(options);

/** A worker that is replaced when it dies; without one nothing is fetched, and threads that connect wait. */
class ReplacedThread implements NetworkThread {
  readonly #options: NetworkThreadOptions;
  readonly #fetches = new Map<number, Waiting>();
  /** Callers of `fetchAhead`. */
  readonly #prefetches = new Map<number, () => void>();
  /** Threads that connected while there was no worker. */
  readonly #early: { readonly port: MessagePort; readonly use: ReadUse }[] = [];
  /** Resolved when the worker has written its pending data or has exited, after `close`. */
  readonly #closed = Promise.withResolvers<void>();
  #worker: Worker | null = null;
  #startedMs = 0;
  #restart: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: NetworkThreadOptions) {
    this.#options = options;
    this.#start();
  }

  connect(port: MessagePort, use: ReadUse): void {
    if (this.#isClosed) port.close();
    else if (this.#worker === null) this.#early.push({ port, use });
    else this.#post({ type: 'connect', port, use }, [port]);
  }

  fetch(
    request: Omit<FetchRequest, 'isInParts'>,
    signal?: AbortSignal,
    onPart?: (offer: Offer) => void,
  ): Promise<FetchedJob> {
    if (signal?.aborted) return Promise.reject(toCancelled());
    if (this.#worker === null) return Promise.resolve(NOTHING);
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<FetchedJob>();
    const onAbort = (): void => {
      this.#fetches.delete(id);
      this.#post({ type: 'release', id, isFailed: false });
      reject(toCancelled());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#fetches.set(id, { resolve, reject, onPart });
    const { context } = this.#options;
    this.#post({
      type: 'fetch',
      id,
      ...request,
      isInParts: onPart !== undefined,
      ...(context && { context: context.take() }),
    });
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  fetchAhead(windows: readonly WindowRequest[]): Promise<void> {
    if (this.#worker === null || windows.length === 0) return Promise.resolve();
    this.#lastId += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#prefetches.set(this.#lastId, resolve);
    this.#post({ type: 'ahead', id: this.#lastId, windows });
    return promise;
  }

  warmUp(): void {
    this.#post({ type: 'warm-up' });
  }

  /** Bound: it is passed on by itself. */
  readonly openConnections = (files: readonly RemoteFile[]): void =>
    this.#post({ type: 'open-connections', files });

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    for (const { port } of this.#early.splice(0)) port.close();
    if (this.#worker === null) return;
    this.#post({ type: 'close' });
    const timer = setTimeout(this.#closed.resolve, CLOSE_MS);
    await this.#closed.promise;
    clearTimeout(timer);
    await this.#worker?.terminate();
  }

  #start(): void {
    this.#startedMs = performance.now();
    try {
      this.#worker = this.#startWorker();
    } catch (error) {
      // The constructor itself failed, e.g. for lack of operating system threads.
      this.#startLater(error);
      return;
    }
    for (const { port, use } of this.#early.splice(0)) this.connect(port, use);
  }

  #startLater(problem: unknown): void {
    this.#options.onCrash(problem);
    const delayMs = Math.max(0, RESTART_MS - (performance.now() - this.#startedMs));
    this.#restart = setTimeout(() => this.#start(), delayMs);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.script, {
      workerData: this.#options.settings,
      resourceLimits: limitHeap(HEAP_LIMIT_MB, NEWEST_MB),
    });
    const { threadId } = worker;
    let problem: unknown;
    worker.on('message', (message: FromFetcher) => this.#handle(message));
    worker.on('error', (error) => {
      problem = error;
    });
    worker.on('exit', () => {
      this.#options.onExit(threadId);
      this.#worker = null;
      for (const { resolve } of this.#fetches.values()) resolve(NOTHING);
      this.#fetches.clear();
      for (const resolve of this.#prefetches.values()) resolve();
      this.#prefetches.clear();
      if (this.#isClosed) this.#closed.resolve();
      else this.#startLater(problem);
    });
    return worker;
  }

  #handle(message: FromFetcher): void {
    switch (message.type) {
      case 'ready':
        break;
      case 'closed':
        this.#closed.resolve();
        break;
      case 'fetched-ahead':
        this.#prefetches.get(message.id)?.();
        this.#prefetches.delete(message.id);
        break;
      case 'fetched-part':
        this.#fetches.get(message.id)?.onPart?.(message.offer);
        break;
      case 'failed':
        this.#take(message.id)?.reject(fromWire(message.error));
        break;
      case 'fetched': {
        const { id, offer } = message;
        const release = (isFailed: boolean): void => this.#post({ type: 'release', id, isFailed });
        this.#take(id)?.resolve({ offer, release });
      }
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#fetches.get(id);
    this.#fetches.delete(id);
    return waiting;
  }

  #post(message: ToFetcher, transfer: readonly MessagePort[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }
}
