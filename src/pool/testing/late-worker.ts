/** A worker script that fails to start until the word in its settings is set. */
import { serveJobs } from '../index.ts';

await serveJobs((settings) => {
  if (Atomics.load(settings as Int32Array<SharedArrayBuffer>, 0) === 0) throw new Error('Not yet.');
  return { echo: (input: unknown) => input };
});
