/**
 * What a sync remembers between its runs, as notes in the store: which run is under way, and for each window the items that
 * its last reading has found. A note that is missing or damaged costs a reading of its window, and never a scene.
 */
import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.ts';
import type { SyncNoteStore } from './sync-note-store.ts';
import type { SyncWindow } from './sync-plan.ts';

/** An item that was there when its window was last read. */
export interface SyncedItem {
  readonly collection: string;
  readonly id: string;
  /** When the catalog changed it last, by the item; null if it does not say. */
  readonly updated: string | null;
  /** Its scene; null if it cannot be one of ours. */
  readonly viewId: string | null;
}

/** A window that was read whole. */
export interface WindowState {
  /** The run that read it. */
  readonly run: string;
  /** By which rules items became scenes: with others they must be read again. */
  readonly rules: string;
  readonly items: readonly SyncedItem[];
}

/** The memory of a sync. */
export interface SyncState {
  /** The run that was interrupted, or a new one. */
  readonly run: string;
  readonly startedAt: string;
  readonly isResumed: boolean;
  readWindow(window: SyncWindow): Promise<WindowState | null>;
  writeWindow(window: SyncWindow, state: WindowState): Promise<void>;
  /** Notes that the run has begun, or that every window of it is read. */
  noteRun(isFinished: boolean): Promise<void>;
}

/** Bump when the notes get another form; notes of another one count as missing. */
const VERSION = 1;
const RUN_NOTE = 'run';

/** The notes of one sync. */
interface SyncNotes {
  readonly store: SyncNoteStore;
  /** The id of the sync. */
  readonly sync: string;
  /** What it mirrors, for people who look into the table. */
  readonly about: object;
}

/** Opens the memory; nothing is written before the first note. */
export async function openSyncState({ store, sync, about }: SyncNotes, now: () => Date): Promise<SyncState> {
  const read = async (name: string) => parseNote(await store.read(sync, name));
  const before = await read(RUN_NOTE);
  const isResumed =
    before !== null &&
    before.isFinished === false &&
    typeof before.run === 'string' &&
    typeof before.startedAt === 'string';
  const run = isResumed ? String(before.run) : randomUUID();
  const startedAt = isResumed ? String(before.startedAt) : now().toISOString();
  const write = (name: string, value: object): Promise<void> =>
    store.write(sync, name, JSON.stringify({ version: VERSION, ...value }));
  return {
    run,
    startedAt,
    isResumed,
    async readWindow(window) {
      const value = await read(toNoteName(window));
      return value === null ? null : toWindowState(value);
    },
    writeWindow: (window, { run: readBy, rules, items }) =>
      write(toNoteName(window), {
        run: readBy,
        rules,
        items: items.map(({ collection, id, updated, viewId }) => [collection, id, updated, viewId]),
      }),
    noteRun: (isFinished) => write(RUN_NOTE, { about, run, startedAt, isFinished }),
  };
}

/** Names of datasets are ours, and days have been checked. */
const toNoteName = ({ dataset, from }: SyncWindow): string => `${dataset}-${from.slice(0, 7)}`;

function parseNote(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.version === VERSION ? value : null;
  } catch {
    return null;
  }
}

function toWindowState({ run, rules, items }: Readonly<Record<string, unknown>>): WindowState | null {
  if (typeof run !== 'string' || typeof rules !== 'string' || !Array.isArray(items)) return null;
  const known = items.map(toSyncedItem);
  return known.every((item) => item !== null) ? { run, rules, items: known } : null;
}

function toSyncedItem(row: unknown): SyncedItem | null {
  const [collection, id, updated, viewId] = Array.isArray(row) ? (row as unknown[]) : [];
  const isTextOrNull = (value: unknown): value is string | null =>
    value === null || typeof value === 'string';
  if (typeof collection !== 'string' || typeof id !== 'string') return null;
  return isTextOrNull(updated) && isTextOrNull(viewId) ? { collection, id, updated, viewId } : null;
}
