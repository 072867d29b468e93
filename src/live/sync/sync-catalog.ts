/** Mirrors a part of a live catalog into the store: window by window, resumable, and only what has changed. */
import { hash } from 'node:crypto';
import type { Clock } from '../../async/index.ts';
import { makeGate } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { IngestReport, ProductReport } from '../../ingest/index.ts';
import { STAC_VERSION, toReport } from '../../ingest/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { makeCatalogClient } from '../catalog-client.ts';
import { openCatalogDoor } from '../catalog-door.ts';
import { toItemRules } from '../item-rules.ts';
import type { LiveCatalog } from '../live-catalog.ts';
import { openUnwatched } from '../open-unwatched.ts';
import type { SyncNoteStore } from './sync-note-store.ts';
import type { SyncPlan, SyncWindow } from './sync-plan.ts';
import { listWindows, toSyncId } from './sync-plan.ts';
import { openSyncState } from './sync-state.ts';
import type { GoneScene, SyncStore } from './sync-window.ts';
import { syncWindow } from './sync-window.ts';
import { makeWindowItems } from './window-items.ts';

/** Options of a sync. */
export interface SyncOptions {
  readonly catalog: LiveCatalog;
  readonly plan: SyncPlan;
  readonly store: SyncStore;
  /** Opens the files of scenes, in the same way as the service later. */
  readonly open: OpenSource;
  readonly dataDir: string;
  /** Where the sync remembers its runs. */
  readonly notes: SyncNoteStore;
  readonly userAgent?: string;
  /** Takes at most so many new and changed scenes; the next run continues. */
  readonly limit: number | null;
  /** Counts what would be done: reads no file, writes nothing. */
  readonly isDry: boolean;
  /** Removes scenes whose items are gone. */
  readonly prune: boolean;
  readonly now: () => Date;
  /** For tests: how requests wait. */
  readonly clock?: Clock;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Receives unexpected errors for the log; the item counts as broken. */
  readonly onBug?: (error: unknown, product: string) => void;
  readonly signal: AbortSignal;
}

/** How far a sync has come. */
export interface SyncProgress {
  readonly window: SyncWindow;
  /** Windows that this call has finished, and all that it has to; without those that the run had finished before. */
  readonly done: number;
  readonly total: number;
  /** Items looked at since the last window was finished, and how many there are; null if the catalog does not say. */
  readonly items: number;
  readonly itemsTotal: number | null;
  /** Scenes of the run so far. */
  readonly added: number;
  readonly replaced: number;
}

