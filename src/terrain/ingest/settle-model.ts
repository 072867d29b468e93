import { isDeepStrictEqual } from 'node:util';
import { isSwathError } from '../../errors.ts';
import type { Dem, DemFile } from '../dem.ts';
import { parseDemName, toDemName } from '../dem.ts';
import { badInput } from '../errors.ts';
import { COPERNICUS_ATTRIBUTION, decideGaps, lastPart, parseCopernicusName } from './copernicus.ts';
import type { DamagedFile, DemRun, MadeOverviews, TakenItems } from './dem-run.ts';
import type { DemSource, FoundItem } from './dem-source.ts';

interface Settled {
  readonly notes: readonly string[];
  readonly stopped: boolean;
  /** Files whose damage was found while overview mosaics were made; they are no longer in the catalog. */
  readonly damaged: readonly DamagedFile[];
  /** Why overview mosaics could not be made; null if nothing went wrong. */
  readonly failure: Failure | null;
}

interface Failure {
  readonly code: string;
  readonly reason: string;
}

/** Stores the description of the model if it has changed, and makes its overview mosaics. */
export async function settleModel(
  run: DemRun,
  taken: TakenItems,
  pruned: readonly DemFile[],
): Promise<Settled> {
  const { store } = run.options;
  const files = new Map(run.known);
  for (const file of taken.ingested) files.set(file.href, file);
  const removed = [...pruned, ...taken.dropped];
  for (const { href } of removed) files.delete(href);
  const damaged: DamagedFile[] = [];
  for (;;) {
    const isOther = taken.ingested.length + removed.length + damaged.length > 0;
    const round = await settleOnce(run, { taken, files: [...files.keys()], isOther, damaged });
    if (round.damaged.length === 0) return { ...round, damaged };
    // Without them the mosaics can be made; each round has fewer files.
    await store.removeFiles(round.damaged.map(({ file }) => file.id));
    for (const { file } of round.damaged) files.delete(file.href);
    damaged.push(...round.damaged);
  }
}

interface Round {
  readonly taken: TakenItems;
  /** Addresses of the files that the model has. */
  readonly files: readonly string[];
  /** Whether they are other files than the catalog had. */
  readonly isOther: boolean;
  /** Files that earlier rounds found damaged. */
  readonly damaged: readonly DamagedFile[];
}

async function settleOnce(run: DemRun, { taken, files, isOther, damaged }: Round): Promise<Settled> {
  const { options, before } = run;
  const { stopped } = taken;
  if (before === null && files.length === 0 && damaged.length === 0)
    return { notes: [], stopped, damaged: [], failure: null };
  const { gaps, notes } = chooseGaps(run, taken, { hrefs: files, damagedCount: damaged.length });
  const dem = describeModel(run, gaps);
  const isSame = before !== null && !isOther && isSameModel(before, dem);
  if (!isSame) await options.store.putDem(dem);
  if (stopped || files.length === 0) return { notes, stopped, damaged: [], failure: null };
  return { notes, ...(await makeOverviews(run, isSame ? before : dem)) };
}

const isSameModel = (a: Dem, b: Dem): boolean =>
  a.order === b.order && a.gaps === b.gaps && a.attribution === b.attribution;

const NO_CHANGE: MadeOverviews = { overviews: null, damaged: [] };

/** The files are already in the catalog: an error here goes into the report and does not hide their outcomes. */
async function makeOverviews({ options }: DemRun, dem: Dem): Promise<Omit<Settled, 'notes'>> {
  const { makeOverviews: make, signal, onOverviewProgress, onBug, store } = options;
  try {
    const made = (await make?.(dem, signal, (fraction) => onOverviewProgress?.(fraction))) ?? NO_CHANGE;
    const { overviews, damaged } = made;
    if (damaged.length === 0 && overviews !== null && !isDeepStrictEqual(overviews, dem.overviews)) {
      await store.putDem({ ...dem, overviews });
    }
    return { stopped: false, damaged, failure: null };
  } catch (error) {
    if (!isSwathError(error)) throw error;
    if (error.tag === 'cancelled') return { stopped: true, damaged: [], failure: null };
    if (error.tag === 'internal') onBug?.(error, `overview mosaics of ${dem.name}`);
    return { stopped: false, damaged: [], failure: { code: error.code, reason: error.message } };
  }
}

interface ModelFiles {
  readonly hrefs: readonly string[];
  /** Files whose damage was found after they were taken. */
  readonly damagedCount: number;
}

/** Whether there is sea between the files: by the operator, by the set itself, or as before. */
function chooseGaps(
  { options, source, before }: DemRun,
  { lines, stopped }: TakenItems,
  { hrefs, damagedCount }: ModelFiles,
): { readonly gaps: Dem['gaps']; readonly notes: readonly string[] } {
  const brokenCount = lines.filter(({ outcome }) => outcome === 'broken').length + damagedCount;
  const stays = before?.gaps ?? 'unknown';
  if (options.gaps === 'sea') return { gaps: 'sea', notes: noteSea(brokenCount) };
  if (options.gaps === 'unknown') return { gaps: 'unknown', notes: [] };
  // A run that has not seen everything cannot know what is missing.
  if (stopped) return { gaps: stays, notes: [] };
  const tiles = hrefs.map((href) => parseCopernicusName(lastPart(href)));
  const { gaps, note } = decideGaps({ tiles, listed: source.tileList, brokenCount });
  const chosen = gaps ?? stays;
  if (chosen === 'sea') return { gaps: chosen, notes: noteSea(brokenCount) };
  return { gaps: chosen, notes: note === null ? [] : [note] };
}

function noteSea(brokenCount: number): readonly string[] {
  if (brokenCount === 0) return [];
  const which =
    brokenCount === 1
      ? '1 file could not be read: where it lies'
      : `${brokenCount} files could not be read: where they lie`;
  return [`${which}, the model now has sea.`];
}

/** The new description of the model: by the options, as before, or as the files require. */
export function describeModel({ options, source, dem, before }: DemRun, gaps: Dem['gaps']): Dem {
  const { order, attribution, now = () => new Date() } = options;
  const isCopernicus = source.items.some((item) => toTile(item) !== null);
  const asked = isCopernicus ? COPERNICUS_ATTRIBUTION : null;
  return {
    name: dem,
    order: order ?? before?.order ?? 0,
    gaps,
    attribution: attribution === undefined ? (before?.attribution ?? asked) : attribution,
    overviews: before?.overviews ?? [],
    ingestedAt: now().toISOString(),
  };
}

/** The tile that an item is by its name; null for any other. */
const toTile = (item: FoundItem): ReturnType<typeof parseCopernicusName> =>
  item.kind === 'image' ? parseCopernicusName(lastPart(item.address)) : null;

/** The name of the model: the operator's, that of the product if all files are its tiles, or that of the source. */
export function nameModel({ items, label }: DemSource, given: string | null): string {
  if (given !== null) return parseDemName(given);
  const products = new Set(items.map((item) => toTile(item)?.product ?? null));
  const [product] = products;
  if (products.size === 1 && product !== null && product !== undefined) return `copernicus-glo-${product}`;
  const name = toDemName(label);
  if (name !== null) return name;
  throw badInput('usage', 'The model needs a name: --name NAME.');
}
