/** A worker script that fails at its start, in the way that its settings name. */
import { workerData } from 'node:worker_threads';
import { serveJobs } from '../index.ts';
import type { WorkerBoot } from '../serve-jobs.ts';

/** How a thread fails: before it is ready, soon after it was, or without ever being ready; or until a gate opens. */
export type StartFailure = 'not-starting' | 'short-lived' | 'silent' | Int32Array<SharedArrayBuffer>;

const failure = (workerData as WorkerBoot).settings as StartFailure;

if (failure === 'not-starting') throw new Error('This worker never starts.');
if (failure === 'silent') setInterval(() => {}, 1_000);
else {
  await serveJobs(() => {
    if (typeof failure !== 'string' && Atomics.load(failure, 0) === 0) throw new Error('Not yet.');
    return { echo: (input: unknown) => input };
  });
  if (failure === 'short-lived') setTimeout(() => process.exit(1), 20);
}
