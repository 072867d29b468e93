import { makeGate } from '../../async/index.ts';
import { isSwathError, withSubject } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { DemFile } from '../dems/dem.ts';
import { DEM_FILES } from '../dems/dem-subject.ts';
import type { DemFileReport } from './dem-report.ts';
import { toBrokenLine } from './dem-report.ts';
import type { DemRun, TakenItems } from './dem-run.ts';
import { describeModel } from './describe-model.ts';
import { isDamage } from './record/check-dem-file.ts';
import type { FoundItem } from './source/dem-source.ts';
import type { TakeDeps } from './take-item.ts';
import { takeItem, toItemHref } from './take-item.ts';

/** Records that are put together: after a crash at most so many headers are read again. */
const BATCH = 64;
/** Headers read concurrently, as many as a store is asked at a time. */
const HEADERS_AT_ONCE = 16;

/** An item on its way into the catalog; null when the run was stopped. */
type Step = {
  readonly line: DemFileReport;
  /** A new or changed record. */
  readonly file?: DemFile;
  /** A record that no longer holds: its file is damaged. */
  readonly dropped?: DemFile;
} | null;

/** Reads the items of the source, and puts records in batches. */
export async function takeItems(run: DemRun): Promise<TakenItems> {
  const { options, source, before } = run;
  const { store, signal, onProgress } = options;
  const lines: DemFileReport[] = [];
  const found = { hrefs: new Map<string, string>(), isAll: true };
  const ingested: DemFile[] = [];
  const dropped: DemFile[] = [];
  const take = makeTake(run, found);
  const gate = makeGate(HEADERS_AT_ONCE);
  for (let start = 0; start < source.items.length && !signal?.aborted; start += BATCH) {
    const batch = source.items.slice(start, start + BATCH);
    const steps = await Promise.all(batch.map((item) => gate.run(() => take(item))));
    const files = steps.flatMap((step) => step?.file ?? []);
    // Files need their model. Whether there is sea between them is known when all of them are.
    const isFirst = before === null && ingested.length === 0;
    if (files.length > 0 && isFirst) await store.putDem(describeModel(run, 'unknown'));
    if (files.length > 0) await store.putFiles(files);
    ingested.push(...files);
    const gone = steps.flatMap((step) => step?.dropped ?? []);
    if (gone.length > 0) await store.removeFiles(gone.map(({ id }) => id));
    dropped.push(...gone);
    lines.push(...steps.flatMap((step) => step?.line ?? []));
    onProgress?.({ done: lines.length, total: source.items.length });
  }
  const stopped = lines.length < source.items.length;
  return { lines, found: found.hrefs, isAllFound: found.isAll, dropped, ingested, stopped };
}

/** Builds the reading of one item, which never throws. */
function makeTake(
  run: DemRun,
  found: { readonly hrefs: Map<string, string>; isAll: boolean },
): (item: FoundItem) => Promise<Step> {
  const { options, known } = run;
  const { signal, onBug, checkFile } = options;
  const deps = toTakeDeps(run);
  const tryHref = (item: FoundItem): string => {
    try {
      return toItemHref(item, options);
    } catch (error) {
      found.isAll = false;
      throw error;
    }
  };
  const take = async (item: FoundItem): Promise<Step> => {
    const { name } = item;
    const href = tryHref(item);
    if (found.hrefs.has(href)) return { line: { file: name, outcome: 'skipped', ...DUPLICATE } };
    found.hrefs.set(href, name);
    const stored = known.get(href) ?? null;
    const read = async (): Promise<DemFile | null> => {
      const file = await takeItem(item, { href, known: stored, deps });
      if (file !== null) await checkFile?.(file, signal);
      return file;
    };
    const file = await read().catch((error: unknown) => {
      if (stored === null || !isDamage(error)) throw error;
      // The catalog has the file as it was; tiles would fail where it lies.
      return { line: toBrokenLine(name, withSubject(error, DEM_FILES)), dropped: stored };
    });
    if (file !== null && 'line' in file) return file;
    if (file === null) return { line: { file: name, outcome: 'unchanged' } };
    const change = stored === null ? 'added' : 'replaced';
    return { line: { file: name, outcome: 'ingested', change }, file };
  };
  return async (item) => {
    if (signal?.aborted) return null;
    try {
      return await take(item);
    } catch (error) {
      // After a stop, reading fails in many ways, and none is a fault of the file.
      if (signal?.aborted || (isSwathError(error) && error.tag === 'cancelled')) return null;
      if (isSwathError(error) && error.tag !== 'internal')
        return { line: toBrokenLine(item.name, withSubject(error, DEM_FILES)) };
      onBug?.(error, item.name);
      return { line: toBrokenLine(item.name, BUG) };
    }
  };
}

const DUPLICATE = { code: 'duplicate', reason: 'The same file is named twice.' } as const;
const BUG = { code: 'internal', message: 'An unexpected error occurred while it was read.' } as const;

function toTakeDeps({ options, dem }: DemRun): TakeDeps {
  const { open, signal, unit = null, bandIndex = null, nodata = null, bounds = null } = options;
  return {
    open,
    signal,
    dem,
    bounds,
    jp2Decoder: makeJp2Decoder(),
    heights: { unit, bandIndex: bandIndex ?? 0, nodata },
    isStated: unit !== null || bandIndex !== null || nodata !== null,
  };
}
