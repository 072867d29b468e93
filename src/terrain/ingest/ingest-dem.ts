import { badInput, isSwathError } from '../../errors.ts';
import { toShownAddress } from '../../net/index.ts';
import type { DemFile } from '../dems/dem.ts';
import type { DemFileReport, DemReport } from './dem-report.ts';
import { toBrokenLine, toDemReport, toSkippedLines } from './dem-report.ts';
import type { DamagedFile, DemRun, IngestDemOptions, TakenItems } from './dem-run.ts';
import { handleGone } from './handle-gone.ts';
import { settleModel } from './settle-model.ts';
import { findSource } from './source/find-source.ts';
import { nameModel } from './source/name-model.ts';
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
