import type { DemFile } from '../dems/dem.ts';
import type { DemFileReport } from './dem-report.ts';
import type { DemRun, TakenItems } from './dem-run.ts';
import { findGone } from './source/find-gone.ts';

interface Handled {
  readonly lines: readonly DemFileReport[];
  readonly notes: readonly string[];
  readonly pruned: readonly DemFile[];
}

/** Reports files of the catalog that are gone from the source, and takes them out if the operator says so. */
export async function handleGone(
  { options, source, known }: DemRun,
  { found, isAllFound, stopped }: TakenItems,
): Promise<Handled> {
  // A run that has not seen everything cannot tell what is gone.
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
