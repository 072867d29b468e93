import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeBufferPool } from './buffer-pool.ts';
import { ignoreMissing, toSystemCode } from './file-state.ts';
import type { FolderCounters } from './folder-counters.ts';
import { joinCounters, makeCounterMemory } from './folder-counters.ts';
import {
  copyEntry,
  HEAD_BYTES,
  isEntryName,
  isHeadOf,
  sealEntry,
  sweepFolder,
  toDiskBytes,
} from './folder-entries.ts';
import { makeQuiet } from './quiet.ts';

/** A bounded folder of entries; plain data, so that it can be sent to threads. */
export interface FolderHandle {
  /** Created if it is missing; nothing outside it is changed. */
  readonly directory: string;
  /** Upper bound of the disk space of all files. */
  readonly maxBytes: number;
  readonly memory: SharedArrayBuffer;
}

/** Makes the handle of a folder; call it once per process. */
export const makeFolderHandle = (directory: string, maxBytes: number): FolderHandle => ({
  directory,
  maxBytes,
  memory: makeCounterMemory(),
});

/** Statistics of a folder, over all threads since the start of the process. */
export interface FolderStats {
  readonly hits: number;
  readonly misses: number;
  /** Written entries. */
  readonly written: number;
  readonly evicted: number;
  /** Entries not written: the disk was busy, full or failing, or the entry too large. */
  readonly dropped: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** The statistics without a folder. */
export const NO_STATS: FolderStats = {
  hits: 0,
  misses: 0,
  written: 0,
  evicted: 0,
  dropped: 0,
  readBytes: 0,
  writtenBytes: 0,
  usedBytes: 0,
  budgetBytes: 0,
};

/**
 * Entries on disk that all threads and processes share, by their paths in the folder. There is no index: an entry exists
 * if its file does, whole and unaltered. Nothing here rejects: an entry that cannot be read or written is a miss.
 */
export interface SharedFolder {
  readonly counters: FolderCounters;
  /** The bytes of an entry; null on a miss. */
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Queues an entry; resolves to true when it is on disk, to false if it was dropped. */
  write(name: string, bytes: Uint8Array): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Names of the entries in a folder below this one. */
  list(below: string): Promise<readonly string[]>;
  removeAll(below: string): Promise<void>;
  stats(): FolderStats;
  /** Resolves when every queued entry is on disk or dropped. */
  settled(): Promise<void>;
}

interface FolderOptions {
  /** Writes a new file; tests pass one that fails. */
  readonly write?: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Monotonic and the same in all threads. */
  readonly nowMs?: () => number;
}

/** Upper bound of queued writes in one thread; on a slow disk more would only fill the memory. */
const MAX_PENDING_BYTES = 32 * 2 ** 20;
/** Idle buffers that are reused for the next files. */
const MAX_IDLE_BYTES = 8 * 2 ** 20;
/** The writer waits for this long without a new entry. */
const QUIET_MS = 50;
/**
 * The longest wait. While the queue has room it is long, so that the entries of an order are written after its work. Once
 * the queue is half full, a busy server writes one file each time the short one has passed, so that the folder still
 * fills: a range of a megabyte takes 2.6 ms of processors, which is a twentieth of a core.
 */
const MAX_WAIT_MS = { roomy: 2_000, full: 50 };
/** How long writes pause after a full or failing disk. */
const REST_MS = 60_000;
/** A sweep that takes longer belongs to a dead thread. */
const LONGEST_SWEEP_MS = 60_000;
/** Part of the bound that a sweep frees, and that a process writes between two sweeps: other processes write too. */
const SWEPT_PART = 1 / 16;
/** How often the last use of an entry is recorded at most. */
const TOUCH_MS = 60_000;

/** System error codes that a message names. */
const FAILURE_CODES = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EMFILE'];

/** A clock with the same origin in all threads, unlike `performance.now()`. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Exclusive, so that it never writes through an existing link or file. */
const writeNew = (path: string, bytes: Uint8Array): Promise<void> =>
  writeFile(path, bytes, { flag: 'wx', mode: 0o600 });

/** Opens a folder on the calling thread. */
export function joinFolder(handle: FolderHandle, options: FolderOptions = {}): SharedFolder {
  const { directory, maxBytes, memory } = handle;
  const { write = writeNew, nowMs = monotonicMs } = options;
  const counters = joinCounters(memory);
  const pathOf = (name: string): string => join(directory, name);
  const quiet = makeQuiet({ quietMs: QUIET_MS });
  const buffers = makeBufferPool(MAX_IDLE_BYTES);
  let pendingBytes = 0;
  /** Writes one file at a time: answers are more urgent than caching them. */
  let queue: Promise<unknown> = Promise.resolve();

  return {
    counters,
    async read(name) {
      try {
        return await readEntry(name);
      } catch (error) {
        reportFailure(error);
        return null;
      }
    },
    write(name, bytes) {
      // What waits for the disk refers to the number alone: the caller's bytes would wait with it.
      const { length } = bytes;
      const isResting = nowMs() < counters.get('restUntil');
      const isFree = pendingBytes + length <= MAX_PENDING_BYTES;
      const fileBytes = HEAD_BYTES + length;
      const isTooLarge = fileBytes > MAX_FILE_BYTES || toDiskBytes(fileBytes) > maxBytes * SWEPT_PART;
      if (isResting || !isFree || isTooLarge) {
        counters.add('dropped', 1);
        return Promise.resolve(false);
      }
      // Copied now: the caller may change its bytes later.
      const memory = buffers.lease(fileBytes);
      const file = copyEntry(bytes, memory);
      pendingBytes += length;
      quiet.disturb();
      const written = queue
        // After the work that needs these bytes: the checksum of a megabyte takes a millisecond, and writing it more.
        .then(() => quiet.wait(MAX_WAIT_MS[pendingBytes > MAX_PENDING_BYTES / 2 ? 'full' : 'roomy']))
        .then(() => store(name, sealEntry(name, file)))
        .catch((error: unknown) => {
          reportFailure(error);
          return false;
        })
        .then((isStored) => {
          buffers.release(memory);
          pendingBytes -= length;
          if (!isStored) counters.add('dropped', 1);
          return isStored;
        });
      queue = written;
      return written;
    },
    async remove(name) {
      await rm(pathOf(name), { force: true }).catch(reportFailure);
    },
    async list(below) {
      const names = await readdir(pathOf(below)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') reportFailure(error);
        return [];
      });
      return names.filter(isEntryName);
    },
    async removeAll(below) {
      await rm(pathOf(below), { recursive: true, force: true }).catch(reportFailure);
    },
    stats: () => readFolderStats(handle),
    async settled() {
      quiet.hurry();
      await queue;
    },
  };

