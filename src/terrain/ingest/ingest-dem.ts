import { isAbsolute } from 'node:path';
import { isSwathError } from '../../errors.ts';
import { toShownAddress } from '../../net/index.ts';
import type { DemFile } from '../dem.ts';
import { badInput } from '../errors.ts';
import type {
  DamagedFile,
  DemFileReport,
  DemReport,
  DemRun,
  IngestDemOptions,
  TakenItems,
} from './dem-run.ts';
import { toBrokenLine, toDemReport, toSkippedLines } from './dem-run.ts';
import type { DemSource } from './dem-source.ts';
import { findSource } from './find-source.ts';
import { nameModel, settleModel } from './settle-model.ts';
import { takeItems } from './take-items.ts';

/**
 * Takes an elevation model into the catalog, or more files into one. Another run changes nothing, or continues where one
 * was interrupted. A broken file is reported, and the others are still ingested.
 */
export async function ingestDem(options: IngestDemOptions): Promise<DemReport> {
  const run = await prepare(options);
  if (run === null) return toDemReport({ dem: null, lines: [], notes: [], stopped: true, failure: null });
  const taken = await takeItems(run);
  const gone = await handleGone(run, taken);
  const settled = await settleModel(run, taken, gone.pruned);
  const { dem, source } = run;
  const faults = source.faults.map(({ name, code, reason }) => toBrokenLine(name, { code, message: reason }));
  return toDemReport({
    dem,
    lines: [
      ...withDamage(taken, settled.damaged),
      ...gone.lines,
      ...faults,
      ...toSkippedLines(source.skipped),
    ],
    notes: [...gone.notes, ...settled.notes],
    stopped: settled.stopped,
    failure: settled.failure,
  });
}

/** The lines of the items; files whose damage was found later are broken, those of other sources too. */
function withDamage({ lines, found }: TakenItems, damaged: readonly DamagedFile[]): readonly DemFileReport[] {
  const broken = new Map(
    damaged.map(({ file, ...fault }) => {
      const name = found.get(file.href) ?? file.href;
      return [name, toBrokenLine(name, fault)] as const;
    }),
  );
  return [...lines.filter(({ file }) => !broken.has(file)), ...broken.values()];
}

/** Looks at the source and the catalog; null when it was stopped. */
async function prepare(options: IngestDemOptions): Promise<DemRun | null> {
  const { from, store, signal, name = null } = options;
  const source = await findSource(from, options, signal).catch((error: unknown) => {
    // After a stop, reading a list or a bucket fails in many ways.
    if (signal?.aborted || (isSwathError(error) && error.tag === 'cancelled')) return null;
    throw error;
  });
  if (source === null) return null;
  if (source.items.length === 0 && source.faults.length === 0) {
    throw badInput('no-dem', `There is no GeoTIFF and no pyramid of tiles in ${toShownAddress(from)}.`);
  }
  const dem = nameModel(source, name);
  const known = new Map<string, DemFile>();
  for await (const file of store.listFiles({ dem, overview: 0 })) known.set(file.href, file);
  return { options, source, dem, before: await store.find(dem), known };
}

interface Handled {
  readonly lines: readonly DemFileReport[];
  readonly notes: readonly string[];
  readonly pruned: readonly DemFile[];
}

/** Reports files of the catalog that are gone from the source, and removes them if the operator asks for it. */
async function handleGone(
  { options, source, known }: DemRun,
  { found, isAllFound, stopped }: TakenItems,
): Promise<Handled> {
  // A run that has not seen everything cannot know what is gone.
  const gone = stopped ? [] : findGone(known.values(), new Set(found.keys()), source.scope);
  if (gone.length === 0) return { lines: [], notes: [], pruned: [] };
  const isWhole = isAllFound && source.faults.length === 0;
  const isPruned = options.prune === true && isWhole;
  if (isPruned) await options.store.removeFiles(gone.map(({ id }) => id));
  return {
    lines: gone.map(({ href }) => ({ file: href, outcome: isPruned ? 'pruned' : 'gone' })),
    notes: isPruned ? [] : [toNote(gone.length, isWhole)],
    pruned: isPruned ? gone : [],
  };
}

function toNote(count: number, isWhole: boolean): string {
  const files = count === 1 ? '1 file of the model is' : `${count} files of the model are`;
  return isWhole
    ? `${files} no longer in the source; --prune takes out of the catalog what is gone.`
    : `${files} not found, but not all of the source could be read: nothing was taken out of the catalog.`;
}

/** Files of the model that belong to the source and were not found in it. */
export function findGone(
  known: Iterable<DemFile>,
  found: ReadonlySet<string>,
  scope: DemSource['scope'],
): readonly DemFile[] {
  const isInScope = toIsInScope(scope, found);
  return [...known].filter(({ href }) => !found.has(href) && isInScope(href));
}

function toIsInScope(scope: DemSource['scope'], found: ReadonlySet<string>): (href: string) => boolean {
  if (scope === 'none') return () => false;
  const below = scope === 'common-folder' ? commonFolder([...found]) : scope.below;
  if (below === null) return () => false;
  // Paths inside the data directory have nothing before them.
  if (below === '') return (href) => !isAbsolute(href) && !href.includes(':');
  return (href) => href.startsWith(below);
}

/** The deepest folder that all addresses lie in; null without any. */
function commonFolder(hrefs: readonly string[]): string | null {
  const [first] = hrefs;
  if (first === undefined) return null;
  let length = first.length;
  for (const href of hrefs) {
    while (!href.startsWith(first.slice(0, length))) length--;
  }
  const folder = first.slice(0, first.slice(0, length).lastIndexOf('/') + 1);
  // Addresses of several hosts have only the scheme in common.
  return /^[a-z0-9+.-]+:\/\/$/i.test(folder) ? null : folder;
}
