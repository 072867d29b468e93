import { isDeepStrictEqual } from 'node:util';
import { isSwathError } from '../../errors.ts';
import type { Dem, DemFile } from '../dems/dem.ts';
import { decideGaps } from './decide-gaps.ts';
import type { DemRun, TakenItems } from './dem-run.ts';
import { describeModel } from './describe-model.ts';
import { lastPart, parseCopernicusName } from './source/copernicus.ts';

interface Settled {
  readonly notes: readonly string[];
  readonly stopped: boolean;
}

/** Stores what is said of the model, if anything has changed, and has its overview mosaics made. */
export async function settleModel(
  run: DemRun,
  taken: TakenItems,
  pruned: readonly DemFile[],
): Promise<Settled> {
  const { options, before, known } = run;
  const { ingested, stopped } = taken;
  const files = new Map(known);
  for (const file of ingested) files.set(file.href, file);
  for (const { href } of pruned) files.delete(href);
  if (before === null && files.size === 0) return { notes: [], stopped };
  const { gaps, notes } = chooseGaps(run, taken, [...files.keys()]);
  const dem = describeModel(run, gaps);
  const isSame = before !== null && ingested.length === 0 && pruned.length === 0 && isSameModel(before, dem);
  if (!isSame) await options.store.putDem(dem);
  if (stopped || files.size === 0) return { notes, stopped };
  return { notes, stopped: !(await makeOverviews(run, isSame ? before : dem)) };
}

const isSameModel = (a: Dem, b: Dem): boolean =>
  a.order === b.order && a.gaps === b.gaps && a.attribution === b.attribution;

/** False when it was stopped. */
async function makeOverviews({ options }: DemRun, dem: Dem): Promise<boolean> {
  const { makeOverviews: make, signal, onOverviewProgress, store } = options;
  if (make === undefined) return true;
  try {
    const overviews = await make(dem, signal, (fraction) => onOverviewProgress?.(fraction));
    if (overviews !== null && !isDeepStrictEqual(overviews, dem.overviews)) {
      await store.putDem({ ...dem, overviews });
    }
    return true;
  } catch (error) {
    if (isSwathError(error) && error.tag === 'cancelled') return false;
    throw error;
  }
}

/** Whether there is sea between the files: by the operator, by the set itself, or as before. */
function chooseGaps(
  { options, source, before }: DemRun,
  { lines, stopped }: TakenItems,
  hrefs: readonly string[],
): { readonly gaps: Dem['gaps']; readonly notes: readonly string[] } {
  const brokenCount = lines.filter(({ outcome }) => outcome === 'broken').length;
  if (options.gaps === 'sea' && brokenCount > 0) {
    const which =
      brokenCount === 1
        ? '1 file could not be read: where it lies'
        : `${brokenCount} files could not be read: where they lie`;
    return { gaps: 'sea', notes: [`${which}, the model now has sea.`] };
  }
  if (options.gaps === 'sea' || options.gaps === 'unknown') return { gaps: options.gaps, notes: [] };
  const stays = before?.gaps ?? 'unknown';
  // A run that has not seen everything cannot tell what there is.
  if (stopped) return { gaps: stays, notes: [] };
  const tiles = hrefs.map((href) => parseCopernicusName(lastPart(href)));
  const { gaps, note } = decideGaps({ tiles, listed: source.tileList, brokenCount });
  const chosen = gaps ?? stays;
  return { gaps: chosen, notes: note === null || chosen === 'sea' ? [] : [note] };
}
