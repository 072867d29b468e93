/** Swath's side of the comparison, as a program: `node hillshade.ts <elevation model> <result>`. */
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeBlockCache } from '../../src/blocks/cache/block-cache.ts';
import type { ShadeSettings } from './shade-worker.ts';

/** One comes from the top and one from the bottom of the image: until they meet they need none of the same blocks. */
const THREADS = ['top', 'bottom'] as const;
/** Three rows of blocks of 512 pixels for each thread, which are those that a strip touches, and some room. */
const CACHE_BYTES = 128 * 2 ** 20;

async function runThread(workerData: ShadeSettings): Promise<void> {
  const worker = new Worker(new URL('./shade-worker.ts', import.meta.url), { workerData });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  worker.on('error', reject);
  worker.on('exit', resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`a thread ended with ${code}`);
}

const [dem, result] = process.argv.slice(2) as [string, string];
const file = openSync(result, 'w');
const shared = {
  files: { dataDir: dirname(dem), folders: [] },
  blocks: makeBlockCache(CACHE_BYTES).handle,
  href: basename(dem),
  file,
  taken: new Int32Array(new SharedArrayBuffer(4)),
};
await Promise.all(THREADS.map((startsAt) => runThread({ ...shared, startsAt })));
closeSync(file);
