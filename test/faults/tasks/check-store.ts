import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/app/open-store.ts';
import type { BlobStore } from '../../../src/objects/index.ts';
import { openBlobs } from '../../../src/objects/index.ts';
import { OPEN_STATES } from '../../../src/tasks/index.ts';
import { sweepOrphans } from '../../../src/tasks/tasks.ts';

/** What is left after a run and a sweep, read from the store itself; one line for each thing that must not be. */
export async function checkStore(
  dataDir: string,
  databaseUrl: string | null,
  blobs: BlobStore = openBlobs({ dataDir, bucketHref: null }),
): Promise<readonly string[]> {
  const store = await openStore({ dataDir, databaseUrl });
  const faults: string[] = [];
  try {
    await sweepOrphans({ store: store.tasks, blobs }, { minAgeMs: 0, nowMs: Date.now() + 60_000 });
    await blobs.sweep({ olderThanMs: 0 });
    const stored = new Set<string>();
    for await (const { key } of blobs.list()) stored.add(key);
    const tasks = await store.tasks.list({ limit: 1_000_000 });
    for (const { id, state, result } of tasks) {
      if (OPEN_STATES.includes(state)) faults.push(`task ${id} is still ${state}`);
      if (result?.kind !== 'file') continue;
      const info = await blobs.stat(result.blobKey);
      if (info?.bytes !== result.bytes)
        faults.push(`the file of ${id} has ${info?.bytes} bytes, not ${result.bytes}`);
      stored.delete(result.blobKey);
    }
    for (const key of stored) faults.push(`the file ${key} belongs to no task`);
    const staging = join(dataDir, 'results', 'staging');
    const left = existsSync(staging) ? readdirSync(staging) : [];
    if (left.length > 0) faults.push(`unfinished files are left: ${left.join(', ')}`);
  } finally {
    await store.close();
  }
  return faults;
}