/** The result of a sync, as plain JSON. */
export interface SyncReport extends IngestReport {
  readonly catalog: string;
  readonly dryRun: boolean;
  /** When the run began; an earlier time than this call if it continued one that was interrupted. */
  readonly startedAt: string;
  readonly windows: {
    readonly total: number;
    /** By this call, and before it by the run that it continued. */
    readonly done: number;
    readonly doneBefore: number;
  };
  readonly gone: readonly GoneScene[];
  /** Whether --limit ended it. */
  readonly limited: boolean;
  /** Why the catalog could not be read to the end; null if it could. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** Headers read concurrently: a scene of Sentinel-2 has thirteen files. */
const HEADERS_AT_ONCE = 16;
/** A sync waits where a search would give up. */
const PATIENCE_MS = 300_000;

/** Runs a sync. A failure of the catalog ends it early, and so does the signal: what is done stays, and a run continues. */
export async function syncCatalog(options: SyncOptions): Promise<SyncReport> {
  const { catalog, plan, isDry, limit, signal, now } = options;
  const about = { catalog: catalog.name, url: catalog.url, ...plan };
  const state = await openSyncState({ store: options.notes, sync: toSyncId(catalog, plan), about }, now);
  const windows = listWindows(catalog, plan, now().toISOString().slice(0, 10));
  const rules = toRules(catalog);
  const lines: ProductReport[] = [];
  const gone: GoneScene[] = [];
  const count = { done: 0, doneBefore: 0, taken: 0, unchanged: 0, skipped: 0, added: 0, replaced: 0 };
  let current: { window: SyncWindow; items: number; itemsTotal: number | null } | null = null;
  const isEnough = (): boolean => limit !== null && count.taken >= limit;
  const tell = (): void => {
    if (current === null) return;
    const { added, replaced } = count;
    const total = windows.length - count.doneBefore;
    options.onProgress?.({ ...current, done: count.done, total, added, replaced });
  };
  const items = makeWindowItems({
    client: makePatientClient(options),
    plan,
    signal,
    onTotal(total) {
      if (current !== null) current.itemsTotal = (current.itemsTotal ?? 0) + total;
    },
    onBroken: (code, reason) =>
      void lines.push({ product: `item ${lines.length + 1}`, outcome: 'broken', code, reason }),
  });
  const doors = {
    open: openUnwatched(options.open),
    jp2Decoder: makeJp2Decoder(),
    gate: makeGate(HEADERS_AT_ONCE),
    signal,
  };

  let problem: SyncReport['problem'] = null;
  let [stopped, limited] = [false, false];
  try {
    if (!isDry) await state.noteRun(false);
    for (const window of windows) {
      const earlier = await state.readWindow(window);
      if (state.isResumed && earlier?.run === state.run) {
        count.doneBefore++;
        continue;
      }
      signal.throwIfAborted();
      current = { window, items: 0, itemsTotal: null };
      const result = await syncWindow(window, {
        ...toItemRules(catalog, options.dataDir),
        store: options.store,
        items,
        doors,
        earlier,
        rules,
        isDry,
        prune: options.prune,
        isEnough,
        now,
        signal,
        onBug: options.onBug,
        onTaken: () => void count.taken++,
        onLine(line) {
          lines.push(line);
          if (line.change !== undefined) count[line.change]++;
          if (current !== null) current.items++;
          tell();
        },
      });
      gone.push(...result.gone);
      count.unchanged += result.unchanged;
      count.skipped += result.skipped;
      limited = result.items === null;
      if (result.items === null) break;
      if (!isDry) await state.writeWindow(window, { run: state.run, rules, items: result.items });
      count.done++;
      current = { window, items: 0, itemsTotal: null };
      tell();
    }
    if (!isDry && !limited) await state.noteRun(true);
  } catch (error) {
    stopped = true;
    if (!signal.aborted) problem = toProblem(error);
  }
  const report = toReport(lines, stopped);
  return {
    ...report,
    totals: {
      ...report.totals,
      unchanged: report.totals.unchanged + count.unchanged,
      skipped: report.totals.skipped + count.skipped,
    },
    catalog: catalog.name,
    dryRun: isDry,
    startedAt: state.startedAt,
    windows: { total: windows.length, done: count.done, doneBefore: count.doneBefore },
    gone,
    limited,
    problem,
  };
}

/** The polite client, with more patience than a search has. */
function makePatientClient({ catalog, userAgent, clock }: SyncOptions) {
  const patient = { ...catalog, limits: { ...catalog.limits, deadlineMs: PATIENCE_MS } };
  const { fetch } = openCatalogDoor(patient, { userAgent, ...(clock === undefined ? {} : { clock }) });
  return makeCatalogClient(patient, fetch, clock?.sleep);
}

/** Changes when the same items would become other scenes. */
function toRules({ sources, collections }: LiveCatalog): string {
  const buckets = (sources.s3 ?? []).flatMap((store) => store.buckets);
  const whole = JSON.stringify([STAC_VERSION, sources.hosts ?? [], buckets, collections]);
  return hash('sha256', whole, 'hex').slice(0, 16);
}

/** Only the catalog may be down; a store that fails is an error of the command. */
function toProblem(error: unknown): NonNullable<SyncReport['problem']> {
  if (!isSwathError(error) || error.code !== 'catalog-unavailable') throw error;
  return { code: error.code, message: error.message };
}
