// Starts the threads that read and write files for all others. They take the weight of the thread that starts them: here
// a tenth of that of the main thread and a third of that of pixel threads, so that what tasks write, gigabytes at times,
// does not hold up what tiles compute.
import { stat } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

// As `lowerPriority` of src/pool/serve-jobs.ts does, which an older Node that only gets a clear sentence could not load.
if (getPriority() < 10) setPriority(10);
stat('.', () => parentPort?.postMessage('started'));