  async function readEntry(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = await open(pathOf(name), 'r').catch(ignoreMissing);
    if (file === null) return null;
    const { size, mtimeMs, head, bytes } = await readWhole(file).finally(() => file.close());
    if (bytes === null || !isHeadOf(head, name, bytes)) {
      await rm(pathOf(name), { force: true });
      counters.add('usedBytes', -toDiskBytes(size));
      return null;
    }
    counters.add('readBytes', bytes.length);
    const now = new Date();
    // Not awaited: only the order of eviction depends on it.
    if (Math.abs(now.getTime() - mtimeMs) > TOUCH_MS) utimes(pathOf(name), now, now).catch(() => {});
    return bytes;
  }

  async function store(name: string, file: Uint8Array): Promise<boolean> {
    // After a disk failure the rest of the queue is dropped.
    if (nowMs() < counters.get('restUntil')) return false;
    const diskBytes = toDiskBytes(file.length);
    if (!(await makeRoom(diskBytes))) return false;
    const unfinished = `${pathOf(name)}.${randomBytes(8).toString('hex')}.new`;
    try {
      await writeInFolder(unfinished, file);
      await rename(unfinished, pathOf(name));
    } catch (error) {
      counters.add('usedBytes', -diskBytes);
      // Half a file on a full disk takes space that others need.
      await rm(unfinished, { force: true }).catch(() => {});
      // A sweep has just removed the empty folder.
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    }
    counters.add('written', 1);
    counters.add('writtenBytes', file.length);
    counters.set('isFailing', 0);
    return true;
  }

