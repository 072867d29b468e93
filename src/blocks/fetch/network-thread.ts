import type { MessagePort } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { toCancelled } from '../../async/index.ts';
import { fromWire } from '../../errors.ts';
import type { WindowRequest } from '../window-request.ts';
import type { Offer } from './offers.ts';
import type { FetchRequest, FromFetcher, ReadUse, RemoteFile, ToFetcher } from './protocol.ts';
import type { NetworkSettings } from './serve-fetches.ts';

/** The thread that reads remote files for all others, as the main thread sees it. */
export interface NetworkThread {
  /**
   * Brings what a job will read into memory. Rejects with what the job would have failed with. If the thread dies
   * meanwhile nothing is fetched, and the job reads for itself. With `onPart` files are offered as they come, until all
   * of them are there.
   */
  fetch(
    request: Omit<FetchRequest, 'isInParts'>,
    signal?: AbortSignal,
    onPart?: (offer: Offer) => void,
  ): Promise<FetchedJob>;
  /** Lets a thread read through this one; while it is being replaced, the questions of that thread wait. */
  connect(port: MessagePort, use: ReadUse): void;
  /** Reads what may be asked for next; resolves when that is done, or was not worth it. */
  fetchAhead(windows: readonly WindowRequest[]): Promise<void>;
  /** Makes the first read of a store as fast as any other. */
  warmUp(): void;
  /** Connects to the stores of these files, before one is asked for. */
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

/** Between two starts of a thread that dies at once. */
const RESTART_MS = 1_000;
/** Far more than it needs. V8 collects the heap of a thread with a low limit more often: with 512, five times in a second of reading. */
const HEAP_LIMIT_MB = 2048;
/** How long the thread may take to write what waits for the disk. */
const CLOSE_MS = 2_000;

/** Starts the network thread, and a new one whenever it dies. */
export function startNetworkThread(options: NetworkThreadOptions): NetworkThread {
  const waiting = new Map<number, Waiting>();
  const ahead = new Map<number, () => void>();
  /** Threads that asked while there was no network thread. */
  const early: { readonly port: MessagePort; readonly use: ReadUse }[] = [];
  const closed = Promise.withResolvers<void>();
  let lastId = 0;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let startedMs = 0;
  let worker: Worker | null = null;
  start();

  function start(): void {
    startedMs = performance.now();
    try {
      worker = startWorker();
    } catch (error) {
      // The constructor itself failed, e.g. for lack of operating system threads.
      startLater(error);
      return;
    }
    for (const { port, use } of early.splice(0)) connect(port, use);
  }

  function startLater(problem: unknown): void {
    options.onCrash(problem);
    retry = setTimeout(start, Math.max(0, RESTART_MS - (performance.now() - startedMs)));
  }

  function startWorker(): Worker {
    const started = new Worker(options.script, {
      workerData: options.settings,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    });
    const { threadId } = started;
    let problem: unknown;
    started.on('message', onMessage);
    started.on('error', (error) => {
      problem = error;
    });
    started.on('exit', () => {
      options.onExit(threadId);
      worker = null;
      for (const { resolve } of waiting.values()) resolve(NOTHING);
      waiting.clear();
      for (const resolve of ahead.values()) resolve();
      ahead.clear();
      if (isClosed) closed.resolve();
      else startLater(problem);
    });
    return started;
  }

  function onMessage(message: FromFetcher): void {
    if (message.type === 'ready') return;
    if (message.type === 'closed') {
      closed.resolve();
      return;
    }
    const { id } = message;
    if (message.type === 'fetched-ahead') {
      ahead.get(id)?.();
      ahead.delete(id);
      return;
    }
    const caller = waiting.get(id);
    if (message.type === 'fetched-part') {
      caller?.onPart?.(message.offer);
      return;
    }
    waiting.delete(id);
    if (message.type === 'failed') caller?.reject(fromWire(message.error));
    else {
      const { offer } = message;
      caller?.resolve({ offer, release: (isFailed) => tell({ type: 'release', id, isFailed }) });
    }
  }

  function tell(message: ToFetcher, transfer: readonly MessagePort[] = []): void {
    worker?.postMessage(message, transfer);
  }

  function connect(port: MessagePort, use: ReadUse): void {
    if (isClosed) port.close();
    else if (worker === null) early.push({ port, use });
    else tell({ type: 'connect', port, use }, [port]);
  }

  return {
    connect,

    fetch(request, signal, onPart) {
      if (signal?.aborted) return Promise.reject(toCancelled());
      if (worker === null) return Promise.resolve(NOTHING);
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<FetchedJob>();
      const onAbort = (): void => {
        waiting.delete(id);
        tell({ type: 'release', id, isFailed: false });
        reject(toCancelled());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(id, { resolve, reject, onPart });
      tell({ type: 'fetch', id, ...request, isInParts: onPart !== undefined });
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },

    fetchAhead(windows) {
      if (worker === null || windows.length === 0) return Promise.resolve();
      lastId += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      ahead.set(lastId, resolve);
      tell({ type: 'ahead', id: lastId, windows });
      return promise;
    },

    warmUp: () => tell({ type: 'warm-up' }),

    openConnections: (files) => tell({ type: 'open-connections', files }),

    async close() {
      isClosed = true;
      clearTimeout(retry);
      for (const { port } of early.splice(0)) port.close();
      if (worker === null) return;
      tell({ type: 'close' });
      const timer = setTimeout(closed.resolve, CLOSE_MS);
      await closed.promise;
      clearTimeout(timer);
      await worker?.terminate();
    },
  };
}
