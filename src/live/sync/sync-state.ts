/**
 * What a sync remembers between its runs, in a folder of the data directory: which run is under way, and for each window
 * the items that its last reading has found. Files are written whole. One that is missing or damaged costs a reading of
 * its window, and never a scene.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, writeWholeFile } from '../../files/index.ts';
import { isObject } from '../../json.ts';
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

/** Bump when the files get another form; files of another one count as missing. */
const VERSION = 1;
const RUN_FILE = 'sync.json';

/** Opens the memory; nothing is written before the first note. `about` is for people who look into the folder. */
export async function openSyncState(folder: string, about: object, now: () => Date): Promise<SyncState> {
  const before = await readJson(join(folder, RUN_FILE));
  const isResumed =
    before !== null &&
    before.isFinished === false &&
    typeof before.run === 'string' &&
    typeof before.startedAt === 'string';
  const run = isResumed ? String(before.run) : randomUUID();
  const startedAt = isResumed ? String(before.startedAt) : now().toISOString();
  const write = async (name: string, value: object): Promise<void> => {
    await mkdir(folder, { recursive: true });
    const bytes = new TextEncoder().encode(`${JSON.stringify({ version: VERSION, ...value })}\n`);
    await writeWholeFile(join(folder, name), (file) => file.write(bytes, 0));
  };
  return {
    run,
    startedAt,
    isResumed,
    async readWindow(window) {
      const value = await readJson(join(folder, toFileName(window)));
      return value === null ? null : toWindowState(value);
    },
    writeWindow: (window, { run: readBy, rules, items }) =>
      write(toFileName(window), {
        run: readBy,
        rules,
        items: items.map(({ collection, id, updated, viewId }) => [collection, id, updated, viewId]),
      }),
    noteRun: (isFinished) => write(RUN_FILE, { about, run, startedAt, isFinished }),
  };
}

/** Names of datasets are ours, and days have been checked. */
const toFileName = ({ dataset, from }: SyncWindow): string => `${dataset}-${from.slice(0, 7)}.json`;

async function readJson(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (typeof text !== 'string') return null;
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
