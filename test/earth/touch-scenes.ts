/**
 * A process that resolves scenes of a catalog and says what that costs it: memory after a garbage collection, known scenes,
 * and bytes of its folders. Its parent sends the entry of the catalog, and then lists of view ids. Needs `--expose-gc`.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeGate } from '../../src/async/index.ts';
import { geometryBounds } from '../../src/geo/index.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { LiveHere } from './live-here.ts';
import { openLiveHere } from './live-here.ts';

/** What the parent sends. */
export type TouchQuestion =
  | { readonly open: object; readonly knownScenes: number }
  | { readonly touch: readonly string[] }
  | { readonly close: true };

/** What it costs so far. */
export interface TouchAnswer {
  /** Scenes of the list that were found. */
  readonly found: number;
  readonly known: number;
  /** Objects. */
  readonly heapBytes: number;
  /** Buffers: those that wait to be written to disk, above all. */
  readonly bufferBytes: number;
  readonly rssBytes: number;
  /** Of the folders with headers and with answers. */
  readonly folderBytes: Readonly<Record<string, number>>;
}

const AT_ONCE = 16;
/** Memory and folders are at rest after so many equal measurements: other threads write and free, and may wait for their turn. */
const AT_REST = 6;
/** Smaller changes of memory are the measurement's own. */
const NOISE_BYTES = 64 * 1024;
/** One of so many scenes is read, which opens a file of its own: resolving reads one header for all files of a kind. */
const READ_EVERY = 5;
let live: LiveHere | null = null;

process.on('message', (question: TouchQuestion) => {
  answer(question).then(
    (reply) => process.connected && process.send?.(reply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function answer(question: TouchQuestion): Promise<TouchAnswer | null> {
  if ('open' in question) {
    live = openLiveHere([question.open], { SWATH_KNOWN_SCENES: String(question.knownScenes) });
    return null;
  }
  if (live === null) throw new Error('nothing is open');
  if ('close' in question) {
    await live[Symbol.asyncDispose]();
    process.disconnect();
    return null;
  }
  const { store, dataDir } = live;
  const gate = makeGate(AT_ONCE);
  const touched = await Promise.all(
    question.touch.map((viewId, i) => gate.run(() => touch(live!, viewId, i % READ_EVERY === 0))),
  );
  await settle(['remote-headers', 'catalog-answers', 'tile-cache'].map((name) => join(dataDir, name)));
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    found: touched.filter(Boolean).length,
    known: await store.knownScenes.count(),
    heapBytes: heapUsed,
    bufferBytes: external,
    rssBytes: rss,
    folderBytes: Object.fromEntries(
      ['remote-headers', 'catalog-answers'].map((name) => [name, sizeOf(join(dataDir, name))]),
    ),
  };
}

/** Whether the scene is there; reads a pixel in its middle. */
async function touch({ scenes, rendering }: LiveHere, viewId: string, isRead: boolean): Promise<boolean> {
  const scene = await scenes.findByViewId(viewId);
  if (scene === null || !isRead) return scene !== null;
  const sensor = sensorByDataset(scene.dataset);
  if (sensor === null) throw new Error(`${scene.dataset} is unknown`);
  const { west, south, east, north } = geometryBounds(scene.footprint);
  const point = { lon: (west + east) / 2, lat: (south + north) / 2 };
  const sceneName = viewId.slice(viewId.indexOf('/') + 1);
  const asked = { viewId, sceneName, sensor, bands: 'B04', calibrated: false, point };
  const [value] = await rendering.readPoint(asked, aTicket);
  return typeof value === 'number';
}

/**
 * Waits until memory no longer falls and no file of the folders changes: what was queued for the disk is written, a few
 * files a second on a busy machine, and freed buffers are given back.
 */
async function settle(folders: readonly string[]): Promise<void> {
  let last = { bytes: Number.POSITIVE_INFINITY, newestMs: 0 };
  let atRest = 0;
  await waitFor(
    () => {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      const now = { bytes: heapUsed + external, newestMs: Math.max(...folders.map(newestOf)) };
      const isAtRest = now.bytes > last.bytes - NOISE_BYTES && now.newestMs === last.newestMs;
      atRest = isAtRest ? atRest + 1 : 0;
      last = now;
      return atRest === AT_REST;
    },
    undefined,
    500,
  );
}

/** When a file of a folder was written last; files that are swept meanwhile do not count. */
function newestOf(folder: string): number {
  const { mtimeMs = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  const entries = mtimeMs === 0 ? [] : readdirSync(folder, { withFileTypes: true });
  return entries.reduce((newest, entry) => {
    const path = join(folder, entry.name);
    const ms = entry.isDirectory()
      ? newestOf(path)
      : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return Math.max(newest, ms);
  }, mtimeMs);
}

/** Bytes of a file or of all files of a folder. */
function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
