import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DemoPart, DemoSize, WorldJobs, WorldPartJob } from '../../world/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { LockFolder } from '../cubes/index.ts';
import { ingestFolder } from '../ingest/index.ts';
import { openOwnFiles } from '../objects/index.ts';
import { makePool } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import type { DemStore } from '../terrain/index.ts';
import type { DemDoors } from './demo-data.ts';
import {
  beginDemo,
  DEMO_FOLDER,
  endDemo,
  lockDemo,
  takeDemoSoilMoisture,
  takeDemoTerrain,
} from './demo-data.ts';
import type { DemoWorkerSettings } from './demo-worker.ts';
import { cancelled, internal } from './errors.ts';

/** What makeDemo needs. */
export interface MakeDemoDeps {
  readonly size: DemoSize;
  readonly config: Pick<Config, 'dataDir' | 'sources' | 'cubes' | 'threads'>;
  readonly lockFolder: LockFolder;
  readonly demDoors: DemDoors;
  readonly scenes: SceneStore;
  readonly dems: DemStore;
  readonly onProgress: (fraction: number) => void;
  /** Called after each scene with the number of scenes that the map can show now. */
  readonly onScene: (count: number) => void;
  readonly signal: AbortSignal;
  /** Niceness of the threads, 0 to 19. */
  readonly niceness: number;
}

/** Folder of full-size parts, which have the same names as their crops. */
const FULL_FOLDER = 'full';

/** Memory for the largest part, the strips and surveys of a full scene. V8's own memory is not counted. */
const PART_BYTES = 128 * 2 ** 20;
/** A full-size scene takes minutes; a thread that takes an hour for one is stuck. */
const PART_TIMEOUT_MS = 3_600_000;
/** Far above the 300 MB that were measured: a thread that holds more leaks. */
const MAX_WORKER_BYTES = 1536 * 2 ** 20;

/** Makes the missing parts of the demo world on all cores, and ingests its scenes, terrain and soil moisture. */
export async function makeDemo(deps: MakeDemoDeps): Promise<void> {
  const { size, config, lockFolder, demDoors, scenes, dems, onProgress, onScene, signal, niceness } = deps;
  const { dataDir } = config;
  // Loaded when a demo is made: a service that has its scenes does without the demo world.
  const { buildDemo, isScene } = await import('../../world/index.ts');
  // Loading the world takes a second. A service that is stopped during it starts no threads.
  signal.throwIfAborted();
  // One part is one thread's work.
  const threads = size === 'small' ? 1 : config.threads;
  const files = { dataDir, ...config.sources };
  const directory = join(dataDir, DEMO_FOLDER);
  const own = openOwnFiles(config);
  const toHref = (path: string): string =>
    config.cubes === null
      ? toFileHref(path, files)
      : own.toHref(relative(dataDir, path).split(sep).join('/'));
  onProgress(0);
  const lock = lockDemo(dataDir, lockFolder);
  const pool = makePool<WorldJobs>({
    script: new URL('./demo-worker.ts', import.meta.url),
    settings: { niceness } satisfies DemoWorkerSettings,
    onThreadExit: () => {},
    threads,
    taskThreads: threads,
    budgetBytes: 2 * threads * PART_BYTES,
    maxWaiting: { tile: 1, task: 2 * threads },
    ownerShare: 1,
    maxWorkerBytes: MAX_WORKER_BYTES,
  });
  const ticket = {
    lane: 'task',
    owner: 'demo',
    bytes: PART_BYTES,
    timeoutMs: PART_TIMEOUT_MS,
    signal,
  } as const;
  try {
    await beginDemo(config, size);
    const { output: parts } = await pool.run('world-plan', size, ticket);
    // Made on demand: it takes seconds, and is not needed if all parts exist and only have to be ingested.
    type Base = WorldPartJob['base'];
    let ground: Promise<{ readonly output: Base }> | undefined;
    const findGround = () => (ground ??= pool.run('world-ground', null, ticket));
    let count = 0;
    await buildDemo<DemoPart>({
      directory: size === 'full' ? join(directory, FULL_FOLDER) : directory,
      parts,
      async make(part, folder) {
        const input: WorldPartJob = { part, folder, base: (await findGround()).output };
        await pool.run('world-part', input, ticket);
      },
      async take(part, folder) {
        // All nodes read the files where the catalog says they are.
        if (part.kind !== 'weather') await own.publishCopies(folder, signal);
        if (part.kind === 'terrain')
          await takeDemoTerrain(folder, { doors: { ...demDoors, toHref }, dems, signal });
        if (part.kind === 'weather') await takeDemoSoilMoisture(folder, { config, lockFolder, signal });
        if (!isScene(part)) return;
        const report = await ingestFolder({
          path: folder,
          store: scenes,
          open: makeOpenSource(files),
          signal,
          provenance: 'demo',
          toHref,
        });
        const [product] = report.products;
        if (product?.viewId === undefined) {
          if (signal.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
          const why = product?.reason ?? 'no product was found in it';
          throw internal('demo-not-ingested', `The demo's ${part.key} could not be ingested: ${why}`);
        }
        count += 1;
        onScene(count);
      },
      atOnce: threads,
      onProgress,
      signal,
    });
    await endDemo(config);
  } finally {
    await pool.close({ drainMs: 0 });
    lock.release();
  }
  // The bucket has them.
  if (config.cubes !== null) await rm(directory, { recursive: true, force: true });
}
