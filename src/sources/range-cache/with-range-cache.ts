import { throwIfCancelled } from '../../async/index.ts';
import type { SharedFolder } from '../../files/index.ts';
import type { ByteRange } from '../ranges/byte-range.ts';
import type { ByteSource, UseBytes } from '../ranges/byte-source.ts';
import type { ReadPart } from './range-index.ts';
import { makeStoredRanges } from './stored-ranges.ts';

/** A remote file whose ranges are stored on disk. */
interface CachedFile {
  readonly folder: SharedFolder;
  /** Names the state of the file, and as whom it is read. */
  readonly key: string;
  /** Whether the store of the file has been asked since it was opened. */
  readonly isFresh: boolean;
  /** Asks the store of the file whether it is still the same. */
  readonly confirm: () => Promise<void>;
  /** Whether an error of `confirm` or of a read says that it is not. */
  readonly isLost: (error: unknown) => boolean;
  readonly nowMs?: () => number;
  /** Calls back later; the result cancels it. */
  readonly schedule?: (run: () => void, delayMs: number) => () => void;
}

/** How often the store confirms a file that is read from disk only. */
const CONFIRM_MS = 60_000;
/** Delay after the read: a picture that needs other bytes too confirms the file itself, and none waits for this. */
const CONFIRM_DELAY_MS = 1_000;

const scheduleTimer = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Reads what is stored on disk from there, and stores what had to be requested. Bytes of another state of the file are
 * never found. A file of which all reads are found is confirmed by its store once a minute, behind them.
 */
export function withRangeCache(source: ByteSource, file: CachedFile): ByteSource {
  const { folder, key, nowMs = () => performance.now(), schedule = scheduleTimer } = file;
  const ranges = makeStoredRanges(folder, key, nowMs);
  let confirmedMs = file.isFresh ? nowMs() : Number.NEGATIVE_INFINITY;
  let cancelConfirm: (() => void) | null = null;
  /** Set once the file is known to have changed: nothing of it may be shown any more. */
  let lost: Error | null = null;

  /** Reads from the store. */
  const request = async <Result>(
    range: ByteRange,
    use: UseBytes<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    try {
      const result =
        source.withBytes === undefined
          ? use(await source.read(range.offset, range.length, signal))
          : await source.withBytes(range, use, signal);
      confirmedMs = nowMs();
      return result;
    } catch (error) {
      await noteLoss(error);
      throw error;
    }
  };
  const noteLoss = async (error: unknown): Promise<void> => {
    if (!file.isLost(error)) return;
    lost = error as Error;
    await ranges.clear();
  };
  const isDue = (): boolean => nowMs() - confirmedMs > CONFIRM_MS;
  const confirmLater = (): void => {
    if (!isDue() || cancelConfirm !== null) return;
    cancelConfirm = schedule(() => {
      const settle = (): void => {
        cancelConfirm = null;
      };
      if (!isDue()) return settle();
      // A store that does not answer says nothing about the file; it is asked again with the next read.
      void file
        .confirm()
        .then(() => {
          confirmedMs = nowMs();
        }, noteLoss)
        .finally(settle);
    }, CONFIRM_DELAY_MS);
  };

  const readPart = async (part: ReadPart, isStored: boolean, signal?: AbortSignal): Promise<Uint8Array> => {
    const { offset, length, stored } = part;
    const found = stored === null ? null : await ranges.read(stored);
    if (stored !== null && found !== null) {
      // Copied: a small part must not hold all of it in memory.
      const start = offset - stored.offset;
      return length === found.length ? found : found.slice(start, start + length);
    }
    const copy: UseBytes<Uint8Array> = (bytes) => {
      if (isStored) ranges.store(offset, bytes);
      return bytes.slice();
    };
    return request({ offset, length }, copy, signal);
  };

  const isOutside = (offset: number, length: number): boolean =>
    !(offset >= 0 && length > 0 && offset + length <= source.size);
  /** Divides a read into what is on the disk and what is not, and counts it. */
  const planParts = async (
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<readonly ReadPart[]> => {
    if (lost !== null) throw lost;
    const parts = await ranges.plan(offset, length);
    throwIfCancelled(signal);
    const isHit = parts.every(({ stored }) => stored !== null);
    folder.counters.add(isHit ? 'hits' : 'misses', 1);
    if (isHit) confirmLater();
    return parts;
  };
  const readParts = async (
    parts: readonly ReadPart[],
    isStored: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> => {
    const found = await Promise.all(parts.map((part) => readPart(part, isStored, signal)));
    // Found to have changed meanwhile.
    if (lost !== null) throw lost;
    return joinParts(found);
  };
  const read = async (
    { offset, length }: ByteRange,
    isStored: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> => {
    if (isOutside(offset, length) || source.isKnown?.(offset, length) === true)
      return source.read(offset, length, signal);
    return readParts(await planParts(offset, length, signal), isStored, signal);
  };

  return {
    ...source,
    read: (offset, length, signal) => read({ offset, length }, true, signal),
    readOnce: (offset, length, signal) => read({ offset, length }, false, signal),
    async withBytes(range, use, signal) {
      const { offset, length } = range;
      if (isOutside(offset, length) || source.isKnown?.(offset, length) === true)
        return use(await source.read(offset, length, signal));
      const parts = await planParts(offset, length, signal);
      if (parts.some(({ stored }) => stored !== null)) return use(await readParts(parts, true, signal));
      return request(
        range,
        (bytes) => {
          if (lost !== null) throw lost;
          ranges.store(offset, bytes);
          return use(bytes);
        },
        signal,
      );
    },
    isLost: () => lost !== null,
    async close() {
      // Others may read on: it is open for all threads.
      cancelConfirm?.();
      cancelConfirm = null;
      await Promise.all([source.close(), folder.settled()]);
    },
  };
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
