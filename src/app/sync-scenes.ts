import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store, StoreLock } from '../adapters/store/index.ts';
import { parseArea } from '../areas/index.ts';
import type { SyncCommand, Terminal } from '../cli/index.ts';
import { makeNoteBug, runSync } from '../cli/index.ts';
import { isSwathError } from '../errors.ts';
import { toSystemCode } from '../files/index.ts';
import type { AreaGeometry, Ring } from '../geo/index.ts';
import type { LiveCatalog, SyncPlan } from '../live/index.ts';
import { syncCatalog, toSyncId, toUserAgent } from '../live/index.ts';
import type { Config } from '../settings/index.ts';
import { withCatalog } from '../settings/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { badInput, conflict } from './errors.ts';
import { toHeaderCache } from './files.ts';
import { lockFolder, openStore } from './open-store.ts';
import { withStopSignal } from './stop-signals.ts';

interface SyncDeps {
  readonly config: Config;
  readonly version: string;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** Where syncs of this machine have their locks, a folder each. */
const SYNCS_FOLDER = 'syncs';

/** `swath sync`, put together; true when all of it was done. Ctrl-C ends it after the items at hand. */
export async function syncScenes(
  command: SyncCommand,
  { config: given, version, terminal, outputMode }: SyncDeps,
): Promise<boolean> {
  const { config, catalog } = withCatalog(given, command.catalog);
  const plan: SyncPlan = {
    area: await readArea(command.area),
    since: command.since,
    until: command.until,
    datasets: checkDatasets(command.datasets, catalog),
    maxCloudPercent: command.maxCloudPercent,
  };
  const now = (): Date => new Date();
  if (plan.since > now().toISOString().slice(0, 10))
    throw badInput('usage', `--since ${plan.since} is in the future.`);
  const { dataDir } = config;
  const id = toSyncId(catalog, plan);
  const lock = command.dryRun ? null : lockSync(join(dataDir, SYNCS_FOLDER, id));
  try {
    const store = await openStore(config);
    const shared = command.dryRun ? null : await lockAmongNodes(store, id);
    try {
      if (!given.liveCatalogs.some(({ name }) => name === catalog.name)) terminal.note(toAdvice(catalog));
      return await withStopSignal((signal) =>
        runSync(command, {
          terminal,
          outputMode,
          nowMs: () => performance.now(),
          sync: (onProgress) =>
            syncCatalog({
              catalog,
              plan,
              store: store.scenes,
              open: makeOpenSource({ dataDir, ...toHeaderCache(config), network: catalog.sources }),
              dataDir,
              notes: store.syncNotes,
              userAgent: toUserAgent(version, config.catalogContact),
              limit: command.limit,
              isDry: command.dryRun,
              prune: command.prune,
              now,
              onProgress,
              onBug: makeNoteBug(terminal),
              signal,
            }),
        }),
      );
    } finally {
      await shared?.release();
      await store.close();
    }
  } finally {
    lock?.release();
  }
}

const RUNNING = 'The same sync is running already: wait for it, or stop it.';

/** Two runs of one sync would overwrite what the other has noted. A killed run frees this lock of its machine. */
function lockSync(folder: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'store-locked') throw error;
    throw conflict('sync-running', RUNNING, { cause: error });
  }
}

/** The same among all nodes of a shared database; a killed run loses its connection, and with it the lock. */
async function lockAmongNodes(store: Store, id: string): Promise<StoreLock> {
  const lock = await store.tryLock(`sync ${id}`).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  if (lock !== null) return lock;
  await store.close();
  throw conflict('sync-running', RUNNING);
}

/** The server opens files by its own settings, which do not name this catalog. */
const toAdvice = ({ name }: LiveCatalog): string =>
  `SWATH_CATALOGS does not name ${name}. A server reads the files of these scenes only if it does, or if SWATH_SOURCES lists their hosts and buckets.`;

function checkDatasets(
  given: readonly string[],
  { name, collections }: LiveCatalog,
): readonly string[] | null {
  if (given.length === 0) return null;
  const known = [...new Set(collections.map(({ dataset }) => dataset))];
  const unknown = given.find((dataset) => !known.includes(dataset));
  if (unknown === undefined) return given;
  throw badInput(
    'usage',
    `The catalog ${name} does not have the dataset "${unknown.slice(0, 80)}". It has ${known.join(', ')}.`,
  );
}

/** Larger files are not areas: an area has at most 10,000 positions. */
const MAX_AREA_BYTES = 16 * 2 ** 20;

/** The area of a sync; what is wrong with it is said with the name of the option. */
async function readArea(stated: SyncCommand['area']): Promise<AreaGeometry> {
  if (stated.kind === 'box') return toBoxArea(stated.box);
  const { path } = stated;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = toSystemCode(error) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw badInput('usage', `--area: the file ${path} ${why}.`, { cause: error });
  });
  if (text.length > MAX_AREA_BYTES) throw badInput('usage', `--area: the file ${path} is too large.`);
  try {
    return parseArea(JSON.parse(text)).geometry;
  } catch (error) {
    if (error instanceof SyntaxError) throw badInput('usage', `--area: the file ${path} is not JSON.`);
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    throw badInput('usage', `--area: the file ${path} is not an area. ${error.message}`, { cause: error });
  }
}

/** The area of a box, in two parts if it crosses the antimeridian. */
function toBoxArea([west, south, east, north]: readonly [number, number, number, number]): AreaGeometry {
  const toRing = (from: number, to: number): Ring => [
    [from, south],
    [to, south],
    [to, north],
    [from, north],
    [from, south],
  ];
  return west < east
    ? { type: 'Polygon', coordinates: [toRing(west, east)] }
    : { type: 'MultiPolygon', coordinates: [[toRing(west, 180)], [toRing(-180, east)]] };
}
