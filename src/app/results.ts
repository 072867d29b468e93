import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../adapters/store/index.ts';
import type { Finding } from '../cli/index.ts';
import { isUnavailable } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { BlobStore } from '../objects/index.ts';
import { openBlobs, readFolderId } from '../objects/index.ts';
import type { Config } from '../settings/index.ts';
import { toResultsFolder } from '../settings/index.ts';
import type { ResultPlace, TaskResult } from '../tasks/index.ts';
import { cleanUp, watchResultPlaces } from '../tasks/index.ts';
import { DAY_MS } from '../units.ts';
import { badInput } from './errors.ts';
import { toThreadFiles } from './files.ts';

type ResultsConfig = Pick<Config, 'dataDir' | 'results'>;

/** The place of results as people name it. */
export const toPlace = ({ dataDir, results }: ResultsConfig): string => results ?? join(dataDir, 'results');

/** Opens the store of results that the settings name. */
export function openResults(config: Config): BlobStore {
  const folder = toResultsFolder(config.results);
  return openBlobs({
    ...toThreadFiles(config),
    bucketHref: folder === null ? config.results : null,
    folder,
  });
}

/**
 * Refuses a folder of the settings that is not there or cannot be written: Swath does not make it, because a disk that is
 * not mounted would be replaced by an empty folder of this machine. A symbolic link is followed, as in SWATH_SOURCES: the
 * operator has named it.
 */
export async function checkResultsFolder({ results }: Pick<Config, 'results'>): Promise<void> {
  const folder = toResultsFolder(results);
  const problem = folder === null ? null : await findFolderProblem(folder);
  if (problem !== null) throw badInput('results-folder', `SWATH_RESULTS names ${folder}, ${problem}`);
}

async function findFolderProblem(path: string): Promise<string | null> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (facts instanceof Error) {
    if (facts.code !== 'ENOENT') return `which cannot be read (${facts.code}).`;
    return 'which does not exist. Make it, or mount its disk.';
  }
  if (!facts.isDirectory()) return 'which is a file, not a folder.';
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => `which cannot be read and written by the user of Swath (${code}).`,
  );
}

/** Says, at the start and later, when processes of one database store results apart. */
export function watchOtherResults({
  config,
  blobs,
  store,
  log,
  parts,
}: {
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly store: Pick<Store, 'resultPlaces'>;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}): void {
  // The database and the results lie in one data directory: its processes cannot store them apart, and a service that
  // nobody has used yet writes nothing.
  if (config.databaseUrl === null && config.results === null) return;
  const watch = watchResultPlaces({
    store: store.resultPlaces,
    node: `${hostname()} ${process.pid}`,
    place: toPlace(config),
    readStoreId: blobs.identify,
    onApart: (own, other) =>
      log.warn(
        { place: own.place, other_node: other.node, other_place: other.place },
        toApartSentence(own, other),
      ),
    onFailure(error) {
      // A failing store is logged where it is noticed.
      if (!isUnavailable(error)) log.warn({ err: error }, 'the place of results could not be recorded');
    },
  });
  parts.defer(() => watch.stop());
}

const toApartSentence = (own: Omit<ResultPlace, 'storeId'>, other: ResultPlace): string =>
  `nodes of this database do not share their results: this one (${own.node}) stores them in ${own.place}, ${other.node} in ${other.place}. Each answers 503 for files of the other; set SWATH_RESULTS to one folder or bucket that all of them reach`;

/** What `swath doctor` says about results: where these settings store them, and where running processes do. */
export async function describeResults(
  { dataDir, results }: ResultsConfig,
  running: readonly ResultPlace[],
): Promise<readonly Finding[]> {
  const place = toPlace({ dataDir, results });
  const folder = toResultsFolder(results);
  const problem = folder === null ? null : await findFolderProblem(folder);
  if (problem !== null) return [{ name: 'Place', value: `${place}, ${problem}`, ok: false }];
  // A bucket is known by its name; a folder has an id as soon as a server has used it.
  const own =
    results === null || folder !== null ? await readFolderId(place).catch(() => null) : toBucketId(results);
  return [
    { name: 'Place', value: place, ok: true },
    ...running.map(({ node, place: other, storeId }) => ({
      name: 'Running node',
      value:
        storeId === own
          ? `${node} shares it`
          : `${node} stores results in ${other}, apart from this place: set SWATH_RESULTS to one folder or bucket for all nodes`,
      ok: storeId === own,
    })),
  ];
}

/** As a bucket's store identifies itself. */
const toBucketId = (href: string): string => `${href.replace(/\/$/, '')}/`;

/** `swath tasks prune`: removes old tasks with their results, and results without a task. */
export async function cleanUpTasks(
  { days, owner }: { readonly days: number | null; readonly owner: string | null },
  { config, store }: { readonly config: Config; readonly store: Pick<Store, 'tasks'> },
) {
  const blobs = openResults(config);
  const discard = async (result: TaskResult): Promise<void> => {
    if (result.kind === 'file') await blobs.remove(result.blobKey);
  };
  const kind = { run: () => Promise.reject(new Error('not run here')), discard };
  // A minute ahead for `--days 0`, because the clock of the database differs a little from ours.
  const endedBefore = new Date(Date.now() + 60_000 - (days ?? config.resultDays) * DAY_MS).toISOString();
  const { tasks, orphans } = await cleanUp(
    { store: store.tasks, blobs, kinds: { bands: kind, index: kind, picture: kind } },
    { endedBefore, owner: owner ?? undefined },
  );
  return { tasks, orphans };
}
