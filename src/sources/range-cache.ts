import { throwIfCancelled } from '../async/index.ts';
import type { SharedFolder } from '../files/index.ts';
import type { ByteRange, ByteSource, LocatedBytes, UseBytes } from './byte-source.ts';
import type { ReadPart, StoredRanges } from './stored-ranges.ts';
import { makeStoredRanges } from './stored-ranges.ts';

/** A remote file whose ranges are stored on disk. */
interface CachedFile {
  readonly folder: SharedFolder;
  /** Identifies the state of the file and the account that reads it. */
  readonly key: string;
  /** Whether the store has answered since the file was opened. */
  readonly isFresh: boolean;
  /** Asks the store whether the file is unchanged. */
  readonly confirm: () => Promise<void>;
  /** Whether an error of `confirm` or of a read says that the file has changed. */
  readonly isLost: (error: unknown) => boolean;
  readonly nowMs?: () => number;
  /** Runs a function later; returns the function that cancels it. */
  readonly schedule?: (run: () => void, delayMs: number) => () => void;
}

/**
 * Reads stored ranges from disk, requests the missing ones and stores them. It never returns bytes of another state of
 * the file. If all reads are hits, it asks the store once a minute, after a read, whether the file is unchanged.
 */
export function withRangeCache(source: ByteSource, file: CachedFile): ByteSource {
  const cache = new RangeCache(source, file);
  return {
    ...source,
    read: (offset, length, signal) => cache.read({ offset, length }, { isStored: true, signal }),
    readOnce: (offset, length, signal) => cache.read({ offset, length }, { isStored: false, signal }),
    withBytes: (range, use, signal) => cache.withBytes(range, use, { isStored: true, signal }),
    withBytesOnce: (range, use, signal) => cache.withBytes(range, use, { isStored: false, signal }),
    locate: (ranges) => cache.locate(ranges),
    isLost: () => cache.isLost(),
    close: () => cache.close(),
  };
}

interface ReadOptions {
  /** Whether requested bytes are stored. */
  readonly isStored: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The reads of one opened file. */
class RangeCache {
  readonly #source: ByteSource;
  readonly #folder: SharedFolder;
  readonly #ranges: StoredRanges;
  readonly #state: FileState;

  constructor(source: ByteSource, file: CachedFile) {
    const { folder, key, nowMs = () => performance.now(), schedule = scheduleTimer } = file;
    this.#source = source;
    this.#folder = folder;
    this.#ranges = makeStoredRanges(folder, key, nowMs);
    this.#state = new FileState({ ...file, nowMs, schedule, onLost: () => this.#ranges.clear() });
  }

