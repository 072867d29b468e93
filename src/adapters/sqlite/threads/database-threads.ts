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

/** A thread that is started by the first call, and again after it was lost. */
interface DatabaseThread {
  readonly ask: Ask;
  /** How many answers are outstanding. */
  load(): number;
  /** Ends the thread after all calls that wait. */
  close(): Promise<void>;
}

/** Max calls that wait for one thread; the hundredth would wait for seconds. */
const MAX_WAITING = 100;

/** A thread on the database; questions are answered one by one, in order. `report` sees errors before the callers do. */
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
      // While it is being closed, the process waits for it.
      if (waiting.size === 0 && !isClosed) started.unref();
      if ('error' in answer) caller?.reject(report(fromWire(answer.error)));
      else caller?.resolve(answer.result as never);
    });
    started.on('error', (error) => {
      problem = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const lost = internal('store-thread-lost', 'A thread of the database has ended before it answered.', {
        cause: problem,
      });
      for (const { reject } of waiting.values()) reject(lost);
      waiting.clear();
    });
    // Only an outstanding answer holds the process open.
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
            tooBusy('store-busy', 'Too many calls wait for the database already.', {
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

/** Asks the thread with the shortest queue, so that a long search does not hold up short ones. */
export function shareAmong(threads: readonly DatabaseThread[]): Ask {
  return (name, ...args) => {
    const [idlest] = [...threads].sort((a, b) => a.load() - b.load());
    return (idlest as DatabaseThread).ask(name, ...args);
  };
}
