import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoPart, DemoSize, WorldJobs, WorldPartJob } from '../../world/index.ts';
import { lockDirectory, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { Scene, SceneStore } from '../catalog/index.ts';
import { cancelled, conflict, internal, isSwathError } from '../errors.ts';
import { ingestFolder } from '../ingest/index.ts';
import { makePool } from '../pool/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import type { DemStore } from '../terrain/index.ts';
import type { Config } from './config.ts';
import { takeDemoSoilMoisture } from './demo-soil-moisture.ts';
import { takeDemoTerrain } from './demo-terrain.ts';
import type { DemoWorkerSettings } from './demo-worker.ts';

interface MakeDemoDeps {
  readonly size: DemoSize;
  readonly config: Config;
  readonly scenes: SceneStore;
  readonly dems: DemStore;
  readonly onProgress: (fraction: number) => void;
  /** Told of each scene that the map can show now. */
  readonly onScene: (count: number) => void;
  readonly signal: AbortSignal;
  /** How far the threads give way to others of this machine, 0 to 19. */
  readonly niceness: number;
}

/** Where the demo's files lie, inside the data directory. */
export const DEMO_FOLDER = 'demo';
/** Tells in that folder that something is missing yet, and which set it is to become. */
const UNFINISHED = '.unfinished';
/** Parts of full size have the same names as their crops, so they lie in a folder of their own. */
const FULL_FOLDER = 'full';

/** Whether a file is one of the demo. */
export const isDemoFile = (href: string): boolean => href.startsWith(`${DEMO_FOLDER}/`);

/** Whether a scene is one of the demo. */
export const isOfDemo = ({ assets }: Pick<Scene, 'assets'>): boolean =>
  Object.values(assets).some(({ href }) => isDemoFile(href));

/** The set that a stopped run has left unfinished; null without one. */
export function findUnfinishedDemo(dataDir: string): DemoSize | null {
  try {
    const size = readFileSync(join(dataDir, DEMO_FOLDER, UNFINISHED), 'utf8').trim();
    return size === 'small' || size === 'standard' || size === 'full' ? size : null;
  } catch {
    return null;
  }
}

/** What a build says at its end. */
export const toReadyText = (scenes: number): string =>
  `The demo world is ready: ${scenes} ${scenes === 1 ? 'scene' : 'scenes'}.`;

/** Keeps others from making or removing the demo: two at once would sweep away each other's unfinished folders. */
export function lockDemo(dataDir: string): ReturnType<typeof lockDirectory> {
  const directory = join(dataDir, DEMO_FOLDER);
  prepareDirectory(directory);
  try {
    return lockDirectory(directory);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'store-locked') throw error;
    const message =
      'Another Swath makes or removes the demo of this data directory: wait for it, or stop it.';
    throw conflict('demo-busy', message, { cause: error });
  }
}

/** The largest part: a full scene's strips and surveys; most of a thread's memory is V8's own and not counted. */
const PART_BYTES = 128 * 2 ** 20;
/** A full-size scene takes minutes; a thread that takes an hour for one is stuck. */
const PART_TIMEOUT_MS = 3_600_000;
/** The landscape and the work on it, measured at 300 MB; far above it something leaks. */
const MAX_WORKER_BYTES = 1536 * 2 ** 20;

/** Makes what is missing of the demo world, with all cores, and takes its scenes, its terrain and its soil moisture in. */
export async function makeDemo(deps: MakeDemoDeps): Promise<void> {
  const { size, config, scenes, dems, onProgress, onScene, signal, niceness } = deps;
  const { dataDir } = config;
  // Loaded when a demo is made: a service that has its scenes does without the demo world.
  const { buildDemo, isScene } = await import('../../world/index.ts');
  // Loading the world takes a second. A service that is stopped during it starts no threads.
  signal.throwIfAborted();
  // One part is one thread's work.
  const threads = size === 'small' ? 1 : config.threads;
  const files = { dataDir, ...config.sources };
  const directory = join(dataDir, DEMO_FOLDER);
  onProgress(0);
  const lock = lockDemo(dataDir);
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
    await writeFile(join(directory, UNFINISHED), `${size}\n`);
    const { output: parts } = await pool.run('world-plan', size, ticket);
    // Seconds of work, and not needed when everything is there and only has to be taken in.
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
        if (part.kind === 'terrain') await takeDemoTerrain(folder, { config, dems, signal });
        if (part.kind === 'weather') await takeDemoSoilMoisture(folder, { config, signal });
        if (!isScene(part)) return;
        const report = await ingestFolder({
          path: folder,
          store: scenes,
          open: makeOpenSource(files),
          signal,
          provenance: 'demo',
          toHref: (path) => toFileHref(path, files),
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
    await rm(join(directory, UNFINISHED), { force: true });
  } finally {
    await pool.close({ drainMs: 0 });
    lock.release();
  }
}