  async read(range: ByteRange, options: ReadOptions): Promise<Uint8Array> {
    if (this.#isForSource(range)) return this.#source.read(range.offset, range.length, options.signal);
    return this.#readParts(await this.#plan(range, options.signal), options);
  }

  async withBytes<Result>(range: ByteRange, use: UseBytes<Result>, options: ReadOptions): Promise<Result> {
    const { isStored, signal } = options;
    if (this.#isForSource(range)) return use(await this.#source.read(range.offset, range.length, signal));
    const parts = await this.#plan(range, signal);
    if (parts.some(({ stored }) => stored !== null)) return use(await this.#readParts(parts, options));
    const storeAndUse: UseBytes<Result> = (bytes) => {
      this.#state.throwIfLost();
      if (isStored) this.#ranges.store(range.offset, bytes);
      return use(bytes);
    };
    return this.#request(range, storeAndUse, signal);
  }

  /** Counts neither hits nor misses: nothing is read. */
  async locate(ranges: readonly ByteRange[]): Promise<LocatedBytes> {
    let [memory, disk] = [0, 0];
    for (const { offset, length } of ranges) {
      if (this.#source.isKnown?.(offset, length) === true) memory += length;
      else
        for (const part of await this.#ranges.plan(offset, length))
          disk += part.stored === null ? 0 : part.length;
    }
    return { memory, disk };
  }

  isLost(): boolean {
    return this.#state.isLost();
  }

  async close(): Promise<void> {
    // The folder stays open: other files and threads use it.
    this.#state.stop();
    await Promise.all([this.#source.close(), this.#folder.settled()]);
  }

  /** True for a range that the source answers itself: invalid, empty, or already in memory. */
  #isForSource({ offset, length }: ByteRange): boolean {
    const isInside = offset >= 0 && length > 0 && offset + length <= this.#source.size;
    return !isInside || this.#source.isKnown?.(offset, length) === true;
  }

  /** Divides a read into stored and missing parts, and counts a hit or a miss. */
  async #plan({ offset, length }: ByteRange, signal: AbortSignal | undefined): Promise<readonly ReadPart[]> {
    this.#state.throwIfLost();
    const parts = await this.#ranges.plan(offset, length);
    throwIfCancelled(signal);
    const isHit = parts.every(({ stored }) => stored !== null);
    this.#folder.counters.add(isHit ? 'hits' : 'misses', 1);
    if (isHit) this.#state.confirmLater();
    return parts;
  }

  async #readParts(parts: readonly ReadPart[], options: ReadOptions): Promise<Uint8Array> {
    const found = await Promise.all(parts.map((part) => this.#readPart(part, options)));
    // Another read may have found meanwhile that the file has changed.
    this.#state.throwIfLost();
    return joinParts(found);
  }

  async #readPart(part: ReadPart, { isStored, signal }: ReadOptions): Promise<Uint8Array> {
    const { offset, length, stored } = part;
    const found = stored === null ? null : await this.#ranges.read(stored);
    if (stored !== null && found !== null) {
      // Copied: a small part must not keep the whole range in memory.
      const start = offset - stored.offset;
      return length === found.length ? found : found.slice(start, start + length);
    }
    const copy: UseBytes<Uint8Array> = (bytes) => {
      if (isStored) this.#ranges.store(offset, bytes);
      return bytes.slice();
    };
    return this.#request({ offset, length }, copy, signal);
  }

  async #request<Result>(
    range: ByteRange,
    use: UseBytes<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    try {
      const result =
        this.#source.withBytes === undefined
          ? use(await this.#source.read(range.offset, range.length, signal))
          : await this.#source.withBytes(range, use, signal);
      this.#state.noteAnswer();
      return result;
    } catch (error) {
      await this.#state.noteError(error);
      throw error;
    }
  }
}

/** How often a file that is read from disk only is confirmed. */
const CONFIRM_MS = 60_000;
/** Delay after the read: a request for other bytes of the picture confirms the file too, and no picture waits for this. */
const CONFIRM_DELAY_MS = 1_000;

const scheduleTimer = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

interface FileStateDeps extends Required<CachedFile> {
  /** Called when the file has changed, before the error is thrown. */
  readonly onLost: () => Promise<void>;
}

/**
 * Whether a file is still the one that was opened:
 *
 *     confirmed ──CONFIRM_MS──▶ due ──confirmLater──▶ confirming ──the store answers──▶ confirmed
 *                                ▲                        │ │
 *                                └──no answer, stop───────┘ └──it has changed──▶ lost
 *
 * An answer to any read confirms the file too, and any read may find that it is lost, which is final.
 */
class FileState {
  readonly #deps: FileStateDeps;
  #confirmedMs: number;
  /** Cancels the scheduled confirmation. */
  #cancel: (() => void) | null = null;
  /** Set when the file has changed: none of its bytes may be shown any more. */
  #lost: Error | null = null;

  constructor(deps: FileStateDeps) {
    this.#deps = deps;
    this.#confirmedMs = deps.isFresh ? deps.nowMs() : Number.NEGATIVE_INFINITY;
  }

  isLost(): boolean {
    return this.#lost !== null;
  }

  throwIfLost(): void {
    if (this.#lost !== null) throw this.#lost;
  }

  noteAnswer(): void {
    this.#confirmedMs = this.#deps.nowMs();
  }

  async noteError(error: unknown): Promise<void> {
    if (!this.#deps.isLost(error)) return;
    this.#lost = error as Error;
    await this.#deps.onLost();
  }

  confirmLater(): void {
    if (!this.#isDue() || this.#cancel !== null) return;
    this.#cancel = this.#deps.schedule(() => void this.#confirm(), CONFIRM_DELAY_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #isDue(): boolean {
    return this.#deps.nowMs() - this.#confirmedMs > CONFIRM_MS;
  }

  async #confirm(): Promise<void> {
    try {
      if (!this.#isDue()) return;
      await this.#deps.confirm();
      this.noteAnswer();
    } catch (error) {
      // A store that does not answer says nothing about the file; the next read asks again.
      await this.noteError(error);
    } finally {
      this.#cancel = null;
    }
  }
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