  /** Writes a file; its folder is made if that is missing, which it mostly is not. */
  async function writeInFolder(path: string, file: Uint8Array): Promise<void> {
    try {
      await write(path, file);
    } catch (error) {
      if (toSystemCode(error) !== 'ENOENT') throw error;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await write(path, file);
    }
  }

  /** Reserves disk space, after a sweep if one is due; false if there is not enough. */
  async function makeRoom(diskBytes: number): Promise<boolean> {
    const unswept = counters.get('unswept');
    const isDue = unswept < 0 || unswept > maxBytes * SWEPT_PART;
    if (isDue || counters.get('usedBytes') + diskBytes > maxBytes) await sweep();
    const before = counters.add('usedBytes', diskBytes);
    if (before + diskBytes <= maxBytes) {
      counters.add('unswept', diskBytes);
      return true;
    }
    counters.add('usedBytes', -diskBytes);
    return false;
  }

  /** Sweeps the folder, or waits for the thread that is sweeping it. */
  async function sweep(): Promise<void> {
    const since = counters.get('sweepSince');
    const sweeps = counters.get('sweeps');
    const isLost = since !== 0 && nowMs() - since > LONGEST_SWEEP_MS;
    const isMine = (since === 0 || isLost) && counters.swap('sweepSince', since, Math.max(1, nowMs()));
    if (!isMine) return counters.changed('sweeps', sweeps, LONGEST_SWEEP_MS);
    try {
      const believed = counters.get('usedBytes');
      const { usedBytes, evicted } = await sweepFolder(directory, maxBytes * (1 - SWEPT_PART));
      // Space that others have reserved meanwhile stays reserved.
      counters.add('usedBytes', usedBytes - believed);
      counters.add('evicted', evicted);
      counters.set('unswept', 0);
    } finally {
      counters.set('sweepSince', 0);
      counters.add('sweeps', 1);
      counters.notify('sweeps');
    }
  }

  function reportFailure(error: unknown): void {
    counters.set('restUntil', nowMs() + REST_MS);
    if (!counters.swap('isFailing', 0, 1)) return;
    counters.set('failureCode', FAILURE_CODES.indexOf(toSystemCode(error) ?? ''));
    counters.add('failures', 1);
    counters.notify('failures');
  }
}

/** A longer file is not an entry. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** A file's head and bytes, its size, and the time of its last use; the bytes are null if it cannot be an entry. */
async function readWhole(file: FileHandle) {
  const { size, mtimeMs } = await file.stat();
  const head = Buffer.alloc(HEAD_BYTES);
  if (size < HEAD_BYTES || size > MAX_FILE_BYTES) return { size, mtimeMs, head, bytes: null };
  // In aligned memory of their own: readers view them as numbers.
  const bytes = new Uint8Array(size - HEAD_BYTES);
  const { bytesRead } = await file.readv([head, bytes], 0);
  return { size, mtimeMs, head, bytes: bytesRead === size ? bytes : null };
}

/** The statistics of a folder, over all threads. */
export function readFolderStats({ memory, maxBytes }: FolderHandle): FolderStats {
  const { get } = joinCounters(memory);
  return {
    hits: get('hits'),
    misses: get('misses'),
    written: get('written'),
    evicted: get('evicted'),
    dropped: get('dropped'),
    readBytes: get('readBytes'),
    writtenBytes: get('writtenBytes'),
    usedBytes: Math.max(0, get('usedBytes')),
    budgetBytes: maxBytes,
  };
}

/**
 * Calls `onFailure` with the system's error code when the disk of a folder begins to fail in any thread, and again only
 * after a write has succeeded in between. Returns the function that ends the watch.
 */
export function watchFolder({ memory }: FolderHandle, onFailure: (code: string) => void): () => void {
  const counters = joinCounters(memory);
  let isOver = false;
  let told = 0;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const failures = counters.get('failures');
      if (failures > told) onFailure(FAILURE_CODES[counters.get('failureCode')] ?? 'unknown');
      told = failures;
      await counters.changed('failures', failures);
    }
  };
  void watch();
  return () => {
    isOver = true;
    counters.notify('failures');
  };
}
