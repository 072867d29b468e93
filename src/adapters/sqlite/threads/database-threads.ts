import { Worker } from 'node:worker_threads';
import type { SwathError } from '../../../errors.ts';
import { fromWire } from '../../../errors.ts';
import { limitHeap } from '../../../pool/index.ts';
import { internal, tooBusy, unavailable } from '../../errors.ts';
import { sharedNowMs } from '../connection.ts';
import type { Answer, Operations, Question } from './operations.ts';

/** Calls an operation on a thread. */
export type Ask = <Name extends keyof Operations>(
  name: Name,
  ...args: Parameters<Operations[Name]>
) => Promise<ReturnType<Operations[Name]>>;

/** A thread that the first call starts, and the next call after its loss. */
interface DatabaseThread {
  readonly ask: Ask;
  /** Calls in flight. */
  load(): number;
  /** Ends the thread after all waiting calls. */
  close(): Promise<void>;
}

/** Max calls that wait for one thread; the hundredth would wait for seconds. */
const MAX_WAITING = 100;

/** Builds a thread on the database; it answers calls one by one, in order. `report` gets errors before the callers do. */
export function makeDatabaseThread(
  path: string,
  report: (error: SwathError) => SwathError = (error) => error,
): DatabaseThread {
  let worker: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, { resolve(value: never): void; reject(error: unknown): void }>();

  function start(): Worker {
    const started = new Worker(new URL('./database-thread.ts', import.meta.url), {
      workerData: { path },
      resourceLimits: limitHeap(),
    });
    let problem: unknown;
    started.on('message', (answer: Answer) => {
      const caller = waiting.get(answer.id);
      waiting.delete(answer.id);
      // During a close the process waits for the thread.
      if (waiting.size === 0 && !isClosed) started.unref();
      if ('error' in answer) caller?.reject(report(fromWire(answer.error)));
      else caller?.resolve(answer.result as never);
    });
    started.on('error', (error) => {
      problem = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const lost = internal('store-thread-lost', 'A database thread ended before it answered.', {
        cause: problem,
      });
      for (const { reject } of waiting.values()) reject(lost);
      waiting.clear();
    });
    // Only a call in flight keeps the process alive.
    started.unref();
    return started;
  }

  return {
    load: () => waiting.size,
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable('store-closed', 'The database was used after it was closed.'));
          return;
        }
        if (waiting.size >= MAX_WAITING) {
          reject(
            tooBusy('store-busy', 'Too many calls already wait for the database.', {
              details: { retryAfterS: 2 },
            }),
          );
          return;
        }
        worker ??= start();
        lastId += 1;
        const id = lastId;
        waiting.set(id, { resolve, reject });
        worker.ref();
        const question: Question = { id, name, args, askedMs: sharedNowMs() };
        worker.postMessage(question);
      }),
    async close() {
      isClosed = true;
      const ending = worker;
      if (ending === undefined) return;
      const exited = new Promise((resolve) => ending.once('exit', resolve));
      ending.ref();
      ending.postMessage('close');
      await exited;
    },
  };
}

/** Calls the thread with the shortest queue, so that a long search does not delay short ones. */
export function shareAmong(threads: readonly DatabaseThread[]): Ask {
  return (name, ...args) => {
    const [idlest] = [...threads].sort((a, b) => a.load() - b.load());
    return (idlest as DatabaseThread).ask(name, ...args);
  };
}
