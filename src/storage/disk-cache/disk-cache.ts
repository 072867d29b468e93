import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CacheEntry } from './entry-file.ts';
import { MAX_ENTRY_FILE_BYTES, packEntry, unpackEntry } from './entry-file.ts';
import { ignoreGone, isCacheKey, scanCache, toEntryPath, toUnfinishedPath } from './scan-cache.ts';

/** What a cache did since it was opened, and has now. */
export interface DiskCacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly written: number;
  /** Not written: the disk was busy or failing, or the entry too large. */
  readonly dropped: number;
  readonly evicted: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Entries on disk within a bound. It never fails: what it cannot read or write is a miss. */
export interface DiskCache {
  get(key: string): Promise<CacheEntry | null>;
  /** Writes an entry later, or drops it. */
  put(key: string, entry: CacheEntry): void;
  stats(): DiskCacheStats;
  /** Resolves when what an earlier run has left is known: entries are written from then on. */
  ready(): Promise<void>;
  /** Resolves when all that was put is on the disk or dropped. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface DiskCacheOptions {
  /** Made when missing; nothing outside of it is touched. */
  readonly directory: string;
  /** Bound of the space all files take on the disk. */
  readonly maxBytes: number;
  /** Called once when the disk begins to fail, and again only after it worked in between. */
  readonly onFailure: (error: Error) => void;
  readonly nowMs?: () => number;
  /** Writes a new file; a test gives one that fails. */
  readonly write?: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Removes a file that may be gone already; a test gives one that fails. */
  readonly erase?: (path: string) => Promise<void>;
}

/** Writes under way and waiting; on a slow disk more would only pile up in memory. */
const MAX_PENDING = 16;
const MAX_PENDING_BYTES = 32 * 2 ** 20;
/** How long a disk that is full or not writable is left alone. */
const REST_MS = 60_000;
/** Files take whole blocks of the disk, most often of this size. */
const DISK_BLOCK_BYTES = 4096;

const toDiskBytes = (fileBytes: number): number => Math.ceil(fileBytes / DISK_BLOCK_BYTES) * DISK_BLOCK_BYTES;

/** Exclusive, so that nothing that lies there already is written through. */
const writeNew = (path: string, bytes: Uint8Array): Promise<void> =>
  writeFile(path, bytes, { flag: 'wx', mode: 0o600 });

const eraseFile = (path: string): Promise<void> => rm(path, { force: true });

/** Opens a cache in a folder of its own; the folder is looked through in the background. */
export function makeDiskCache(options: DiskCacheOptions): DiskCache {
  const { directory, maxBytes, onFailure, nowMs = () => performance.now() } = options;
  const { write = writeNew, erase = eraseFile } = options;
  // A Map remembers the order of insertion: the first key is the one that was used longest ago.
  const sizes = new Map<string, number>();
  const pending = new Set<string>();
  const counts = { hits: 0, misses: 0, written: 0, dropped: 0, evicted: 0 };
  const closing = new AbortController();
  let usedBytes = 0;
  let pendingBytes = 0;
  let isKnown = false;
  let isFailing = false;
  let restUntilMs = -Infinity;
  /** One file at a time is written: pictures are more urgent than caching them. */
  let queue = Promise.resolve();

  const reportFailure = (error: unknown): void => {
    restUntilMs = nowMs() + REST_MS;
    if (isFailing) return;
    isFailing = true;
    onFailure(error as Error);
  };
  const forget = (key: string): void => {
    usedBytes -= sizes.get(key) ?? 0;
    sizes.delete(key);
  };
  const remember = (key: string, bytes: number): void => {
    forget(key);
    sizes.set(key, bytes);
    usedBytes += bytes;
  };
  const remove = async (key: string): Promise<void> => {
    try {
      await erase(toEntryPath(directory, key));
    } catch (error) {
      // It still takes its room, and goes last, so that the next to make room begins with another.
      const bytes = sizes.get(key);
      if (bytes !== undefined) remember(key, bytes);
      throw error;
    }
    forget(key);
  };
  const makeRoom = async (bytes: number): Promise<void> => {
    while (usedBytes + bytes > maxBytes) {
      const oldest = sizes.keys().next();
      if (oldest.done) return;
      await remove(oldest.value);
      counts.evicted += 1;
    }
  };
  const store = async (key: string, file: Uint8Array): Promise<void> => {
    const path = toEntryPath(directory, key);
    const unfinished = toUnfinishedPath(directory, key);
    const bytes = toDiskBytes(file.length);
    await makeRoom(bytes);
    await mkdir(dirname(path), { recursive: true });
    try {
      await write(unfinished, file);
      await rename(unfinished, path);
    } catch (error) {
      // Part of a file on a full disk takes room that others need.
      await rm(unfinished, { force: true }).catch(() => {});
      throw error;
    }
    remember(key, bytes);
    counts.written += 1;
    isFailing = false;
  };

  const known = scanCache(directory, closing.signal)
    .then(async (found) => {
      for (const { key, fileBytes } of found) remember(key, toDiskBytes(fileBytes));
      await makeRoom(0);
    })
    .catch(reportFailure)
    .finally(() => {
      isKnown = true;
    });

  return {
    async get(key) {
      const isPossible = isCacheKey(key) && !closing.signal.aborted && (sizes.has(key) || !isKnown);
      const entry = isPossible ? await read(key) : null;
      counts[entry === null ? 'misses' : 'hits'] += 1;
      return entry;
    },
    put(key, entry) {
      if (!isCacheKey(key) || sizes.has(key) || pending.has(key)) return;
      const bytes = entry.bytes.length;
      if (!canTake(bytes)) {
        counts.dropped += 1;
        return;
      }
      pending.add(key);
      pendingBytes += bytes;
      queue = queue
        // Behind the answer that this picture is for.
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(async () => {
          const file = nowMs() >= restUntilMs ? packEntry(key, entry) : null;
          if (file !== null && toDiskBytes(file.length) <= maxBytes) await store(key, file);
          else counts.dropped += 1;
        })
        .catch((error: unknown) => {
          counts.dropped += 1;
          reportFailure(error);
        })
        .finally(() => {
          pending.delete(key);
          pendingBytes -= bytes;
        });
    },
    stats: () => ({ ...counts, usedBytes, budgetBytes: maxBytes }),
    ready: () => known,
    settled: () => queue,
    async close() {
      closing.abort();
      await known;
      await queue;
    },
  };

  function canTake(bytes: number): boolean {
    const isFree = pending.size < MAX_PENDING && pendingBytes + bytes <= MAX_PENDING_BYTES;
    return isKnown && isFree && !closing.signal.aborted && nowMs() >= restUntilMs;
  }

  async function read(key: string): Promise<CacheEntry | null> {
    try {
      const file = await readWhole(toEntryPath(directory, key));
      const entry = file === null ? null : unpackEntry(key, file);
      if (file === null) forget(key);
      else if (entry === null) await remove(key);
      // Used just now, so it goes last.
      else if (sizes.has(key)) remember(key, toDiskBytes(file.length));
      return entry;
    } catch (error) {
      // What cannot be read is there all the same, until it is removed.
      await remove(key).catch(() => {});
      reportFailure(error);
      return null;
    }
  }
}

/** A file's bytes; empty if it is larger than any of ours, null if it is gone. */
async function readWhole(path: string): Promise<Buffer<ArrayBuffer> | null> {
  const file = await open(path, 'r').catch(ignoreGone);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    if (size > MAX_ENTRY_FILE_BYTES) return Buffer.alloc(0);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
