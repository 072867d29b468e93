/**
 * A thread with a connection of its own. `node:sqlite` answers on the thread that asks: what reads much or waits for
 * a lock or the disk is done here, so that the service's thread never stands still.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toWire } from '../../errors.ts';
import { connectThread, explain } from './database.ts';
import type { Answer, Question } from './database-threads.ts';
import { makeOperations } from './operations.ts';

const { path } = workerData as { readonly path: string };
const database = connectThread(path);
const operations = makeOperations(database);

parentPort?.on('message', (question: Question | 'close') => {
  if (question === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(answer(question));
});

function answer({ id, name, args }: Question): Answer {
  try {
    const operation = operations[name] as (...values: readonly unknown[]) => unknown;
    return { id, result: operation(...args) };
  } catch (error) {
    return { id, error: toWire(explain(error, path)) };
  }
}
